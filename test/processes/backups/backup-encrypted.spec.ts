import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { BackupWorld } from '../../support/backup-world.js';
import { startS3, type TestS3 } from '../../support/s3-server.js';

const PASSPHRASE = 'correct horse battery staple';

let world: BackupWorld;
let s3: TestS3;

beforeAll(async () => {
  world = await BackupWorld.open();
  await world.write(0);
  await world.settle();
  s3 = await startS3();
});
afterAll(async () => {
  await world.close();
  await s3.close();
});

describe('an encrypted backup', () => {
  it('is complete if it cannot decrypt the previous one, and removes nothing', async () => {
    const changing = join(world.folder, 'changing');
    await world.create(changing);
    for (const passphrase of [PASSPHRASE, 'another passphrase'])
      expect(await world.create(changing, { BACKUP_PASSPHRASE: passphrase }, '--keep', '2')).toMatchObject({
        repositories_changed: 1,
        removed: [],
        warnings: [expect.stringContaining('everything is copied again')],
      });
    const again = await world.create(changing, { BACKUP_PASSPHRASE: 'another passphrase' });
    expect(again).toMatchObject({ repositories_changed: 0, warnings: [] });
    expect(readdirSync(changing).filter((name) => /^\d/.test(name))).toHaveLength(4);
    const open = await world.cli(['backup', 'create', '--target', changing]);
    expect([open.code, open.stderr]).toEqual([1, expect.stringContaining('give its passphrase')]);
  });

  it('reveals nothing without its passphrase, and detects every change', async () => {
    const target = join(world.folder, 'sealed');
    const env = { BACKUP_PASSPHRASE: PASSPHRASE };
    const { name } = await world.create(target, env);
    const files = readdirSync(target, { recursive: true, encoding: 'utf8' })
      .map((file) => join(target, file))
      .filter((file) => statSync(file).isFile());
    const issues = files.find((file) => file.endsWith('database/issues.copy.gz')) as string;
    const original = readFileSync(issues);
    // Neither the start of a gzip stream nor any of the rows.
    expect(original.subarray(0, 2).toString('hex')).not.toBe('1f8b');
    for (const [passphrase, message] of [
      [{}, 'give its passphrase'],
      [{ BACKUP_PASSPHRASE: 'another passphrase' }, 'the passphrase is another one'],
    ] as const) {
      const run = await world.cli(['backup', 'verify', '--target', target], passphrase);
      expect([run.code, run.stderr]).toEqual([1, expect.stringContaining(message)]);
    }
    for (const changed of [
      Buffer.concat([
        original.subarray(0, 20),
        Buffer.from([(original[20] ?? 0) ^ 1]),
        original.subarray(21),
      ]),
      original.subarray(0, original.length - 1),
      Buffer.alloc(0),
    ]) {
      writeFileSync(issues, changed);
      const run = await world.cli(['backup', 'verify', '--target', target], env);
      expect([run.code, run.json()]).toEqual([
        1,
        expect.objectContaining({ problems: [expect.stringContaining(name)] }),
      ]);
    }
    writeFileSync(issues, original);
    await world.restored(target, 'unsealed', env, async (member) => {
      expect(await world.shown(member)).toEqual(await world.shown(world.product));
    });
  });

  it('can be stored in a bucket and restored from there', async () => {
    const target = s3.url('forge/backups');
    const env = { BACKUP_PASSPHRASE: PASSPHRASE };
    const empty = await world.cli(['backup', 'verify', '--target', target], env);
    expect(empty.stderr).toContain('forge/backups');
    expect(empty.stderr).toContain(' holds no backup');
    expect(empty.stderr).not.toContain('S3RVER:');
    const { name } = await world.create(target, env);
    expect((await world.cli(['backup', 'list', '--target', target], env)).json()).toMatchObject([{ name }]);
    await world.restored(target, 'from-bucket', env, async (member) => {
      expect(await world.shown(member)).toEqual(await world.shown(world.product));
    });
  });
});
