import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { BackupWorld } from '../../support/backup-world.js';
import { RestorePlace } from '../../support/restore-place.js';

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
  const other = await RestorePlace.open(world, 'other');
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

it('a database that is not of the product is not backed up', async () => {
  const target = join(world.folder, 'empty');
  const other = await RestorePlace.open(world, 'none');
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
