import { safeEqual } from '#kernel/crypto/tokens.js';
import type { ApiRequest } from '#kernel/http/request.js';
import { HttpError } from '#kernel/http/errors.js';
import { routesOf } from '#kernel/http/routes/find-route.js';
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
 * Whether the request comes from one of our pages, according to the browser; privacy settings can turn the
 * origin into "null".
 */
export function comesFromUs(request: ApiRequest, base: string): boolean {
  const site = header(request, 'sec-fetch-site');
  const origin = header(request, 'origin');
  if (site === 'cross-site') return false;
  if (origin === null || origin === 'null' || origin === new URL(base).origin) return true;
  // The host differs from EXTERNAL_URL, but the browser itself has compared the origins.
  return site === 'same-origin' && isAtHost(request, origin);
}

/** Whether the browser itself says that one of our pages has sent the request. */
export const isSentByUs = (request: ApiRequest, base: string): boolean =>
  comesFromUs(request, base) &&
  (header(request, 'sec-fetch-site') === 'same-origin' || header(request, 'origin') === new URL(base).origin);

/**
 * Returns the path of the page whose form was sent, without that of `base`; null if the browser does not tell it, or it cannot be
 * requested, only sent a form.
 */
export function pageOfForm(request: ApiRequest, base: string): string | null {
  const sentFrom = header(request, 'referer') ?? '';
  if (!URL.canParse(sentFrom)) return null;
  const { host, pathname, search } = new URL(sentFrom);
  const mounted = new URL(base).pathname.replace(/\/+$/, '');
  if (host !== request.headers.host || !pathname.startsWith(`${mounted}/`)) return null;
  const path = pathname.slice(mounted.length);
  return routesOf(request).methodsOf(path).includes('GET') ? path + search : null;
}

const isAtHost = ({ headers }: ApiRequest, origin: string): boolean =>
  URL.canParse(origin) && new URL(origin).host === headers.host;

const OUT_OF_DATE =
  'The form is out of date, or was not sent from this site. Please go back, reload it and try again.';

/**
 * Says why a form is refused. Reloading does not help those who use another address of the service than that
 * of EXTERNAL_URL, such as its IP address: over plain HTTP their browsers do not say that the form is ours.
 */
function refusalOf(request: ApiRequest, base: string): string {
  const origin = header(request, 'origin');
  if (origin === null || comesFromUs(request, base) || !isAtHost(request, origin)) return OUT_OF_DATE;
  return `Forms are accepted at ${base} only, and this one was sent from ${origin}. Please use that address. If it is wrong, an administrator can change it with EXTERNAL_URL.`;
}

/**
 * Rejects cross-site requests. `secret` is the session cookie, also of visitors who are not signed in,
 * because other parties cannot know it. @throws 422
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
  throw new HttpError(422, { message: refusalOf(request, base) });
}
