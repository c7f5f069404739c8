import type { ApiRequest } from '#kernel/http/request.js';
import { OauthError } from '../oauth-error.js';

const TWICE = 'Both Authorization header and payload includes access token.';

/**
 * The access token that a request is about: `access_token`, `Authorization: Bearer`, or `bearer_token`; null for none.
 * @throws 400 for a header together with a parameter (RFC 6750 2), and for a parameter that is no single text
 */
export function sentToken(request: ApiRequest): string | null {
  const header = /^bearer +(\S+) *$/i.exec(request.headers.authorization ?? '')?.[1];
  const parameter = request.query['access_token'] || request.query['bearer_token'] || undefined;
  if (parameter !== undefined && typeof parameter !== 'string') throw OauthError('invalid_request');
  if (header !== undefined && parameter !== undefined)
    throw OauthError('invalid_request', { description: TWICE });
  return parameter ?? header ?? null;
}
