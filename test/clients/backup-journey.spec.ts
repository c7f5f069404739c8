import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { join } from 'node:path';
import { BackupWorld } from '../support/backup-world.js';

// Once through; everything that may go wrong is in test/processes/backups.
let world: BackupWorld;

beforeAll(async () => {
  world = await BackupWorld.open();
});
afterAll(() => world.close());

it('a backup is created, listed, verified and restored, and the service serves all of it', async () => {
  const target = join(world.folder, 'backups');
  await world.write(0);
  const { name, ...rest } = await world.create(target);
  expect(rest).toMatchObject({ repositories_changed: 1, findings: [] });
  const listed = await world.cli(['backup', 'list', '--target', target]);
  expect(listed.json()).toEqual([expect.objectContaining({ name })]);
  const verified = await world.cli(['backup', 'verify', '--target', target]);
  expect(verified.json()).toMatchObject({ name, problems: [] });
  const expected = await world.shown(world.product);
  const head = await world.work.git('rev-parse', 'HEAD');
  await world.restored(target, 'restored', {}, async (member) => {
    expect(await world.shown(member)).toEqual(expected);
    expect(await world.work.git('ls-remote', world.urlOf(member), 'refs/heads/main')).toContain(head);
  });
});
