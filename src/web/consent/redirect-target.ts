import { OUT_OF_BAND_URI, redirectUriProblem } from '#core/oauth-tokens/applications/redirect-uri.js';
import { AUTHORIZE_PATH } from './authorize-path.js';

const isWeb = ({ protocol }: URL): boolean => protocol === 'http:' || protocol === 'https:';

/**
 * Sources that the content security policy of the page must allow for its forms, because browsers apply it to
 * every redirect after a form: the scheme of the redirect URI (`auth-core.md` 1.2). Its origin alone is not
 * enough: clients redirect from there to their own pages, and Chromium would then silently drop the whole
 * approval.
 */
export function formSourceOf(redirectUri: string): string[] {
  const scheme = URL.parse(redirectUri)?.protocol;
  return scheme === undefined || redirectUri === OUT_OF_BAND_URI ? [] : [scheme];
}

/**
 * The same for the pages before the consent page: signing in leads back to the request and, if no consent is
 * needed, straight on to its client. Empty for any other return path.
 */
export function formSourceBehind(returnPath: string | null): string[] {
  if (!returnPath?.startsWith(`${AUTHORIZE_PATH}?`)) return [];
  const query = new URLSearchParams(returnPath.slice(AUTHORIZE_PATH.length));
  const redirectUri = query.get('redirect_uri') ?? '';
  return redirectUriProblem(redirectUri) === null ? formSourceOf(redirectUri) : [];
}

/** Where the browser takes the response, for display: its name, and how safe it is. */
export interface RedirectTarget {
  readonly name: string;
  readonly note: string;
  /** Whether others could read the response in transit. */
  readonly isUnsafe: boolean;
}

const LOOPBACK = /^(127(\.\d+){3}|\[::1\]|localhost)$/;

/** Describes a redirect URI for display; null if the code is shown to the user instead. */
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
