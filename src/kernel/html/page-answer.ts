import type { ServerResponse } from 'node:http';
import { Html } from './html.js';
import { mountedDocument, mountedLocation } from './mounted-path.js';

/** What a page adds to its answer. */
export interface PageExtras {
  readonly headers?: Readonly<Record<string, string>>;
  /** `Set-Cookie` lines. */
  readonly cookies?: readonly string[];
  /** Further sources that forms of the page may lead to, such as the target of a redirect after a form. */
  readonly formAction?: readonly string[];
  /** Its script hears of news from here. */
  readonly isLive?: boolean | undefined;
}

/** The answer of a handler that serves people: a document, the text of another file with its own type, or a redirect without any. */
export class PageAnswer {
  constructor(
    readonly status: number,
    readonly body: Html | string | null,
    readonly extras: PageExtras = {},
  ) {}
}

/** A document. */
export const page = (html: Html, status = 200, extras: PageExtras = {}): PageAnswer =>
  new PageAnswer(status, html, extras);

/** A redirect; 303 after a form (the browser then asks with GET), 302 otherwise. `location` is trusted. */
export const redirectTo = (location: string, status = 303, extras: PageExtras = {}): PageAnswer =>
  new PageAnswer(status, null, { ...extras, headers: { ...extras.headers, Location: location } });

/** A source as it may stand in a policy: scheme and host, or a scheme. */
const SOURCE = /^[a-z][a-z0-9+.-]*:(\/\/[a-z0-9.:[\]-]+)?$/i;

/**
 * Style and scripts come from here alone, nothing is embedded or framed. Browsers hold redirects that follow a form to
 * `form-action` too, hence its further sources. Only a live page may ask for more, and nobody but us. @throws Error for a source that
 * would change the policy
 */
export function contentPolicy(formAction: readonly string[] = [], isLive = false): string {
  const bad = formAction.find((source) => !SOURCE.test(source));
  if (bad !== undefined) throw new Error(`${bad} is no source of a content policy`);
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

/** Sets the headers that every page has: not framed, not stored, not told to others. */
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
    response.setHeader(name, name === 'Location' ? mountedLocation(response, value) : value);
  if (extras.cookies && extras.cookies.length > 0) response.setHeader('Set-Cookie', extras.cookies);
  const bytes = Buffer.from(body instanceof Html ? mountedDocument(response, String(body)) : (body ?? ''));
  if (status !== 204) response.setHeader('Content-Length', bytes.length);
  response.end(response.req.method === 'HEAD' ? undefined : bytes);
}
