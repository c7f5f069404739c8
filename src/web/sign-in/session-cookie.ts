import { SESSION_COOKIE } from '#kernel/html/visit.js';
import { REMEMBERED_SECONDS, type StartedSession } from '#core/sessions/sessions.service.js';
import type { PageContext } from '../page-context.js';

/** Sets the session cookie. Unless the session is remembered, the browser deletes it on closing. */
export function giveSession(page: PageContext, { secret, remembered }: StartedSession): void {
  page.setCookie(SESSION_COOKIE, secret, remembered ? REMEMBERED_SECONDS : undefined);
}

/** Deletes the session cookie. */
export const takeSession = (page: PageContext): void => page.setCookie(SESSION_COOKIE, '', 0);
