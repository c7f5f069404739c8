import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import pg from 'pg';
import { PLANNER_COSTS } from '#kernel/database/planner-costs.js';
import { Claims } from '#kernel/queue/outbox/claims.js';
import { leasedSql } from '#kernel/queue/outbox/leased.sql.js';
import type { QueuePool } from '#kernel/queue/outbox/queue-pool.js';
import { QueueOptions } from '#kernel/queue/queue-options.js';
import { createTestDatabase, type TestDatabase } from '../../../support/database.js';
import { RowsRead } from '../../../support/rows-read.js';

const MANY = 20_000;

const ADD = `insert into background_jobs (queue, name, payload, state, run_at, run_token, lease_until)
  select 'q' || n % 20, 'n', '{}', $1, now() - interval '1 minute', case when $1 <> 'pending' then gen_random_uuid() end,
    case when $1 <> 'pending' then now() + interval '1 minute' end from generate_series(1, $2::int) n`;

/** The states in which an idle table may be analyzed: what arrives is running or handed over at once. */
describe.each(['running', 'handed'] as const)(
  'many jobs in a table that was analyzed with a few %s ones',
  (state) => {
    let database: TestDatabase;
    let client: pg.Client;
    let read: RowsRead;

    beforeAll(async () => {
      database = await createTestDatabase();
      client = new pg.Client({ connectionString: database.url, options: PLANNER_COSTS });
      await client.connect();
      await client.query('alter table background_jobs set (autovacuum_enabled = false)');
      await client.query(ADD, [state, 20]);
      await client.query('analyze background_jobs');
      await client.query(ADD, ['pending', MANY]);
    });
    beforeEach(() => {
      read = new RowsRead(client, 'background_jobs');
    });
    afterAll(async () => {
      await client.end();
      await database.drop();
    });

    it('are not read where only running jobs are wanted', async () => {
      await read.query(`select from ${leasedSql('name, dedupe_key', 'running')} run where name = 'n'`, []);
      expect(read.count).toBeLessThanOrEqual(20);
    });

    it('are not read as a whole by a hand-over', async () => {
      const pool = { query: (_: unknown, text: string, values: unknown[]) => read.query(text, values) };
      await client.query('begin');
      await new Claims(pool as unknown as QueuePool, new QueueOptions()).handOver(['q1']);
      await client.query('rollback');
      // The oldest jobs, each read and then written, and the few that are under way.
      expect(read.count).toBeGreaterThan(500);
      expect(read.count).toBeLessThan(2_000);
    });
  },
);
