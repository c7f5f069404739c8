import { OUT_OF_BAND_URI, redirectUriProblem } from '#core/oauth-tokens/applications/redirect-uri.js';
import { AUTHORIZE_PATH } from './authorize-path.js';

const isWeb = ({ protocol }: URL): boolean => protocol === 'http:' || protocol === 'https:';

/**
 * What a page's content policy must let its forms lead to, because browsers apply it to every redirect that follows a form: the
 * scheme of the redirect URI (`auth-core.md` 1.2). Its origin alone is not enough: clients send people on from there, to where
 * their pages are served, and Chromium then drops the whole approval without a word.
 */
export function formSourceOf(redirectUri: string): string[] {
  const scheme = URL.parse(redirectUri)?.protocol;
  return scheme === undefined || redirectUri === OUT_OF_BAND_URI ? [] : [scheme];
}

/**
 * The same for the pages before: what signs somebody in leads to the request that they came with, and, where nobody has to be
 * asked, in the same breath to its client. Empty for any other path to return to.
 */
export function formSourceBehind(returnPath: string | null): string[] {
  if (!returnPath?.startsWith(`${AUTHORIZE_PATH}?`)) return [];
  const query = new URLSearchParams(returnPath.slice(AUTHORIZE_PATH.length));
  const redirectUri = query.get('redirect_uri') ?? '';
  return redirectUriProblem(redirectUri) === null ? formSourceOf(redirectUri) : [];
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
