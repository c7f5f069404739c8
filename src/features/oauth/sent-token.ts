import type { ApiRequest } from '#kernel/http/request.js';
import { oauthError } from './oauth-error.js';

const TWICE = 'Both Authorization header and payload includes access token.';

/**
 * Returns the access token of a request: `Authorization: Bearer`, `access_token` in a posted form or in the
 * query, or `bearer_token` in the query (RFC 6750 2); null if none or empty.
 * @throws 400 for a token in more than one place, or a parameter that is not a single text
 */
export function sentToken(request: ApiRequest): string | null {
  const header = /^bearer +(\S.*)$/i.exec(request.headers.authorization ?? '')?.[1]?.trim();
  const posted =
    request.method === 'POST' ? (request.body as Record<string, unknown> | undefined) : undefined;
  const { access_token: access, bearer_token: bearer } = request.query;
  const sent = [header, posted?.['access_token'], access || bearer].filter(Boolean);
  if (sent.length > 1) throw oauthError('invalid_request', { description: TWICE });
  const [token = null] = sent;
  if (token !== null && typeof token !== 'string') throw oauthError('invalid_request');
  return token;
}
