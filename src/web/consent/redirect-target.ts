import { OUT_OF_BAND_URI } from '#core/oauth-tokens/redirect-uri.js';

/** Hosts that a content policy can name: IPv6 addresses are none of them. */
const NAMEABLE = /^[a-z0-9.-]+(:\d+)?$/i;

const isWeb = ({ protocol }: URL): boolean => protocol === 'http:' || protocol === 'https:';

/**
 * The source that the page's content policy must let forms lead to, because browsers apply it to the redirect that follows the
 * approval: the origin of the redirect URI, or its scheme where an origin cannot be named.
 */
export function formSourceOf(redirectUri: string): string[] {
  const url = URL.parse(redirectUri);
  if (!url || redirectUri === OUT_OF_BAND_URI) return [];
  return [isWeb(url) && NAMEABLE.test(url.host) ? `${url.protocol}//${url.host}` : url.protocol];
}

/** Where the browser goes with the answer, for people: what names it, and what to think of it. */
export interface RedirectTarget {
  readonly name: string;
  readonly note: string;
  /** Whether others on the way there can read along. */
  readonly isUnsafe: boolean;
}

const LOOPBACK = /^(127(\.\d+){3}|\[::1\]|localhost)$/;

/** What to tell people of a redirect URI; null where the code is shown to them instead. */
export function redirectTargetOf(redirectUri: string): RedirectTarget | null {
  if (redirectUri === OUT_OF_BAND_URI) return null;
  const url = URL.parse(redirectUri);
  if (!url || !isWeb(url)) {
    const scheme = redirectUri.slice(0, redirectUri.indexOf(':') + 1);
    return { name: scheme, note: 'the program on this device that opens such links', isUnsafe: false };
  }
  if (LOOPBACK.test(url.hostname))
    return { name: url.host, note: 'a program on this device', isUnsafe: false };
  const isUnsafe = url.protocol === 'http:';
  return { name: url.host, note: isUnsafe ? 'over a connection that is not encrypted' : '', isUnsafe };
}
