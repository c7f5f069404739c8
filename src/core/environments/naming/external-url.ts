/** Schemes that run code when the link is clicked. */
const UNSAFE = new Set(['javascript', 'data', 'vbscript']);

const MAX_LENGTH = 255;

/**
 * Returns the problem of the URL of an environment, or null; variables and URLs without a scheme are allowed.
 */
export function externalUrlProblem(url: string): string | null {
  if (url.length > MAX_LENGTH) return `is too long (maximum is ${MAX_LENGTH} characters)`;
  // Browsers ignore control characters and leading blanks before the scheme.
  // oxlint-disable-next-line no-control-regex -- control characters are what it looks for
  if (/[\0-\x1f\x7f]/.test(url)) return 'URI is invalid';
  const scheme = /^\s*([a-z][a-z0-9+.-]*)\s*:/i.exec(url)?.[1]?.toLowerCase();
  if (scheme !== undefined && UNSAFE.has(scheme)) return `${scheme} scheme is not allowed`;
  if ((scheme === 'http' || scheme === 'https') && !url.includes('$') && !URL.canParse(url))
    return 'URI is invalid';
  return null;
}
