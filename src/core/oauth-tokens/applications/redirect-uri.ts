/** Redirect URI of programs that show the code to their user instead (RFC 6749 before its time; clients still have it). */
export const OUT_OF_BAND_URI = 'urn:ietf:wg:oauth:2.0:oob';

const MAX_LENGTH = 2_000;

/** Schemes that run or read something instead of telling somebody. */
const FORBIDDEN = new Set(['javascript:', 'data:', 'vbscript:', 'file:', 'blob:', 'about:', 'filesystem:']);

/** Characters of RFC 3986: no blanks, no control characters, no backslash that browsers take for a slash. */
const READABLE = /^[A-Za-z0-9\-._~:/?#[\]@!$&'()*+,;=%]+$/;

/** A host that is one: no pattern, and no sign that no name has. */
const HOST = /^(?:\[[\da-f:.]+\]|[\w.-]+)$/;

/** What is wrong with a URI that an application wants to register (texts of `auth-core.md` 1.14), or null. */
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
  // Without anything behind the scheme there is nobody to go to.
  return uri.slice(url.protocol.length).replace(/^\/+/, '') === '' ? 'must be an absolute URI.' : null;
}

/** What is wrong with the redirect URIs of an application; every text once. */
export function redirectUriProblems(uris: readonly string[]): string[] {
  if (uris.length === 0) return ["can't be blank"];
  return [...new Set(uris.map(redirectUriProblem).filter((problem) => problem !== null))];
}

/** The port of a loopback address of IP (127.0.0.0/8, ::1), which programs on a desktop choose anew at each start (RFC 8252 7.3). */
const LOOPBACK_PORT = /^(https?:\/\/(?:127(?:\.\d{1,3}){3}|\[::1\])):\d{1,5}(?=[/?]|$)/;

const withoutLoopbackPort = (uri: string): string => uri.replace(LOOPBACK_PORT, '$1');

/** Whether a request may be answered to `requested`: exactly a registered URI, but for the port of a loopback address of IP. */
export function isRegisteredRedirectUri(registered: readonly string[], requested: string): boolean {
  if (requested.length > MAX_LENGTH) return false;
  if (registered.includes(requested)) return true;
  const wanted = withoutLoopbackPort(requested);
  return (
    /^https?:\/\/(127\.|\[)/.test(requested) && registered.some((uri) => withoutLoopbackPort(uri) === wanted)
  );
}
