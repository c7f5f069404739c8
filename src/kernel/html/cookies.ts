import { parse } from 'cookie';
import type { IncomingMessage } from 'node:http';

/** Options of a cookie. */
export interface CookieOptions {
  /** Whether browsers send it over TLS only: if the service has an https URL. */
  readonly isSecure: boolean;
  /** Seconds; if omitted, it ends with the browser's session, with 0 at once. */
  readonly maxAge?: number | undefined;
}

/** Characters allowed in a value without encoding (RFC 6265, 4.1.1). */
const PLAIN = /^[\w!#$&'()*+./:<=>?@[\]^`{|}~%-]*$/;

/**
 * Formats a `Set-Cookie` line. Scripts cannot read our cookies, other sites cannot send them except by links
 * to us (which OAuth needs), and sibling hosts do not share them.
 */
export function cookieLine(name: string, value: string, { isSecure, maxAge }: CookieOptions): string {
  const plain = PLAIN.test(value) ? value : encodeURIComponent(value);
  const age = maxAge === undefined ? '' : `; Max-Age=${maxAge}`;
  return `${name}=${plain}; Path=/${age}; HttpOnly; SameSite=Lax${isSecure ? '; Secure' : ''}`;
}

/** Values are returned as sent: ours contain nothing that is encoded, or are decoded by their readers. */
const AS_SENT = { decode: (value: string): string => value };

/** Returns the first cookie of that name, as sent; null if missing or empty. */
export function readCookie({ headers }: Pick<IncomingMessage, 'headers'>, name: string): string | null {
  return headers.cookie === undefined ? null : parse(headers.cookie, AS_SENT)[name] || null;
}
