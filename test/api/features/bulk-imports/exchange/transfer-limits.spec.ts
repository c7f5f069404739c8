import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { DataSource } from 'typeorm';
import type { SourceRecord } from '#core/exchange/source-record.js';
import { Transactions } from '#kernel/database/transactions.js';
import type { Entity } from '#features/bulk-imports/bulk-import.js';
import type { StepRun } from '#features/bulk-imports/engine/entity-step.js';
import { ChildrenStep } from '#features/bulk-imports/steps/members/children.step.js';
import { startApi, type TestApi } from '../../../../support/api.js';
import { buildProject } from '../../../../support/builders/project.js';
import { MemorySource } from '../../../../support/bulk-imports/memory-source.js';
import { untilBlocking, untilIdle } from '../../../../support/lock-waits.js';
import { handmadeTarget, importRecords } from '../../../../support/transfer-target.js';

let api: TestApi;
beforeAll(async () => {
  api = await startApi();
});
afterAll(() => api.close());

/**
 * Starts an import that finds room for one more, while another transaction takes that room under a lock;
 * returns why it was refused.
 */
async function refusalOf(lock: string, last: string, work: () => Promise<unknown>): Promise<string> {
  await untilIdle(api);
  const runner = api.app.get(DataSource).createQueryRunner();
  await runner.startTransaction();
  try {
    await runner.query(lock);
    await runner.query(last);
    let hasEnded = false;
    const outcome = work()
      .then(
        () => 'none',
        (error: unknown) => (error as Error).message,
      )
      .finally(() => {
        hasEnded = true;
      });
    await untilBlocking(api, runner, () => hasEnded);
    await runner.commitTransaction();
    return await outcome;
  } finally {
    if (runner.isTransactionActive) await runner.rollbackTransaction();
    await runner.release();
  }
}

const EACH = [
  {
    relation: 'freeze_periods',
    record: { freeze_start: '0 1 * * *', freeze_end: '0 2 * * *', cron_timezone: 'UTC' },
    add: `insert into freeze_periods (project_id, freeze_start, freeze_end, cron_timezone) select $1, '0 1 * * *', '0 2 * * *', 'UTC' from generate_series(1, $2) n`,
  },
  {
    relation: 'protected_tags',
    record: { name: 'imported', create_access_levels: [{ access_level: 40 }] },
    add: `insert into protected_refs (project_id, ref_type, name) select $1, 'tag', 'v' || n || '.' || $2 from generate_series(1, $2) n`,
  },
];

it.each(EACH)(
  '$relation of an import stay below their maximum beside others',
  async ({ relation, record, add }) => {
    const { id } = await buildProject(api.root);
    const fill = (count: number): string => add.replaceAll('$1', `${id}`).replaceAll('$2', `${count}`);
    await api.sql(fill(999));
    const bring = (one: SourceRecord): Promise<unknown> =>
      importRecords(api, handmadeTarget({ of: 'project', ownerId: id }), relation, [one]);
    const lock = `select 1 from projects where id = ${id} for no key update`;
    expect(await refusalOf(lock, fill(1), () => bring({ id: 1, ...record }))).toMatch(
      /^a project can have at most 1000/,
    );
  },
);

it('groups of an import that are read at once have no more children than allowed', async () => {
  const [{ importId } = { importId: 0 }] = await api.sql<{ importId: number }>(
    `insert into bulk_imports (user_id, source_url, source_version, status)
     values (1, 'https://old.example', '16.0.0', 'finished') returning id as "importId"`,
  );
  const [{ id } = { id: 0 }] = await api.sql<{ id: number }>(
    `insert into bulk_import_entities (bulk_import_id, source_type, source_full_path, destination_slug, destination_namespace, status)
     values ($1, 'group_entity', 'g', 'g', '', 'finished') returning id`,
    [importId],
  );
  const add = (from: number, to: number): string =>
    `insert into bulk_import_entities (bulk_import_id, source_type, source_full_path, destination_slug, destination_namespace, status)
     select ${importId}, 'project_entity', 'g/p' || n, 'p', '', 'finished' from generate_series(${from}, ${to}) n`;
  await api.sql(add(1, 49_998));
  const source = new MemorySource();
  source.lists.set('/groups/7/projects', [[{ path_with_namespace: 'g/last', path: 'last' }]]);
  const run = {
    entity: {
      id,
      importId,
      of: 'group',
      sourceId: 7,
      sourceFullPath: 'g',
      migrateProjects: true,
      migrateMemberships: true,
    } as Entity,
    source,
    turn: { assertTime: () => undefined },
    cursor: null,
    target: () => Promise.resolve(handmadeTarget({ of: 'group', ownerId: 1 })),
    commit: (work: Parameters<Transactions['run']>[0]) => api.app.get(Transactions).run(work),
    progress: () => Promise.resolve(),
    report: () => Promise.resolve(),
  } as unknown as StepRun;
  const children = api.app.get<ChildrenStep>(ChildrenStep, { strict: false });
  const lock = `select pg_advisory_xact_lock(hashtextextended('bulk import children ${importId}', 0))`;
  expect(await refusalOf(lock, add(49_999, 49_999), () => children.run(run, 'project'))).toBe(
    'An import has more than 50000 groups and projects',
  );
});
