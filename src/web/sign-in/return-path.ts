import { isLocalPath } from '#kernel/html/local-path.js';
import { RETURN_COOKIE } from '#kernel/html/visit.js';
import type { PageContext } from '../page-context.js';

/** The page that the visitor wanted to see before they were asked to sign in; null for none, and for whatever leads elsewhere. */
export function returnPathOf(page: PageContext): string | null {
  const cookie = page.cookie(RETURN_COOKIE);
  if (cookie === null) return null;
  try {
    const path = decodeURIComponent(cookie);
    return isLocalPath(path) ? path : null;
  } catch {
    return null;
  }
}

/** Has the browser forget that page. */
export function forgetReturnPath(page: PageContext): void {
  if (page.cookie(RETURN_COOKIE) !== null) page.setCookie(RETURN_COOKIE, '', 0);
}
