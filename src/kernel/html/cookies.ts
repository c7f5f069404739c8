import type { IncomingMessage } from 'node:http';

/** How a cookie is kept. */
export interface CookieOptions {
  /** Whether browsers send it over TLS only: where the service has an https URL. */
  readonly isSecure: boolean;
  /** Seconds; without them it ends with the browser's session, with 0 at once. */
  readonly maxAge?: number | undefined;
}

/** Characters that may stand in a value as they are (RFC 6265, 4.1.1). */
const PLAIN = /^[\w!#$&'()*+./:<=>?@[\]^`{|}~%-]*$/;

/**
 * A `Set-Cookie` line. No script reads our cookies, no other site sends them along but for links that lead here (OAuth needs
 * those), and no neighbour of our host shares them.
 */
export function cookieLine(name: string, value: string, { isSecure, maxAge }: CookieOptions): string {
  const plain = PLAIN.test(value) ? value : encodeURIComponent(value);
  const age = maxAge === undefined ? '' : `; Max-Age=${maxAge}`;
  return `${name}=${plain}; Path=/${age}; HttpOnly; SameSite=Lax${isSecure ? '; Secure' : ''}`;
}

/** The value of the first cookie of that name, as it was sent; null where there is none or an empty one. */
export function readCookie({ headers }: Pick<IncomingMessage, 'headers'>, name: string): string | null {
  for (const pair of (headers.cookie ?? '').split(';')) {
    const equals = pair.indexOf('=');
    if (equals > 0 && pair.slice(0, equals).trim() === name) return pair.slice(equals + 1).trim() || null;
  }
  return null;
}
