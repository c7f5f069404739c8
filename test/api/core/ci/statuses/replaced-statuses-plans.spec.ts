import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import pg from 'pg';
import { PLANNER_COSTS } from '#kernel/database/planner-costs.js';
import type { Tx } from '#kernel/database/transactions.js';
import { PipelineJobs } from '#core/ci/processing/steps/pipeline-jobs.js';
import { createTestDatabase, type TestDatabase } from '../../../../support/database.js';
import { RowsRead } from '../../../../support/rows-read.js';

const ADD = `insert into ci_jobs (project_id, pipeline_id, kind, name, stage, stage_index, status, ref, retried)
  select 1, $1, 'status', 'test', 'external', 1000000, 'success', 'main', $2 from generate_series(1, $3::int)`;

describe('a pipeline with many replaced statuses', () => {
  let database: TestDatabase;
  let client: pg.Client;
  beforeAll(async () => {
    database = await createTestDatabase();
    const options = `${PLANNER_COSTS} -c session_replication_role=replica`;
    client = new pg.Client({ connectionString: database.url, options });
    await client.connect();
    await client.query('alter table ci_jobs set (autovacuum_enabled = false)');
  });
  afterAll(async () => {
    await client.end();
    await database.drop();
  });

  it.each(['never', 'before', 'after'] as const)(
    'has only its current ones read: analyzed %s',
    async (when) => {
      const id = { never: 1, before: 2, after: 3 }[when];
      if (when === 'before') {
        await client.query('delete from ci_jobs');
        for (let other = 1_000; other < 1_050; other += 1) await client.query(ADD, [other, false, 40]);
        await client.query('analyze ci_jobs');
      }
      await client.query(ADD, [id, true, 5_000]);
      await client.query(ADD, [id, false, 3]);
      if (when === 'after') await client.query('analyze ci_jobs');
      const read = new RowsRead(client, 'ci_jobs');
      await PipelineJobs.read(read as unknown as Tx, id);
      expect(read.count).toBeLessThan(20);
    },
  );
});
