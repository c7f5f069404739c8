import { SESSION_COOKIE } from '#kernel/html/visit.js';
import { REMEMBERED_SECONDS, type StartedSession } from '#core/sessions/sessions.service.js';
import type { PageContext } from '../page-context.js';

/** Hands the browser a session that was started for it; without a time of its own the browser drops it when it is closed. */
export function giveSession(page: PageContext, { secret, remembered }: StartedSession): void {
  page.setCookie(SESSION_COOKIE, secret, remembered ? REMEMBERED_SECONDS : undefined);
}

/** Takes the session cookie back. */
export const takeSession = (page: PageContext): void => page.setCookie(SESSION_COOKIE, '', 0);
