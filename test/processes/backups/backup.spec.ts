import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { BackupWorld } from '../../support/backup-world.js';
import { createEmptyDatabase } from '../../support/database.js';
import { until } from '../../support/until.js';

let world: BackupWorld;

beforeAll(async () => {
  world = await BackupWorld.open();
});
afterAll(() => world.close());

it('a backup is created by a worker if the last one is old enough, and reported in the metrics', async () => {
  const tick = (): Promise<unknown> =>
    world.installation.sql(
      `insert into background_jobs (queue, name, payload) values ('backups', 'backups.create', '{}')`,
    );
  const names = async (): Promise<unknown[]> =>
    (await world.cli(['backup', 'list', '--target', join(world.folder, 'scheduled')])).json() as unknown[];
  await tick();
  await until(async () => (await world.installation.jobs()) === 0);
  expect(await names()).toHaveLength(1);
  const metrics = await (await fetch(`${world.product.url}/-/metrics`)).text();
  expect(metrics).toMatch(/^backup_last_finished_timestamp_seconds \d{10}/m);
  expect(metrics).toMatch(/^backup_last_size_bytes [1-9]\d+$/m);
  expect(metrics).toMatch(/^backup_interval_seconds 86400$/m);
  await tick();
  await until(async () => (await world.installation.jobs()) === 0);
  expect(await names()).toHaveLength(1);
  await world.installation.sql(`update backup_runs set started_at = started_at - interval '24 hours'`);
  await tick();
  await until(async () => (await names()).length === 2);
  // By a clock that was ahead.
  await world.installation.sql(`update backup_runs set started_at = started_at + interval '1 year'`);
  await tick();
  await until(async () => (await names()).length === 3);
});

describe('a backup', () => {
  let target: string;
  beforeAll(() => {
    target = join(world.folder, 'backups');
  });

  it('contains everything that existed when it started, whatever is written meanwhile', async () => {
    for (let round = 0; round < 3; round += 1) await world.write(round);
    const before = JSON.stringify(await world.shown(world.product));
    const made = new AbortController();
    const busy = (async (): Promise<number> => {
      let round = 3;
      for (; !made.signal.aborted; round += 1) {
        await world.write(round);
        await world.work.commit({ [`f${round}.txt`]: String(round) });
        await world.push('main');
      }
      return round;
    })();
    const { name, ...rest } = await world.create(target);
    made.abort();
    expect(await busy).toBeGreaterThan(3);
    expect(rest).toMatchObject({ repositories_changed: 1, findings: [] });
    const verified = await world.cli(['backup', 'verify', '--target', target]);
    expect(verified.json()).toMatchObject({ name, problems: [] });
    await world.restored(target, 'restored', {}, async (member) => {
      const after = JSON.stringify(await world.shown(member));
      for (const round of [0, 1, 2])
        for (const text of [
          `Issue ${round}`,
          `Note ${round}`,
          `secret-${round}`,
          `review/${round}`,
          `branch-${round}`,
        ])
          expect([text, after.includes(text)]).toEqual([text, true]);
      expect(before.includes('secret-0')).toBe(true);
      const file = await member.client.get(world.at('/packages/generic/p/1.0/f1.bin'));
      expect([file.status, file.text]).toEqual([200, 'content 1']);
      await world.work.git('fetch', '--quiet', world.urlOf(member), 'main');
      // The service is like any other: new rows get new ids.
      expect((await member.client.post(world.at('/issues'), { title: 'After' })).status).toBe(201);
    });
  });

  it('copies only new data, and is complete when restored', async () => {
    const still = await world.create(target);
    expect(still).toMatchObject({ repositories_changed: 1, findings: [] });
    // Jobs of the last writes may still create refs.
    await until(async () => {
      const next = await world.create(target);
      return next.repositories_changed === 0 && next.objects_copied === 0;
    });
    await world.write(1_000);
    await world.work.commit({ 'late.txt': 'late' });
    await world.push('main');
    await world.work.git('push', '--quiet', world.urlOf(world.product), ':branch-0');
    const last = await world.create(target, {}, '--keep', '2');
    expect(last).toMatchObject({ repositories_changed: 1, objects_copied: 1 });
    const names = (await world.cli(['backup', 'list', '--target', target])).json() as { name: string }[];
    expect(names.map(({ name }) => name).at(-1)).toBe(last.name);
    expect(names).toHaveLength(2);
    expect((await world.cli(['backup', 'verify', '--target', target])).json()).toMatchObject({
      problems: [],
    });
    const expected = await world.shown(world.product);
    const head = await world.work.git('rev-parse', 'HEAD');
    await world.restored(target, 'restored-again', {}, async (member) => {
      expect(await world.shown(member)).toEqual(expected);
      expect(await world.work.git('ls-remote', world.urlOf(member), 'refs/heads/main')).toContain(head);
    });
  });

  it('that is killed is incomplete, and is cleaned up by a backup two days later', async () => {
    const before = (await world.cli(['backup', 'list', '--target', target])).stdout;
    const names = readdirSync(target);
    const begun = (): string => String(readdirSync(target).find((name) => !names.includes(name)));
    // A folder without a file is no backup, not even an unfinished one.
    const isBegun = (): boolean => readdirSync(join(target, begun(), 'database')).length > 0;
    const child = spawn(process.execPath, ['dist/app/cli.js', 'backup', 'create', '--target', target], {
      env: { PATH: process.env['PATH'], ...world.env },
      stdio: 'ignore',
    });
    const ended = once(child, 'close');
    await until(isBegun);
    child.kill('SIGKILL');
    await ended;
    expect((await world.cli(['backup', 'list', '--target', target])).stdout).toBe(before);
    const left = readdirSync(target).find((name) => !names.includes(name)) as string;
    renameSync(join(target, left), join(target, `20200101T000000000Z-${left.slice(-6)}`));
    await world.create(target);
    expect(readdirSync(target).filter((name) => name.startsWith('2020'))).toEqual([]);
  });

  describe('that is interrupted', () => {
    const packages = 200;
    beforeAll(async () => {
      await world.work.commit({ 'cut.txt': 'cut' });
      await world.push('main');
      for (let at = 0; at < packages; at += 1)
        await world.product.client.put(world.at(`/packages/generic/cut/1.0/f${at}.bin`), `cut ${at}`);
    });

    it.each([['killed'], ['failing']])('is continued by the next one: %s', async (how) => {
      const target = join(world.folder, `cut-${how}`);
      await world.create(target);
      const names = readdirSync(target);
      await world.work.commit({ 'cut.txt': how });
      await world.push('main');
      for (let at = 0; at < packages; at += 1)
        await world.product.client.put(world.at(`/packages/generic/cut/1.0/${how}${at}.bin`), how);
      const child = spawn(process.execPath, ['dist/app/cli.js', 'backup', 'create', '--target', target], {
        env: { PATH: process.env['PATH'], ...world.env },
        stdio: 'ignore',
      });
      const ended = once(child, 'close');
      const isBegun = (): string | undefined => readdirSync(target).find((name) => !names.includes(name));
      await until(() => isBegun() !== undefined);
      const begun = join(target, isBegun() as string);
      // Objects come after the repositories: none can be written, because a file has the name of their folder.
      if (how === 'failing') writeFileSync(join(begun, 'objects'), '');
      else {
        await until(() => existsSync(join(begun, 'objects')));
        child.kill('SIGKILL');
      }
      expect(await ended).not.toEqual([0, null]);
      expect(existsSync(join(begun, 'manifest.json'))).toBe(false);
      if (how === 'failing') rmSync(join(begun, 'objects'), { force: true });
      const { name, ...next } = await world.create(target);
      expect(next).toMatchObject({ repositories_changed: 0, objects_copied: packages, findings: [] });
      const verified = await world.cli(['backup', 'verify', '--target', target]);
      expect(verified.json()).toMatchObject({ name, problems: [] });
      const head = await world.work.git('rev-parse', 'HEAD');
      await world.restored(target, `restored-${how}`, {}, async (member) => {
        expect(await world.work.git('ls-remote', world.urlOf(member), 'refs/heads/main')).toContain(head);
      });
      // Its copied files are used by the next backup, and not by a full one.
      expect(await world.create(target, {}, '--full')).toMatchObject({ repositories_changed: 1 });
    });
  });

  it('restores a single repository', async () => {
    const branch = world.at('/repository/branches/branch-1');
    const before = await world.product.client.get<{ commit: { id: string } }>(branch);
    expect((await world.product.client.delete(branch)).status).toBe(204);
    const args = ['backup', 'restore', '--target', target, '--project', world.project.path_with_namespace];
    expect((await world.cli(args)).code).toBe(0);
    const again = await world.product.client.get<{ commit: { id: string } }>(branch);
    expect([again.status, again.body.commit.id]).toEqual([200, before.body.commit.id]);
    // That the former repository was set aside is what was asked for.
    const checked = await world.cli(['storage', 'check']);
    expect([checked.code, checked.json()]).toMatchObject([
      0,
      { problems: [{ path: expect.stringMatching(/^\+set-aside\//), isNote: true }] },
    ]);
    expect((await world.cli(['backup', 'restore', '--target', target, '--project', 'no/such'])).code).toBe(1);
  });

  it('is restored only into an empty database and empty folders, and only with its own key', async () => {
    const refused = async (env: Readonly<Record<string, string>>): Promise<string> => {
      const run = await world.cli(['backup', 'restore', '--target', target], env);
      expect(run.code).toBe(1);
      return run.stderr;
    };
    expect(await refused({})).toContain('The database is not empty');
    const other = await createEmptyDatabase();
    try {
      const env = { DATABASE_URL: other.url };
      expect(await refused(env)).toContain('is not empty');
      const fresh = { ...env, DATA_DIR: join(world.folder, 'fresh') };
      for (const key of ['x'.repeat(40), ''])
        expect(await refused({ ...fresh, SECRETS_KEY: key })).toContain('SECRETS_KEY is not the one');
      // A key that nothing was sealed with would stand in the way of the right one.
      expect(existsSync(join(world.folder, 'fresh/secrets.key'))).toBe(false);
      expect(await refused({ ...fresh, REPOSITORY_STORAGES: `other=${world.folder}/other` })).toContain(
        'name it in REPOSITORY_STORAGES',
      );
    } finally {
      await other.drop();
    }
  });

  it('is created by one process at a time', async () => {
    const target = join(world.folder, 'twice');
    await world.installation.sql('select pg_advisory_lock(746274021)');
    try {
      const run = await world.cli(['backup', 'create', '--target', target]);
      expect([run.code, run.stderr]).toEqual([1, expect.stringContaining('Another backup is being made')]);
    } finally {
      await world.installation.sql('select pg_advisory_unlock_all()');
    }
    await world.create(target);
  });
});
