import { afterAll, beforeAll, expect, it, jest } from '@jest/globals';
import { Transactions } from '#kernel/database/transactions.js';
import { ObjectClaims } from '#kernel/object-storage/claims/object-claims.js';
import { RemoveObjectsProcessor } from '#kernel/object-storage/claims/remove-objects.processor.js';
import { ObjectStorage } from '#kernel/object-storage/object-storage.js';
import type { JobContext } from '#kernel/queue/job-processor.js';
import { startApi, type TestApi } from '../../../support/api.js';
import { until } from '../../../support/until.js';

const context = { signal: new AbortController().signal } as unknown as JobContext;

let api: TestApi;
beforeAll(async () => {
  api = await startApi();
});
afterAll(() => api.close());

it('no transaction is held while a store that does not respond removes objects', async () => {
  const storage = api.app.get(ObjectStorage, { strict: false });
  const key = 'artifacts/slow';
  await storage.put(key, Buffer.from('slow'));
  await api.sql('insert into object_claims (object_key, due_at) values ($1, now())', [key]);
  const remove = storage.deleteMany.bind(storage);
  let go = (): void => undefined;
  const responds = new Promise<void>((resolve) => (go = resolve));
  let isAsked = false;
  const slow = jest.spyOn(storage, 'deleteMany').mockImplementation(async (keys) => {
    isAsked = true;
    await responds;
    return remove(keys);
  });
  const processing = api.app.get(RemoveObjectsProcessor, { strict: false }).process({}, context);
  try {
    await until(() => isAsked);
    // It would be ended after a minute, and the claims would never be removed.
    const waiting = `select query from pg_stat_activity where datname = current_database() and state = 'idle in transaction'`;
    await until(async () => (await api.sql(waiting)).length === 0, 1_000);
    const kept = api.app.get(Transactions).run((tx) => api.app.get(ObjectClaims).keep(tx, key));
    await expect(kept).rejects.toMatchObject({ status: 503 });
  } finally {
    go();
    await processing;
    slow.mockRestore();
  }
  expect(await api.sql('select 1 from object_claims where object_key = $1', [key])).toEqual([]);
  await expect(storage.head(key)).rejects.toThrow(/does not exist/);
});
