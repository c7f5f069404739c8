import { HttpError } from '#kernel/http/errors.js';
import { oauthError, type OauthErrorCode } from './oauth-error.js';

/** Endpoints whose clients expect errors in the form of RFC 6749, 5.2. */
const CLIENT_ENDPOINTS: ReadonlySet<string> = new Set(['/oauth/token', '/oauth/revoke', '/oauth/introspect']);

/** Errors of the kernel (unreadable bodies and URLs) and throttles (`decisions.md`, 3). */
const CODES: ReadonlyMap<number, OauthErrorCode> = new Map([
  [400, 'invalid_request'],
  [429, 'temporarily_unavailable'],
]);

/** Converts an error at one of these endpoints that was raised outside of it; null for others. */
export function asOauthError(path: string, { status, body, headers }: HttpError): HttpError | null {
  const code = CODES.get(status);
  if (code === undefined || body?.['message'] === undefined) return null;
  if (!CLIENT_ENDPOINTS.has(path.endsWith('/') ? path.slice(0, -1) : path)) return null;
  const told = oauthError(code);
  return new HttpError(status, told.body, { ...told.headers, ...headers });
}
