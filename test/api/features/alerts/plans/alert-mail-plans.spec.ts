import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import pg from 'pg';
import { PLANNER_COSTS } from '#kernel/database/planner-costs.js';
import type { Transactions } from '#kernel/database/transactions.js';
import type { Jobs } from '#kernel/queue/jobs.js';
import type { RateLimiter } from '#kernel/rate-limit/rate-limiter.js';
import type { AlertReadersQueries } from '#features/alerts/mails/alert-readers.queries.js';
import { GatherAlertMailsProcessor } from '#features/alerts/mails/gather-alert-mails.processor.js';
import { createTestDatabase, type TestDatabase } from '../../../../support/database.js';
import { RowsRead } from '../../../../support/rows-read.js';

const MANY = 20_000;

describe('alerts of many projects that wait for mails', () => {
  let database: TestDatabase;
  let client: pg.Client;

  beforeAll(async () => {
    database = await createTestDatabase();
    client = new pg.Client({
      connectionString: database.url,
      options: `${PLANNER_COSTS} -c session_replication_role=replica`,
    });
    await client.connect();
    await client.query('alter table alert_notices set (autovacuum_enabled = false)');
    const add =
      'insert into alert_notices (alert_id, project_id) select n, $1 from generate_series($2::int, $3::int) n';
    await client.query(add, [1, 1, MANY]);
    await client.query('analyze alert_notices');
    await client.query('delete from alert_notices');
    await client.query(add, [2, 1, MANY]);
    await client.query(add, [1, MANY + 1, MANY + 10]);
  });
  afterAll(async () => {
    await client.end();
    await database.drop();
  });

  it('are not read for the mail of one whose flood was analyzed', async () => {
    const read = new RowsRead(client, 'alert_notices');
    const gather = new GatherAlertMailsProcessor(
      { run: (work: (tx: unknown) => unknown) => work(read) } as unknown as Transactions,
      { of: () => Promise.resolve([]) } as unknown as AlertReadersQueries,
      { look: () => Promise.resolve({ allowed: true }) } as unknown as RateLimiter,
      {} as Jobs,
    );
    await gather.process({ projectId: 1 });
    expect(read.count).toBeGreaterThanOrEqual(10);
    expect(read.count).toBeLessThan(50);
  });
});
