import { Transactions } from '#kernel/database/transactions.js';
import { SessionsService, type StartedSession } from '#core/sessions/sessions.service.js';
import type { TestApi } from '../api.js';
import { PageClient } from '../page-client.js';

/** A session of somebody, who needs no password for that. */
export const buildSession = (api: TestApi, userId: number): Promise<StartedSession> =>
  api.app
    .get(Transactions)
    .run((tx) => api.app.get(SessionsService, { strict: false }).create(tx, userId, '127.0.0.1', 'jest'));

/** A browser in which somebody has signed in like that. */
export async function buildBrowser(api: TestApi, userId: number): Promise<PageClient> {
  const { secret } = await buildSession(api, userId);
  const browser = new PageClient(api.url);
  browser.jar.set('_service_session', secret);
  return browser;
}
