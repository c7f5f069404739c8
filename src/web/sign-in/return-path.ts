import { isLocalPath } from '#kernel/html/local-path.js';
import { RETURN_COOKIE } from '#kernel/html/visit.js';
import type { PageContext } from '../page-context.js';

/**
 * Returns the page that the visitor requested before the sign-in; null if there is none or it leads
 * elsewhere.
 */
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

/** Deletes that page from the browser. */
export function forgetReturnPath(page: PageContext): void {
  if (page.cookie(RETURN_COOKIE) !== null) page.setCookie(RETURN_COOKIE, '', 0);
}
