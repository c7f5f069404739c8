import type { ServerResponse } from 'node:http';
import { Html } from './html.js';
import { mountCookies, mountedDocument, mountedLocation } from './mounted-path.js';

/** What a page adds to its response. */
export interface PageExtras {
  readonly headers?: Readonly<Record<string, string | string[]>>;
  /** `Set-Cookie` lines. */
  readonly cookies?: readonly string[];
  /** Further sources that forms of the page may lead to, such as the target of a redirect after a form. */
  readonly formAction?: readonly string[];
  /** Whether the script of the page listens to events from this server. */
  readonly isLive?: boolean | undefined;
}

/** Response of a page handler: a document, a text file of another type, or a redirect without a body. */
export class PageAnswer {
  constructor(
    readonly status: number,
    readonly body: Html | string | null,
    readonly extras: PageExtras = {},
  ) {}
}

/** Creates a document response. */
export const page = (html: Html, status = 200, extras: PageExtras = {}): PageAnswer =>
  new PageAnswer(status, html, extras);

/** Creates a redirect: 303 after a form (the browser then uses GET), 302 otherwise. `location` is trusted. */
export const redirectTo = (location: string, status = 303, extras: PageExtras = {}): PageAnswer =>
  new PageAnswer(status, null, { ...extras, headers: { ...extras.headers, Location: location } });

/** Format of a source in a policy: scheme and host, or a scheme. */
const SOURCE = /^[a-z][a-z0-9+.-]*:(\/\/[a-z0-9.:[\]-]+)?$/i;

/**
 * Styles and scripts come from this server only, nothing is embedded or framed. Browsers also apply
 * `form-action` to redirects after a form, hence its further sources. Only a live page may connect, and only
 * to us. @throws Error for a source that would change the policy
 */
export function contentPolicy(formAction: readonly string[] = [], isLive = false): string {
  const bad = formAction.find((source) => !SOURCE.test(source));
  if (bad !== undefined) throw new Error(`${bad} is not a valid source of a content security policy`);
  return [
    "default-src 'none'",
    "style-src 'self'",
    "script-src 'self'",
    "img-src 'self' data:",
    ...(isLive ? ["connect-src 'self'"] : []),
    ["form-action 'self'", ...formAction].join(' '),
    "frame-ancestors 'none'",
    "base-uri 'none'",
  ].join('; ');
}

/** Sets the headers of every page: no framing, no caching, no referrer. */
export function setPageHeaders(response: ServerResponse, extras: PageExtras = {}): void {
  response.setHeader('Content-Security-Policy', contentPolicy(extras.formAction, extras.isLive));
  response.setHeader('X-Frame-Options', 'DENY');
  response.setHeader('X-Content-Type-Options', 'nosniff');
  response.setHeader('Referrer-Policy', 'same-origin');
  response.setHeader('Cache-Control', 'no-store');
}

/** Writes a page. */
export function writePage(response: ServerResponse, { status, body, extras }: PageAnswer): void {
  response.statusCode = status;
  setPageHeaders(response, extras);
  if (body !== null) response.setHeader('Content-Type', 'text/html; charset=utf-8');
  for (const [name, value] of Object.entries(extras.headers ?? {}))
    response.setHeader(name, name === 'Location' ? mountedLocation(response, String(value)) : value);
  if (extras.cookies && extras.cookies.length > 0) response.setHeader('Set-Cookie', extras.cookies);
  mountCookies(response);
  const bytes = Buffer.from(body instanceof Html ? mountedDocument(response, String(body)) : (body ?? ''));
  if (status !== 204) response.setHeader('Content-Length', bytes.length);
  response.end(response.req.method === 'HEAD' ? undefined : bytes);
}
