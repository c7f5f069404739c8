import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { BackupWorld } from '../../support/backup-world.js';
import { RestoreTarget } from '../../support/restore-target.js';
import { makeSmallDisk } from '../../support/small-disk.js';

let world: BackupWorld;
beforeAll(async () => {
  world = await BackupWorld.open();
});
afterAll(() => world.close());

it('a restore that runs out of disk space continues once there is space', async () => {
  const large = randomBytes(3_000_000).toString('base64');
  await world.work.commit({ 'large.txt': large });
  await world.push('main');
  await world.product.client.put(world.at('/packages/generic/large/1.0/large.bin'), large);
  const target = join(world.folder, 'backups');
  await world.create(target);
  const place = await RestoreTarget.open(world, 'small');
  const disk = makeSmallDisk(place.folder, process.pid);
  try {
    expect(await place.refusal(['--target', target])).toContain(
      'the same command continues where it stopped',
    );
    const steps = await place.steps();
    expect(steps).toContain('table issues');
    expect(steps.filter((step) => step.startsWith('repository '))).toEqual([]);
    disk.grow();
    expect(await place.restore(target)).toMatchObject({
      tables_copied: 0,
      repositories_copied: 1,
      objects_copied: 1,
    });
    const checked = await place.cli(['storage', 'check', '--fsck', '--grace', '0']);
    expect(checked.json()).toMatchObject({ ok: true });
  } finally {
    disk.grow();
    await place.close();
    disk.remove();
  }
});
