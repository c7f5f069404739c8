import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { BackfillsRegistry, type Backfill } from '#kernel/backfills/backfills.registry.js';
import { startApi, type TestApi } from '../../support/api.js';
import { buildProject } from '../../support/builders/project.js';
import { until } from '../../support/until.js';

const LABELS = 25;
const NAME = 'labels.describe';

interface Progress {
  readonly done: number;
  readonly total: number | null;
  readonly error: string | null;
  readonly finished: boolean;
}

let api: TestApi;
let projectId: number;
let failing = true;

beforeAll(async () => {
  api = await startApi();
  ({ id: projectId } = await buildProject(api.root));
  await api.sql(
    `insert into labels (project_id, title, color) select $1, 'label ' || n, '#ff0000' from generate_series(1, ${LABELS}) n`,
    [projectId],
  );
});
afterAll(() => api.close());

/** Marks each label again; fails in its second batch while a test wants it to. */
const describeLabels: Backfill = {
  name: NAME,
  async total(tx) {
    const [row] = await tx.query<{ count: number }[]>('select count(*)::int as count from labels');
    return row?.count ?? 0;
  },
  async batch(tx, position) {
    const rows = await tx.query<{ id: number }[]>(
      'select id from labels where id > $1 order by id limit 10',
      [position ?? 0],
    );
    const ids = rows.map(({ id }) => id);
    if (ids.length === 0) return null;
    await tx.query(`update labels set description = coalesce(description, '') || 'x' where id = any($1)`, [
      ids,
    ]);
    if (position !== null && failing) throw new Error('the second batch fails');
    return { position: ids.at(-1) ?? 0, rows: ids.length };
  },
};

const run = (): Promise<unknown> =>
  api.sql(
    `insert into background_jobs (queue, name, payload) values ('maintenance', 'database.run-backfills', '{}')`,
  );

const progress = async (): Promise<Progress | undefined> =>
  (
    await api.sql<Progress>(
      `select done::int, total::int, error, finished_at is not null as finished from backfills where name = $1`,
      [NAME],
    )
  )[0];

const unfinished = async (): Promise<string | undefined> =>
  /^backfills_unfinished (\d+)$/m.exec(await (await fetch(`${api.url}/-/metrics`)).text())?.[1];

it('backfills continue after the last committed batch, and are counted until they finish', async () => {
  const registry = api.app.get(BackfillsRegistry);
  expect(await unfinished()).toBe('0');
  registry.register(describeLabels);
  expect(() => registry.register(describeLabels)).toThrow('registered twice');
  await registry.onApplicationBootstrap();
  expect(await unfinished()).toBe('1');
  await run();
  await until(async () => (await progress())?.error !== null);
  expect(await progress()).toEqual({
    done: 10,
    total: LABELS,
    error: 'the second batch fails',
    finished: false,
  });
  failing = false;
  await run();
  await until(async () => (await progress())?.finished === true);
  expect(await progress()).toEqual({ done: LABELS, total: LABELS, error: null, finished: true });
  const described = await api.sql('select distinct description from labels where project_id = $1', [
    projectId,
  ]);
  expect(described).toEqual([{ description: 'x' }]);
  expect(await unfinished()).toBe('0');
});

it('one that fails does not block those after it', async () => {
  const registry = api.app.get(BackfillsRegistry);
  const none = { total: () => Promise.resolve(0) };
  registry.register({
    ...none,
    name: 'labels.refuse',
    batch: () => Promise.reject(new Error('it fails')),
  });
  registry.register({ ...none, name: 'labels.pass', batch: () => Promise.resolve(null) });
  await registry.onApplicationBootstrap();
  await run();
  await until(async () => (await unfinished()) === '1');
});
