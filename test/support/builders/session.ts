import { Transactions } from '#kernel/database/transactions.js';
import { SessionsService, type StartedSession } from '#core/sessions/sessions.service.js';
import type { TestApi } from '../api.js';
import { PageClient } from '../page-client.js';

/** Creates a session of a user, without a password. */
export const buildSession = (api: TestApi, userId: number): Promise<StartedSession> =>
  api.app
    .get(Transactions)
    .run((tx) => api.app.get(SessionsService, { strict: false }).create(tx, userId, '127.0.0.1', 'jest'));

/** Creates a browser with such a session. */
export async function buildBrowser(api: TestApi, userId: number): Promise<PageClient> {
  const { secret } = await buildSession(api, userId);
  const browser = new PageClient(api.url);
  browser.jar.set('_service_session', secret);
  return browser;
}
