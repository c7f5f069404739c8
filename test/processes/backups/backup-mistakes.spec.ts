import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { existsSync, mkdirSync, readdirSync, renameSync, rmdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { BackupWorld } from '../../support/backup-world.js';
import { RestoreTarget } from '../../support/restore-target.js';

let world: BackupWorld;
beforeAll(async () => {
  world = await BackupWorld.open();
});
afterAll(() => world.close());

const listed = async (target: string): Promise<string[]> => {
  const run = await world.cli(['backup', 'list', '--target', target]);
  return (run.json() as { name: string }[]).map(({ name }) => name);
};

it('a backup of another installation neither removes backups of this one nor counts as one', async () => {
  const target = join(world.folder, 'shared');
  const first = await world.create(target, {}, '--keep', '1');
  const other = await RestoreTarget.open(world, 'other');
  try {
    // As from cron, without the variables of the service.
    expect((await other.cli(['migrate'])).code).toBe(0);
    const foreign = await world.create(target, other.env, '--keep', '1');
    expect(foreign.removed).toEqual([]);
    expect(foreign.warnings).toEqual([expect.stringContaining(`${first.name} is of another installation`)]);

    const second = await world.create(target, {}, '--keep', '1');
    expect(second).toMatchObject({ repositories_changed: 0, removed: [first.name] });
    expect(await listed(target)).toEqual([foreign.name, second.name]);
  } finally {
    await other.close();
  }
});

it('a folder whose disk is not mounted is not taken for a target without backups', async () => {
  const target = join(world.folder, 'disk');
  const unmounted = join(world.folder, 'unmounted');
  const refused = async (...more: string[]): Promise<void> => {
    const run = await world.cli(['backup', 'create', '--target', target, '--keep', '1', ...more]);
    expect(run).toMatchObject({ code: 1, stdout: '' });
    expect(JSON.parse(run.stderr)).toEqual({
      error: expect.stringMatching(/^\S+disk holds none of the backups .*: mount its disk.* --new-target/),
    });
  };
  const first = await world.create(target);
  renameSync(target, unmounted);
  await refused();
  expect(existsSync(target)).toBe(false);
  mkdirSync(target);
  await refused('--full');
  expect(readdirSync(target)).toEqual([]);

  rmdirSync(target);
  renameSync(unmounted, target);
  const other = join(world.folder, 'link');
  symlinkSync(target, other);
  const second = await world.create(other, {}, '--keep', '1');
  expect(second).toMatchObject({ repositories_changed: 0, removed: [first.name] });
  const third = await world.create(target, {}, '--keep', '1');
  expect(third).toMatchObject({ repositories_changed: 0, removed: [second.name] });

  renameSync(target, unmounted);
  const afresh = await world.create(target, {}, '--new-target');
  expect(afresh).toMatchObject({ repositories_changed: 1, warnings: [] });
  expect(await world.create(target)).toMatchObject({ repositories_changed: 0 });
});

it('a new release makes a backup before the schema is upgraded to it', async () => {
  await world.installation.sql('alter table backup_runs drop column target');
  const { name } = await world.create(join(world.folder, 'before-upgrade'));
  const rows = await world.installation.sql('select name, finished_at from backup_runs where name = $1', [
    name,
  ]);
  expect(rows).toEqual([{ name, finished_at: expect.any(Date) }]);
  await world.installation.sql('alter table backup_runs add column target text');
});

it('a database that is not of the product is not backed up', async () => {
  const target = join(world.folder, 'empty');
  const other = await RestoreTarget.open(world, 'none');
  try {
    const run = await other.cli(['backup', 'create', '--target', target]);
    expect(run).toMatchObject({ code: 1, stdout: '' });
    expect(JSON.parse(run.stderr)).toEqual({ error: expect.stringContaining('holds no Forgeplane') });
    expect(await listed(target)).toEqual([]);
  } finally {
    await other.close();
  }
});

it.each(['ftp://backup.example/forge', 'http://backup.example', 'S3:/bucket', 's3://', 's3:///prefix'])(
  'the target %s is refused',
  async (target) => {
    const before = readdirSync('.');
    for (const command of ['create', 'list', 'restore']) {
      const run = await world.cli(['backup', command, '--target', target]);
      expect(run).toMatchObject({ code: 1, stdout: '' });
      expect(JSON.parse(run.stderr)).toEqual({
        error: expect.stringContaining('must be a folder, or s3://bucket/prefix'),
      });
    }
    expect(readdirSync('.')).toEqual(before);
  },
);

it('a repository with commits of old programs, which git accepts in no push, is restored', async () => {
  const target = join(world.folder, 'old-programs');
  const storage = join(world.folder, 'data/repositories/default');
  const found = readdirSync(storage, { recursive: true }).map(String);
  const repository = join(storage, found.find((one) => one.endsWith('.git')) as string);
  const tree = await world.work.git('rev-parse', 'HEAD^{tree}');
  const people = ['author', 'committer'].map((who) => `${who} A <a@b.c> 1700000000 +051800`);
  const sha = await world.work.pipe(
    ['hash-object', '-t', 'commit', '-w', '--stdin', '--literally'],
    `tree ${tree}\n${people.join('\n')}\n\nOld\n`,
  );
  // As a migration creates it, whose fetch tolerates such times.
  await world.work.git('push', '--quiet', repository, `${sha}:refs/heads/old`);
  await world.create(target);
  await world.restored(target, 'with-old', {}, async ({ client }) => {
    const { body } = await client.get<{ commit: { id: string } }>(world.at('/repository/branches/old'));
    expect(body.commit.id).toBe(sha);
  });
});
