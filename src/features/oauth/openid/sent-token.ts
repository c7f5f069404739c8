import { HttpError } from '#kernel/http/errors.js';
import type { ApiRequest } from '#kernel/http/request.js';

const invalidRequest = (description: string): HttpError =>
  new HttpError(400, { error: 'invalid_request', error_description: description });

/**
 * The access token of a request: `Authorization: Bearer`, or `access_token` in a form or query (RFC 6750, 2); null for none.
 * @throws 400 for more than one, and for a parameter that is no text
 */
export function sentToken(request: ApiRequest): string | null {
  const header = /^bearer +(.*)$/i.exec(request.headers.authorization ?? '')?.[1]?.trim();
  const body = (request.body ?? {}) as Record<string, unknown>;
  const sent = [header, body['access_token'], request.query['access_token']].filter(
    (value) => value !== undefined && value !== null && value !== '',
  );
  if (sent.length > 1) throw invalidRequest('More than one access token was sent.');
  const [token = null] = sent;
  if (token !== null && typeof token !== 'string') throw invalidRequest('The access token is no text.');
  return token;
}
