import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { execFileSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { BackupWorld } from '../../support/backup-world.js';
import { runCli } from '../../support/cli.js';
import { until } from '../../support/until.js';

let world: BackupWorld;
let storage: string;
beforeAll(async () => {
  world = await BackupWorld.open();
  await world.write(0);
  storage = join(world.folder, 'data/repositories/default');
});
afterAll(() => world.close());

interface Listed {
  readonly name: string;
  readonly release?: string;
  readonly problem?: string;
}

const PASSPHRASE = { BACKUP_PASSPHRASE: 'correct horse battery staple' };

it('the list shows the other backups if one cannot be read, and says why', async () => {
  const target = join(world.folder, 'listed');
  const whole = await world.create(target);
  const { name } = await world.create(target);
  const file = join(target, name, 'manifest.json');
  const list = async (): Promise<[number | null, Listed[]]> => {
    const run = await world.cli(['backup', 'list', '--target', target]);
    return [run.code, run.json() as Listed[]];
  };
  const sealed = readFileSync(file, 'utf8');
  writeFileSync(file, sealed.slice(0, -10));
  const first = { name: whole.name, release: expect.any(String) };
  expect(await list()).toMatchObject([1, [first, { name, problem: expect.stringContaining('is damaged') }]]);
  writeFileSync(file, sealed);
  const encrypted = await world.create(target, PASSPHRASE);
  const locked = { name: encrypted.name, problem: expect.stringContaining('give its passphrase') };
  expect(await list()).toMatchObject([1, [first, { name }, locked]]);
});

it('what an interrupted backup says it has copied is used only if it can be', async () => {
  const target = join(world.folder, 'interrupted');
  const { name } = await world.create(target);
  const { manifest } = JSON.parse(readFileSync(join(target, name, 'manifest.json'), 'utf8')) as {
    manifest: string;
  };
  const { objects, repositories } = JSON.parse(manifest) as {
    objects: { key: string; file: object }[];
    repositories: { packs: object[] }[];
  };
  const outside = <T extends object>(file: T): T => ({ ...file, key: '../../escaped' });
  const folder = join(target, '29990101T000000000Z-abcdef', 'progress');
  mkdirSync(folder, { recursive: true });
  for (const progress of [
    'null',
    '{',
    '{}',
    JSON.stringify({ isFull: false, repositories: [{}], objects: [null] }),
    JSON.stringify({
      isFull: false,
      repositories: repositories.map((one) => ({ ...one, packs: one.packs.map(outside) })),
      objects: objects.map((one) => ({ ...one, file: outside(one.file) })),
    }),
  ]) {
    writeFileSync(join(folder, '1.json'), JSON.stringify({ salt: null, mac: null, manifest: progress }));
    const made = await world.create(target);
    const verified = await world.cli(['backup', 'verify', '--target', target, '--name', made.name]);
    expect(verified.json()).toMatchObject({ name: made.name, problems: [] });
  }
});

/** Arguments of the restore of the project alone. */
const restoring = (target: string): string[] => [
  ...['backup', 'restore', '--target', target],
  ...['--project', world.project.path_with_namespace],
];

it('a repository is not restored onto a disk that is not its storage', async () => {
  const target = join(world.folder, 'unmounted');
  await world.create(target);
  // As if the disk were not mounted: what is written below would be hidden once it is.
  renameSync(storage, `${storage}.away`);
  mkdirSync(storage);
  try {
    const run = await world.cli(restoring(target));
    expect([run.code, run.stderr]).toEqual([
      1,
      expect.stringContaining(`${storage} is not the storage default`),
    ]);
    expect(readdirSync(storage)).toEqual([]);
  } finally {
    rmSync(storage, { recursive: true, force: true });
    renameSync(`${storage}.away`, storage);
  }
});

it('a repository is not restored while it is moved', async () => {
  const target = join(world.folder, 'moving');
  await world.create(target);
  const readOnly = (is: boolean): Promise<unknown> =>
    world.installation.sql(
      `update projects set repository_read_only = ${String(is)} where id = ${world.project.id}`,
    );
  await readOnly(true);
  const refused = await world.cli(restoring(target));
  expect([refused.code, refused.stderr]).toEqual([1, expect.stringContaining('is being moved')]);
  await readOnly(false);

  // A restore whose git waits, until a move has begun and another restore was tried.
  const gate = join(world.folder, 'gate');
  const bin = join(world.folder, 'bin');
  const git = execFileSync('which', ['git'], { encoding: 'utf8' }).trim();
  const wait = `case " $* " in *" index-pack "*) while [ ! -e '${gate}' ]; do sleep 0.05; done;; esac`;
  mkdirSync(bin);
  writeFileSync(join(bin, 'git'), `#!/bin/sh\n${wait}\nexec '${git}' "$@"\n`, { mode: 0o755 });
  const PATH = `${bin}:${process.env['PATH'] ?? ''}`;
  const running = runCli([...restoring(target), '--json'], { ...world.env, PATH });
  const fresh = (): string[] =>
    readdirSync(storage, { recursive: true, encoding: 'utf8' }).filter((one) => one.endsWith('.new'));
  try {
    await until(() => fresh().length === 1);
    const another = await world.cli(restoring(target));
    expect([another.code, another.stderr]).toEqual([1, expect.stringContaining('is being restored already')]);
    expect(fresh()).toHaveLength(1);
    await readOnly(true);
  } finally {
    writeFileSync(gate, '');
  }
  const moved = await running;
  expect([moved.code, moved.stderr]).toEqual([1, expect.stringContaining('is being moved')]);
  expect(fresh()).toEqual([]);
  await readOnly(false);
  expect((await world.cli(restoring(target))).code).toBe(0);
});
