import { safeEqual } from '#kernel/crypto/tokens.js';
import type { ApiRequest } from '#kernel/http/request.js';
import { HttpError } from '#kernel/http/errors.js';
import { csrfTokenOf } from '#core/sessions/csrf-token.js';

const header = ({ headers }: ApiRequest, name: string): string | null => {
  const value = headers[name];
  return typeof value === 'string' ? value : null;
};

/** Returns the CSRF token that a form or script of a page has sent. */
function sentToken(request: ApiRequest): string | null {
  const body: unknown = request.body;
  const field =
    typeof body === 'object' && body !== null
      ? (body as Record<string, unknown>)['authenticity_token']
      : undefined;
  return header(request, 'x-csrf-token') ?? (typeof field === 'string' ? field : null);
}

/**
 * Whether the request comes from one of our pages, as far as the browser says; privacy settings can turn the
 * origin into "null".
 */
export function comesFromUs(request: ApiRequest, base: string): boolean {
  const site = header(request, 'sec-fetch-site');
  const origin = header(request, 'origin');
  if (site === 'cross-site') return false;
  if (origin === null || origin === 'null' || origin === new URL(base).origin) return true;
  // The host differs from EXTERNAL_URL, but the browser itself has compared the origins.
  return site === 'same-origin' && URL.canParse(origin) && new URL(origin).host === request.headers.host;
}

/**
 * Rejects cross-site requests. `secret` is the session cookie, also of visitors who are not signed in,
 * because nobody else can know it. @throws 422
 */
export function assertFormToken(request: ApiRequest, secret: string | null, base: string): void {
  const token = sentToken(request);
  if (
    secret !== null &&
    token !== null &&
    comesFromUs(request, base) &&
    safeEqual(token, csrfTokenOf(secret))
  )
    return;
  throw new HttpError(422, {
    message:
      'The form is out of date, or was not sent from this site. Please go back, reload it and try again.',
  });
}
