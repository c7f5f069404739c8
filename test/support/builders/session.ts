import { Transactions, type Tx } from '#kernel/database/transactions.js';
import { SessionsService } from '#core/sessions/sessions.service.js';
import type { TestApi } from '../api.js';
import { PageClient } from '../page-client.js';

/** A browser in which somebody has signed in, who needs no password for that. */
export async function buildBrowser(api: TestApi, userId: number): Promise<PageClient> {
  const sessions = api.app.get(SessionsService, { strict: false });
  const start = (tx: Tx): Promise<{ secret: string }> => sessions.create(tx, userId, '127.0.0.1', 'jest');
  const { secret } = await api.app.get(Transactions).run(start);
  const browser = new PageClient(api.url);
  browser.jar.set('_service_session', secret);
  return browser;
}
