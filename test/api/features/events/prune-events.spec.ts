import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Transactions, type Tx } from '#kernel/database/transactions.js';
import type { JobContext } from '#kernel/queue/job-processor.js';
import { PruneEventsProcessor } from '#features/events/prune-events.processor.js';
import type { TestApi } from '../../../support/api.js';
import { buildProject } from '../../../support/builders/project.js';
import { borrowApi } from '../../../support/shared-api.js';

const CONTEXT = { signal: new AbortController().signal } as JobContext;

describe('the removal of old events', () => {
  let api: TestApi;

  beforeAll(async () => {
    api = await borrowApi();
  });
  afterAll(() => api.close());

  const scans = async (): Promise<number> => {
    const [row] = await api.sql<{ scans: number }>(
      `select seq_scan::int as scans from pg_stat_user_tables where relname = 'events'`,
    );
    return row?.scans ?? 0;
  };

  /** PostgreSQL counts the scans of a transaction at its end instead of some seconds later. */
  const counted = (): Transactions => {
    const transactions = api.app.get(Transactions);
    const run = <T>(work: (tx: Tx) => Promise<T>): Promise<T> =>
      transactions.run(async (tx) => {
        const result = await work(tx);
        await tx.query('select pg_stat_force_next_flush()');
        return result;
      });
    return { run } as Transactions;
  };

  it('never reads all events, although statistics promise old ones that are gone', async () => {
    const { id } = await buildProject(api.root);
    const insert = (count: number, age: string): Promise<unknown> =>
      api.sql(
        `insert into events (project_id, author_id, kind, created_at)
         select $1::bigint, 1, 21, now() - $2::interval from generate_series(1, $3::int)`,
        [id, age, count],
      );
    await insert(40_000, '4 years');
    await insert(200, '1 hour');
    await api.sql('analyze events');
    const processor = new PruneEventsProcessor(counted());
    const before = await scans();
    await processor.process({}, CONTEXT);
    expect((await scans()) - before).toBe(0);
    const [left] = await api.sql<{ n: number; old: number }>(
      `select count(*)::int as n, count(*) filter (where created_at < now() - interval '3 years')::int as old
       from events where project_id = $1`,
      [id],
    );
    expect(left).toEqual({ n: 201, old: 0 });
  });
});
