import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { cpSync, existsSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { BackupWorld, type CreatedBackup } from '../../support/backup-world.js';
import { runCli, type CliRun } from '../../support/cli.js';
import { until } from '../../support/until.js';

let world: BackupWorld;
beforeAll(async () => {
  world = await BackupWorld.open();
});
afterAll(() => world.close());

const listed = async (target: string): Promise<string[]> => {
  const run = await world.cli(['backup', 'list', '--target', target]);
  return (run.json() as { name: string }[]).map(({ name }) => name);
};

const verified = async (target: string): Promise<unknown> =>
  (await world.cli(['backup', 'verify', '--target', target])).json();

/** Does something to the folder of a backup as soon as it has begun. */
async function during(target: string, change: (folder: string) => Promise<void>): Promise<CliRun> {
  const names = readdirSync(target);
  const isBegun = (name: string): boolean => name.startsWith('2') && !names.includes(name);
  const running = world.cli(['backup', 'create', '--target', target, '--keep', '1']);
  try {
    await until(() => readdirSync(target).some(isBegun));
    await change(join(target, readdirSync(target).find(isBegun) as string));
  } finally {
    await running;
  }
  return running;
}

it('a backup whose target refuses a repository is not complete, and removes no other', async () => {
  const target = join(world.folder, 'refusing');
  const { name } = await world.create(target);
  await world.work.commit({ 'refused.txt': 'refused' });
  await world.push('main');
  const run = await during(target, (begun) => {
    // No file can be written below a file.
    writeFileSync(join(begun, 'repositories'), '');
    return Promise.resolve();
  });
  expect([run.code, run.stdout]).toEqual([1, '']);
  expect(await listed(target)).toEqual([name]);
  expect(await verified(target)).toMatchObject({ name, problems: [] });
});

it('a backup that has lost its database, and with it its lock, is not complete', async () => {
  const target = join(world.folder, 'lost');
  for (let at = 0; at < 100; at += 1)
    await world.product.client.put(world.at(`/packages/generic/lost/1.0/f${at}.bin`), `lost ${at}`);
  const { name } = await world.create(target, {}, '--full');
  for (let at = 0; at < 100; at += 1)
    await world.product.client.put(world.at(`/packages/generic/lost/1.0/g${at}.bin`), `lost ${at}`);
  const run = await during(target, async (begun) => {
    await until(() => existsSync(join(begun, 'objects')));
    const ended = await world.installation.sql(
      `select pg_terminate_backend(pid) from pg_locks where locktype = 'advisory' and objid = 746274021
         and database = (select oid from pg_database where datname = current_database())`,
    );
    expect(ended).toHaveLength(1);
  });
  expect([run.code, run.stdout]).toEqual([1, '']);
  expect(await listed(target)).toEqual([name]);
  expect(run.stderr).toContain('another backup may have begun');
  expect(await verified(target)).toMatchObject({ name, problems: [] });
});

it('a backup stays that has the last copy of a repository that is lost', async () => {
  const target = join(world.folder, 'last-copy');
  const { name } = await world.create(target);
  const storage = join(world.folder, 'data/repositories/default');
  const found = readdirSync(storage, { recursive: true }).map(String);
  const repository = join(storage, found.find((one) => one.endsWith('.git')) as string);
  renameSync(repository, `${repository}.away`);
  try {
    for (let round = 0; round < 2; round += 1) {
      const run = await world.cli(['backup', 'create', '--target', target, '--keep', '1']);
      const made = run.json() as CreatedBackup;
      expect(made.findings).toEqual([expect.stringContaining('project 1')]);
      expect(await listed(target)).toEqual([name, made.name]);
    }
  } finally {
    renameSync(`${repository}.away`, repository);
  }
  const whole = await world.create(target, {}, '--keep', '1');
  expect(await listed(target)).toEqual([whole.name]);
  expect(await verified(target)).toMatchObject({ problems: [] });
});

it('objects that the store has lost stay in backups, and the backups that have their last copies', async () => {
  const target = join(world.folder, 'last-object');
  const path = world.at('/packages/generic/precious/1.0/f.bin');
  expect((await world.product.client.put(path, 'precious')).status).toBe(201);
  const first = await world.create(target);
  const store = join(world.folder, 'data/objects');
  const create = async (code: number, ...more: string[]): Promise<CreatedBackup> => {
    const run = await world.cli(['backup', 'create', '--target', target, '--keep', '1', ...more]);
    expect(run.code).toBe(code);
    return run.json() as CreatedBackup;
  };
  const told = [
    expect.stringMatching(/^package_files: \d+ objects? missing from the object storage \(packages/),
  ];
  // As if its disk were not mounted.
  renameSync(store, `${store}.away`);
  try {
    const next = await create(0);
    expect(next).toMatchObject({ removed: [first.name], warnings: told, findings: [] });
    expect(await verified(target)).toMatchObject({ name: next.name, problems: [] });
    await world.restored(target, 'precious', {}, async (member) => {
      expect((await member.client.get(path)).text).toBe('precious');
    });
    // A full one copies everything again, and uses no copies of earlier ones.
    for (let round = 0; round < 2; round += 1) {
      const full = await create(1, '--full');
      expect(full).toMatchObject({ warnings: [], findings: told });
      expect(await listed(target)).toEqual([next.name, full.name]);
    }
  } finally {
    rmSync(store, { recursive: true, force: true });
    renameSync(`${store}.away`, store);
  }
  expect(await world.create(target, {}, '--keep', '1', '--full')).toMatchObject({
    findings: [],
    warnings: [],
  });
  expect(await listed(target)).toHaveLength(1);
});

it('objects that are damaged on their disk are not copied, and keep their copies of the backup before', async () => {
  const target = join(world.folder, 'damaged-object');
  const upload = async (name: string): Promise<{ path: string; file: string }> => {
    const path = world.at(`/packages/generic/damaged/1.0/${name}.bin`);
    expect((await world.product.client.put(path, `${name} content`)).status).toBe(201);
    const [row] = await world.installation.sql<{ key: string }>(
      'select object_key as key from package_files order by id desc limit 1',
    );
    return { path, file: join(world.folder, 'data/objects', row?.key ?? '') };
  };
  const known = await upload('known');
  const first = await world.create(target);
  const told = [
    expect.stringMatching(/^package_files: 1 object damaged in the object storage \(packages/) as unknown,
  ];
  writeFileSync(known.file, 'kno');
  const next = await world.create(target, {}, '--keep', '1');
  expect(next).toMatchObject({ removed: [first.name], warnings: told, findings: [] });
  await world.restored(target, 'damaged', {}, async ({ client }) => {
    expect((await client.get(known.path)).text).toBe('known content');
  });
  writeFileSync(known.file, 'known content');
  const fresh = await upload('fresh');
  writeFileSync(fresh.file, 'FRESH content');
  const run = await world.cli(['backup', 'create', '--target', target]);
  expect([run.code, run.json()]).toMatchObject([1, { objects_copied: 0, warnings: [], findings: told }]);
  writeFileSync(fresh.file, 'fresh content');
  expect(await world.create(target)).toMatchObject({ objects_copied: 1, warnings: [], findings: [] });
  expect(await verified(target)).toMatchObject({ problems: [] });
});

it('a backup stays that was made after one whose clock was ahead', async () => {
  const target = join(world.folder, 'ahead');
  const { name } = await world.create(target);
  const ahead = `2999${name.slice(4)}`;
  cpSync(join(target, name), join(target, ahead), { recursive: true });
  const file = join(target, ahead, 'manifest.json');
  writeFileSync(file, readFileSync(file, 'utf8').replaceAll(`name\\":\\"${name}`, `name\\":\\"${ahead}`));
  expect(await listed(target)).toEqual([name, ahead]);
  const made = await world.create(target, {}, '--keep', '1');
  expect(made.removed).toEqual([name]);
  expect(await listed(target)).toEqual([made.name, ahead]);
});

it('a repository stays as it is if the backup of it is damaged', async () => {
  const target = join(world.folder, 'damaged');
  const { name } = await world.create(target, {}, '--full');
  const folder = join(target, name, 'repositories');
  for (const file of readdirSync(folder)) writeFileSync(join(folder, file), 'damaged');
  const main = async (): Promise<[number, string | undefined]> => {
    const path = world.at('/repository/branches/main');
    const { status, body } = await world.product.client.get<{ commit?: { id: string } }>(path);
    return [status, body.commit?.id];
  };
  const before = await main();
  expect(before).toEqual([200, await world.work.git('rev-parse', 'HEAD')]);
  const { path_with_namespace: path } = world.project;
  const run = await world.cli(['backup', 'restore', '--target', target, '--project', path]);
  expect(run.code).toBe(1);
  expect(await main()).toEqual(before);
  expect(run.stderr).toMatch(/repositories\/\d+\.pack\.gz is damaged/);
  const found = readdirSync(join(world.folder, 'data/repositories'), { recursive: true }).map(String);
  expect(found.filter((one) => /\+set-aside\/.|\.new/.test(one))).toEqual([]);
});

it('a repository stays as it is if the backup has another one by its id', async () => {
  const target = join(world.folder, 'another');
  const { name } = await world.create(target);
  const { path_with_namespace: path, id } = world.project;
  const [repository] = await world.installation.sql<{ identity: string }>(
    `select identity from repositories where owner_type = 'Project' and owner_id = ${id} and kind = 'code'`,
  );
  const [{ mark } = { mark: '' }] = await world.installation.sql<{ mark: string }>(
    'select extract(epoch from created_at)::text as mark from application_settings',
  );
  const file = join(target, name, 'manifest.json');
  const manifest = readFileSync(file, 'utf8');
  // Of one restored to before the project was made, which another has then got the id of; of another installation.
  for (const [own, other] of [
    [repository?.identity ?? '', randomUUID()],
    [mark, '1.5'],
  ] as const) {
    writeFileSync(file, manifest.replaceAll(own, other));
    const run = await world.cli(['backup', 'restore', '--target', target, '--project', path]);
    expect([run.code, run.stderr]).toEqual([1, expect.stringContaining('is not that of')]);
  }
  const found = readdirSync(join(world.folder, 'data/repositories'), { recursive: true }).map(String);
  expect(found.filter((one) => /\+set-aside\/.|\.new/.test(one))).toEqual([]);
});

it('a repository that is restored is measured again', async () => {
  const commits = async (): Promise<number | undefined> => {
    const path = world.at('?statistics=true');
    const { body } = await world.product.client.get<{ statistics?: { commit_count: number } }>(path);
    return body.statistics?.commit_count;
  };
  const target = join(world.folder, 'measured');
  await world.create(target);
  const before = Number(await world.work.git('rev-list', '--count', 'HEAD'));
  await until(async () => (await commits()) === before);
  await world.work.commit({ 'measured.txt': 'measured' });
  await world.push('main');
  await until(async () => (await commits()) === before + 1);
  const { path_with_namespace: path } = world.project;
  const args = ['backup', 'restore', '--target', target, '--project', path, '--json'];
  const run = await runCli(args, world.env);
  // That the former one is set aside is what was asked for: nothing is logged between the output.
  expect([run.code, run.stderr, typeof run.json()]).toEqual([0, '', 'object']);
  await until(async () => (await commits()) === before, 60_000);
});

it('a process of git that cannot be started ends only the copy of its repository', async () => {
  const run = await runCli(['backup', 'create', '--target', join(world.folder, 'unstartable'), '--json'], {
    ...world.env,
    NODE_OPTIONS: `--import=${resolve('test/support/unstartable.mjs')}`,
    UNSTARTABLE: 'pack-objects',
  });
  expect([run.code, run.stderr]).toEqual([1, '']);
  expect(run.json()).toMatchObject({
    repositories: 0,
    findings: [expect.stringContaining('project 1: spawn')],
  });
});
