import { afterAll, beforeAll, expect, it } from '@jest/globals';
import pg from 'pg';
import { join } from 'node:path';
import { runCli } from '../../support/cli.js';
import type { Member } from '../../support/installation.js';
import { MovingInstallation } from '../../support/moving-installation.js';
import { until } from '../../support/until.js';

const SECRETS_KEY = 'a key of the tests with 32 characters or more';

let moving: MovingInstallation;
let member: Member;
beforeAll(async () => {
  moving = await MovingInstallation.create();
  member = await moving.start('all', { DATA_DIR: join(moving.folder, 'data'), SECRETS_KEY });
  await moving.arrange(member);
});
afterAll(() => moving.close());

/** A table that a backup reads, and that no move needs. */
const TABLE = 'timelogs';

it('a backup has the repositories that are moved while it reads the tables', async () => {
  const projects = await moving.projects(member, 'moved', 2);
  const { databaseUrl } = moving.installation;
  const holder = new pg.Client({ connectionString: databaseUrl });
  await holder.connect();
  await holder.query(`begin; lock table ${TABLE} in access exclusive mode`);
  const storages = `default=${moving.folder}/a,second=${moving.folder}/b`;
  const running = runCli(['backup', 'create', '--target', join(moving.folder, 'backups'), '--json'], {
    DATABASE_URL: databaseUrl,
    DATA_DIR: join(moving.folder, 'data'),
    REPOSITORY_STORAGES: storages,
    SECRETS_KEY,
  });
  try {
    const waits = `select 1 from pg_locks where not granted and relation = '${TABLE}'::regclass`;
    await until(async () => (await holder.query(waits)).rowCount === 1);
    await moving.scheduleAll(member.client, projects);
    for (const { state } of await moving.ended(projects)) expect(state).toBe('finished');
  } finally {
    await holder.end();
  }
  const run = await running;
  // Code and wiki of each.
  expect([run.code, run.json()]).toMatchObject([0, { repositories: 4, findings: [] }]);
});
