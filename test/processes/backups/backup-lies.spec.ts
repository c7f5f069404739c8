import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { cpSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { BackupWorld } from '../../support/backup-world.js';
import { runCommand } from '../../support/cli.js';
import { RestoreTarget } from '../../support/restore-target.js';

let world: BackupWorld;
let target: string;
let name: string;
let place: RestoreTarget;

beforeAll(async () => {
  world = await BackupWorld.open();
  await world.write(0);
  await world.write(1);
  target = join(world.folder, 'backups');
  ({ name } = await world.create(target));
  place = await RestoreTarget.open(world, 'deceived');
});
afterAll(async () => {
  await place.close();
  await world.close();
});

/** Expects that no restore was started. */
async function expectNothing(): Promise<void> {
  expect(await place.sql(`select 1 from pg_tables where schemaname = 'public'`)).toEqual([]);
  expect([existsSync(place.folder), existsSync(join(world.folder, 'escaped'))]).toEqual([false, false]);
}

interface LyingFile {
  key: string;
  size: number;
  sha256: string;
}

/** A manifest that can be changed. */
interface LyingManifest {
  format: number;
  name: string;
  migrations: string[];
  sequences: Record<string, string>;
  tables: { name: string; file: LyingFile }[];
  repositories: { head: string; refs: Record<string, string>; packs: LyingFile[] }[];
  objects: { key: string; file: LyingFile }[];
}

describe('a manipulated backup', () => {
  let lying: string;
  beforeAll(() => {
    lying = join(world.folder, 'lying');
    cpSync(target, lying, { recursive: true });
  });

  function lie(change: (manifest: LyingManifest) => unknown): void {
    const sealed = JSON.parse(readFileSync(join(target, name, 'manifest.json'), 'utf8')) as {
      manifest: string;
    };
    const manifest = JSON.parse(sealed.manifest) as LyingManifest;
    change(manifest);
    const text = JSON.stringify({ ...sealed, manifest: JSON.stringify(manifest) });
    writeFileSync(join(lying, name, 'manifest.json'), text);
  }

  const first = <T>(list: T[]): T => list[0] as T;

  it.each<[string, string, (manifest: LyingManifest) => unknown]>([
    ['an object outside the store', 'is damaged', (one) => (first(one.objects).key = '../../../escaped')],
    ['an object twice', 'is damaged', ({ objects }) => objects.push(first(objects))],
    ['a file outside the target', 'is damaged', (one) => (first(one.tables).file.key = '../secret')],
    ['a size that is none', 'is damaged', (one) => (first(one.objects).file.size = -1)],
    ['a digest that is none', 'is damaged', (one) => (first(one.objects).file.sha256 = '')],
    ['an option as a branch', 'is damaged', (one) => (first(one.repositories).head = '--delete')],
    ['a line more in HEAD', 'is damaged', (one) => (first(one.repositories).head = 'refs/heads/a\nb')],
    [
      'a command to git in a ref',
      'is damaged',
      (one) => (first(one.repositories).refs['refs/heads/a\0delete refs/heads/main\0'] = 'a'.repeat(40)),
    ],
    ['a table twice', 'is damaged', ({ tables }) => tables.push(first(tables))],
    ['statements as a sequence', 'is damaged', (one) => (one.sequences['users_id_seq'] = '1); drop table x')],
    ['another backup', 'it holds the manifest of 2020', (one) => (one.name = '2020')],
    ['another format', 'whose backups this one cannot read', (one) => (one.format = 2)],
    ['another schema', 'restore it with that later one (Unknown1)', (one) => one.migrations.push('Unknown1')],
  ])('is refused before anything is changed: %s', async (_what, message, change) => {
    lie(change);
    expect(await place.refusal(['--target', lying])).toContain(message);
    await expectNothing();
  });

  it('with wrong sizes and digests is detected when its files are read', async () => {
    lie(({ tables, objects, repositories }) => {
      first(tables).file.size -= 1;
      first(objects).file.size += 1;
      first(first(repositories).packs).sha256 = 'a'.repeat(64);
    });
    const run = await world.cli(['backup', 'verify', '--target', lying]);
    expect(run.code).toBe(1);
    const { problems } = run.json() as { problems: string[] };
    expect(problems.map((problem) => / is damaged: /.test(problem))).toEqual([true, true, true]);
  });

  it('without a readable manifest is named', async () => {
    for (const text of [
      '',
      'null',
      '{}',
      '{"salt":null,"mac":null,"manifest":"["}',
      '{"salt":1,"manifest":"{}"}',
    ]) {
      writeFileSync(join(lying, name, 'manifest.json'), text);
      expect(await place.refusal(['--target', lying])).toContain(`${name} is damaged: `);
    }
    expect(await place.refusal(['--target', lying, '--name', '../x'])).toBe('There is no backup ../x');
  });
});

it('a restore with a wrong or missing passphrase does not start', async () => {
  const sealed = join(world.folder, 'sealed');
  await world.create(sealed, { BACKUP_PASSPHRASE: 'correct horse battery staple' });
  const restore = ['--target', sealed];
  expect(await place.refusal(restore)).toContain('give its passphrase in BACKUP_PASSPHRASE');
  const other = { BACKUP_PASSPHRASE: 'another passphrase' };
  expect(await place.refusal(restore, other)).toContain('the passphrase is another one');
  await expectNothing();
});

it('looking for backups in an empty place creates nothing there', async () => {
  const nowhere = join(world.folder, 'nowhere');
  for (const command of ['restore', 'verify']) {
    const run = await world.cli(['backup', command, '--target', nowhere]);
    expect([run.code, run.stderr]).toEqual([1, expect.stringContaining(`${nowhere} holds no backup`)]);
  }
  expect((await world.cli(['backup', 'list', '--target', nowhere])).json()).toEqual([]);
  expect(existsSync(nowhere)).toBe(false);
});

it('the progress is shown as a bar on a terminal, and as a line in a log', async () => {
  const verified = async (isTTY: boolean): Promise<string> => {
    const before = Object.getOwnPropertyDescriptor(process.stderr, 'isTTY');
    Object.defineProperty(process.stderr, 'isTTY', { value: isTTY, configurable: true });
    try {
      return (await runCommand(['backup', 'verify', '--target', target], world.env)).stderr;
    } finally {
      if (before) Object.defineProperty(process.stderr, 'isTTY', before);
      else Reflect.deleteProperty(process.stderr, 'isTTY');
    }
  };
  expect(await verified(true)).toMatch(/files .* 0\/\d+/);
  expect(await verified(false)).toMatch(/^files: \d\d+\n$/);
});
