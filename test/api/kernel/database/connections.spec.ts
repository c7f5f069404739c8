import { afterAll, beforeAll, expect, it } from '@jest/globals';
import pg from 'pg';
import { startApi, type TestApi } from '../../../support/api.js';
import { createUser } from '../../../support/builders/user.js';
import { until } from '../../../support/until.js';

// docs/operate.md, "Connections to PostgreSQL".
const SIZES = { DATABASE_POOL: '2', DATABASE_READ_POOL: '1', DATABASE_QUEUE_POOL: '1' };
const MOST: Readonly<Record<string, number>> = {
  forgeplane: 2 + 1,
  'forgeplane-read': 1 + 10,
  'forgeplane-queue': 1,
  'forgeplane-listen': 1,
};

const NOW = `select application_name as name, count(*)::int as open from pg_stat_activity
  where datname = current_database() and backend_type = 'client backend' and application_name <> 'test' group by 1`;

let api: TestApi;
let owner: pg.Client;
let watcher: pg.Client;
const seen = new Map<string, number>();
beforeAll(async () => {
  api = await startApi(SIZES);
  [owner, watcher] = [client(), client()];
  await Promise.all([owner.connect(), watcher.connect()]);
});
afterAll(async () => {
  await Promise.all([owner.end(), watcher.end()]);
  await api.close();
});

const client = (): pg.Client =>
  new pg.Client({ connectionString: api.databaseUrl, application_name: 'test' });

async function look(): Promise<void> {
  const { rows } = await watcher.query<{ name: string; open: number }>(NOW);
  for (const { name, open } of rows) seen.set(name, Math.max(open, seen.get(name) ?? 0));
}

it('a process opens no more connections than configured, whatever requests arrive', async () => {
  const { id } = (await api.root.post('/projects', { name: 'crowded' })).body as { id: number };
  const other = await createUser(api, { admin: true });
  await owner.query('begin');
  await owner.query('lock table labels in access exclusive mode');
  const asked = Array.from({ length: 20 }, (_, index) => [
    api.root.post(`/projects/${id}/labels`, { name: `held ${index}`, color: '#112233' }),
    api.root.get(`/projects/${id}/labels?page=${index + 1}`),
    // One caller does not have all connections.
    other.client.post(`/projects/${id}/milestones`, { title: `free ${index}` }),
    api.root.get(`/projects?search=crowded&page=${index + 1}`),
    api.root.get(`/users?search=root&page=${index + 1}`),
  ]).flat();
  // The writers that wait for the lock have opened a slot for one more connection.
  await until(async () => {
    await look();
    return seen.get('forgeplane') === MOST['forgeplane'];
  });
  await owner.query('commit');
  const load = { isOver: false };
  const answers = Promise.all(asked).finally(() => (load.isOver = true));
  while (!load.isOver) await look();
  expect((await answers).filter(({ status }) => status === 500)).toEqual([]);
  expect([...seen.keys()].sort()).toEqual(Object.keys(MOST).sort());
  for (const [name, open] of seen) expect([name, open <= (MOST[name] ?? 0)]).toEqual([name, true]);
});
