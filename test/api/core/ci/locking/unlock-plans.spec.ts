import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import pg from 'pg';
import { PLANNER_COSTS } from '#kernel/database/planner-costs.js';
import type { Transactions } from '#kernel/database/transactions.js';
import type { JobContext } from '#kernel/queue/job-processor.js';
import { UnlockPipelinesProcessor } from '#core/ci/locking/unlock-pipelines.processor.js';
import { createTestDatabase, type TestDatabase } from '../../../../support/database.js';
import { RowsRead } from '../../../../support/rows-read.js';

const ADD = `insert into ci_pipelines (project_id, iid, ref, sha, source, status, locked)
  select n % 1000, n, 'main', repeat('a', 40), 'push', 'success', $1 from generate_series($2::int, $3::int) n`;

describe('locked pipelines of many projects', () => {
  let database: TestDatabase;
  let client: pg.Client;

  beforeAll(async () => {
    database = await createTestDatabase();
    client = new pg.Client({
      connectionString: database.url,
      options: `${PLANNER_COSTS} -c session_replication_role=replica`,
    });
    await client.connect();
    await client.query('alter table ci_pipelines set (autovacuum_enabled = false)');
    await client.query(ADD, [false, 1, 20_000]);
    await client.query('analyze ci_pipelines');
    await client.query(ADD, [true, 20_001, 22_000]);
  });
  afterAll(async () => {
    await client.end();
    await database.drop();
  });

  it('are not read to unlock those of one branch, though none was locked when they were analyzed', async () => {
    const read = new RowsRead(client, 'ci_pipelines');
    const transactions = { run: (work: (tx: unknown) => unknown) => work(read) } as unknown as Transactions;
    const context = { signal: new AbortController().signal } as JobContext;
    await new UnlockPipelinesProcessor(transactions).process(
      { projectId: 500, ref: 'main', tag: false },
      context,
    );
    const { rows } = await client.query('select 1 from ci_pipelines where locked');
    expect(rows).toHaveLength(1_998);
    expect(read.count).toBeLessThan(50);
  });
});
