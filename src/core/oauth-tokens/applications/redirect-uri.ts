/** Redirect URI of programs that display the code to their user (from before RFC 6749; still in use). */
export const OUT_OF_BAND_URI = 'urn:ietf:wg:oauth:2.0:oob';

const MAX_LENGTH = 2_000;

/** Schemes that run code or read data instead of contacting a server. */
const FORBIDDEN = new Set(['javascript:', 'data:', 'vbscript:', 'file:', 'blob:', 'about:', 'filesystem:']);

/** Characters of RFC 3986: no blanks, control characters, or backslashes, which browsers treat as slashes. */
const READABLE = /^[A-Za-z0-9\-._~:/?#[\]@!$&'()*+,;=%]+$/;

/** A valid host: no wildcards or invalid characters. */
const HOST = /^(?:\[[\da-f:.]+\]|[\w.-]+)$/;

/** Returns the problem of a redirect URI to register (texts of `auth-core.md` 1.14), or null. */
export function redirectUriProblem(uri: string): string | null {
  if (uri === OUT_OF_BAND_URI) return null;
  if (uri.length > MAX_LENGTH || !READABLE.test(uri)) return 'must be a valid URI.';
  if (!/^[A-Za-z][A-Za-z0-9+.-]*:/.test(uri)) return 'must be an absolute URI.';
  const url = URL.parse(uri);
  if (!url) return 'must be a valid URI.';
  if (FORBIDDEN.has(url.protocol)) return 'is forbidden by the server.';
  if (uri.includes('#')) return 'cannot contain a fragment.';
  const isWeb = url.protocol === 'http:' || url.protocol === 'https:';
  if (isWeb && !/^https?:\/\/[^/?]/i.test(uri)) return 'must be an absolute URI.';
  if (isWeb && !HOST.test(url.hostname)) return 'must be a valid URI.';
  // A scheme alone has no target.
  return uri.slice(url.protocol.length).replace(/^\/+/, '') === '' ? 'must be an absolute URI.' : null;
}

/** Returns the problems of an application's redirect URIs, without duplicates. */
export function redirectUriProblems(uris: readonly string[]): string[] {
  if (uris.length === 0) return ["can't be blank"];
  return [...new Set(uris.map(redirectUriProblem).filter((problem) => problem !== null))];
}

/**
 * The port of a loopback IP address (127.0.0.0/8, ::1), which desktop programs choose at each start (RFC 8252
 * 7.3).
 */
const LOOPBACK_PORT = /^(https?:\/\/(?:127(?:\.\d{1,3}){3}|\[::1\])):\d{1,5}(?=[/?]|$)/;

const withoutLoopbackPort = (uri: string): string => uri.replace(LOOPBACK_PORT, '$1');

/**
 * Returns whether `requested` is a registered URI: an exact match, except for the port of a loopback IP
 * address.
 */
export function isRegisteredRedirectUri(registered: readonly string[], requested: string): boolean {
  if (requested.length > MAX_LENGTH) return false;
  if (registered.includes(requested)) return true;
  const wanted = withoutLoopbackPort(requested);
  return (
    /^https?:\/\/(127\.|\[)/.test(requested) && registered.some((uri) => withoutLoopbackPort(uri) === wanted)
  );
}
