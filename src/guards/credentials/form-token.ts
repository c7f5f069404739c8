import { safeEqual } from '#kernel/crypto/tokens.js';
import type { ApiRequest } from '#kernel/http/request.js';
import { HttpError } from '#kernel/http/errors.js';
import { csrfTokenOf } from '#core/sessions/csrf-token.js';

const header = ({ headers }: ApiRequest, name: string): string | null => {
  const value = headers[name];
  return typeof value === 'string' ? value : null;
};

/** The token that a form or a script of a page has sent. */
function sentToken(request: ApiRequest): string | null {
  const body: unknown = request.body;
  const field =
    typeof body === 'object' && body !== null
      ? (body as Record<string, unknown>)['authenticity_token']
      : undefined;
  return header(request, 'x-csrf-token') ?? (typeof field === 'string' ? field : null);
}

/** Whether the browser says, where it says so, that one of our own pages asks; "null" is what privacy settings make of an origin. */
export function comesFromUs(request: ApiRequest, base: string): boolean {
  const site = header(request, 'sec-fetch-site');
  const origin = header(request, 'origin');
  if (site === 'cross-site') return false;
  if (origin === null || origin === 'null' || origin === new URL(base).origin) return true;
  // Reached by another name than EXTERNAL_URL says: the browser itself has compared the two.
  return site === 'same-origin' && URL.canParse(origin) && new URL(origin).host === request.headers.host;
}

/**
 * Refuses what a page of somebody else has made a browser send. `secret` is the session cookie, also of visitors who are not
 * signed in: nobody else can know it. @throws 422
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
