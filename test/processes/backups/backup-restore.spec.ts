import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createHash } from 'node:crypto';
import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import pg from 'pg';
import { digestOf } from '#kernel/database/copy/table-digest.js';
import { sequencesOf, tablesOf } from '#kernel/database/copy/tables.js';
import { BackupWorld } from '../../support/backup-world.js';
import { runCommand } from '../../support/cli.js';
import { RestoreTarget } from '../../support/restore-target.js';

let world: BackupWorld;
let target: string;
let name: string;

beforeAll(async () => {
  world = await BackupWorld.open();
  for (const other of ['Second', 'Third'])
    await world.product.client.post('/projects', { name: other, initialize_with_readme: true });
  for (const round of [0, 1, 2, 3]) await world.write(round);
  target = join(world.folder, 'backups');
  ({ name } = await world.create(target));
});
afterAll(() => world.close());

/** Files below a folder by their paths, without unfinished uploads. */
const filesBelow = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((path) => !path.includes('.tmp') && statSync(join(folder, path)).isFile())
    .sort();

/** Everything that a restore creates. */
async function stateOf({ env, folder }: RestoreTarget): Promise<unknown> {
  const client = new pg.Client({ connectionString: env['DATABASE_URL'] });
  await client.connect();
  try {
    const tables = [];
    for (const table of await tablesOf(client)) tables.push([table, await digestOf(client, table)]);
    const { rows: catalog } = await client.query(
      `select conname as name, pg_get_constraintdef(oid) as text, obj_description(oid) as comment from pg_constraint where connamespace = 'public'::regnamespace
        union all select tgname, tgenabled::text, null from pg_trigger where not tgisinternal
        union all select relname, null, null from pg_class where relnamespace = 'public'::regnamespace and relkind = 'r' order by 1, 2`,
    );
    const files = filesBelow(folder).map((path) => [
      path,
      createHash('sha256')
        .update(readFileSync(join(folder, path)))
        .digest('hex'),
    ]);
    return { tables, sequences: await sequencesOf(client), catalog, files };
  } finally {
    await client.end();
  }
}

/** The file in which PostgreSQL keeps a table: a new one whenever the table is loaded. */
const fileOf = async (place: RestoreTarget, table: string): Promise<number | undefined> =>
  (await place.sql<{ file: number }>('select pg_relation_filenode($1::regclass) as file', [table]))[0]?.file;

const inodesBelow = (folder: string): Record<string, number> =>
  Object.fromEntries(filesBelow(folder).map((path) => [path, statSync(join(folder, path)).ino]));

describe('a restore that is killed', () => {
  let place: RestoreTarget;
  let whole: RestoreTarget;
  beforeAll(async () => {
    place = await RestoreTarget.open(world, 'killed');
    whole = await RestoreTarget.open(world, 'whole');
  });
  afterAll(async () => {
    await place.close();
    await whole.close();
  });

  it('continues where it stopped, at any point, and no service starts before', async () => {
    const command = `npm run cli -- backup restore --target ${target} --name ${name}`;
    const sentence = `The restore of backup ${name} into this database is not complete. Run "${command}": it continues where it stopped.\n`;
    await place.killedAt('2 query INSERT INTO "schema_migrations"', target);
    expect(await place.steps()).toEqual(['begun']);
    expect(await place.refusedStart()).toBe(sentence);

    await place.killedAt('1 query copy "issues"', target);
    const tables = await place.steps();
    expect(tables.length).toBeGreaterThan(20);
    expect(tables).not.toContain('table issues');
    const first = tables.find((step) => step.startsWith('table '))?.slice('table '.length) as string;
    const file = await fileOf(place, first);

    await place.killedAt('9 query add constraint', target);
    const keys = await place.steps();
    expect(keys).toEqual(expect.arrayContaining([...tables, 'table issues']));
    expect(keys.filter((step) => step.startsWith('foreign key '))).toHaveLength(8);

    await place.killedAt('2 rename \\.new$', target);
    const storage = join(place.folder, 'repositories/default');
    const repositories = await place.steps();
    expect(repositories.filter((step) => step.startsWith('repository '))).toHaveLength(1);
    // The second one is complete, and has not got its name.
    const all = Object.entries(inodesBelow(storage)).filter(([path]) => path.endsWith('.pack'));
    const packs = all.filter(([path]) => !path.includes('.new/'));
    expect([all.length, packs.length]).toEqual([2, 1]);

    await place.killedAt('3 rename /objects/\\.tmp/', target);
    const objects = inodesBelow(join(place.folder, 'objects'));
    expect(Object.keys(objects)).toHaveLength(2);
    expect(await place.refusedStart({ MIGRATE_ON_START: 'false' })).toBe(sentence);

    await place.killedAt('1 query drop table', target);
    expect(await place.refusedStart()).toBe(sentence);
    expect(await place.restore(target)).toMatchObject({
      name,
      tables_copied: 0,
      repositories: 3,
      repositories_copied: 0,
      objects: 4,
      objects_copied: 0,
    });
    // No work was done twice.
    expect(await fileOf(place, first)).toBe(file);
    expect(inodesBelow(join(place.folder, 'objects'))).toMatchObject(objects);
    expect(inodesBelow(storage)).toMatchObject(Object.fromEntries(packs));
    expect(await whole.restore(target)).toMatchObject({
      tables_copied: expect.any(Number),
      repositories_copied: 3,
      objects_copied: 4,
    });
    expect(await stateOf(place)).toEqual(await stateOf(whole));
    const member = await place.start();
    expect(await world.shown(member)).toEqual(await world.shown(world.product));
  });

  it('is not repeated once it is complete, nor under a running service', async () => {
    expect(await place.refusal(['--target', target])).toContain('The database is not empty');
    await place.loseTables();
    expect(await place.refusal(['--target', target])).toMatch(
      /^Processes of the product use this database \(forgeplane/,
    );
  });
});

describe('an incomplete restore', () => {
  let place: RestoreTarget;
  beforeAll(async () => {
    place = await RestoreTarget.open(world, 'half');
    await place.killedAt('1 query copy "issues"', target);
  });
  afterAll(() => place.close());

  it('continues only with its own backup, even if there is a newer one', async () => {
    const copied = join(world.folder, 'copied');
    cpSync(target, copied, { recursive: true });
    const newer = await world.create(copied);
    expect(await place.refusal(['--target', copied, '--name', newer.name])).toMatch(
      `The restore of backup ${name} is not complete, and was begun with another backup: ${name}, not ${newer.name}. To restore another one, empty`,
    );
    const manifest = join(copied, name, 'manifest.json');
    const { manifest: text, ...rest } = JSON.parse(readFileSync(manifest, 'utf8')) as { manifest: string };
    const changed = JSON.stringify({ ...(JSON.parse(text) as object), release: '0.9.9' });
    writeFileSync(manifest, JSON.stringify({ ...rest, manifest: changed }));
    expect(await place.refusal(['--target', copied])).toContain('begun with another digest of its manifest');
    rmSync(join(copied, name), { recursive: true });
    expect(await place.refusal(['--target', copied])).toContain(`${copied} does not hold that backup`);
  });

  it('continues only in its own folders and stores', async () => {
    const other = join(world.folder, 'elsewhere');
    for (const [env, what] of [
      [
        { REPOSITORY_STORAGES: `default=${other}` },
        `another folder of the storage default: ${place.folder}/repositories/default, not ${other}`,
      ],
      [
        { OBJECT_STORE_URL: `file://${other}` },
        `another object store: ${place.folder}/objects, not file://${other}`,
      ],
    ] as const)
      expect(await place.refusal(['--target', target], env)).toContain(what);
    const stranger = join(place.folder, 'repositories/default/stranger');
    mkdirSync(stranger, { recursive: true });
    expect(await place.refusal(['--target', target])).toContain('is not empty');
    rmSync(stranger, { recursive: true });
  });

  it('makes all other commands fail', async () => {
    for (const args of [
      ['backup', 'create', '--target', join(world.folder, 'none')],
      ['migrate'],
      ['token', 'create', '--user', 'root'],
      ['secrets', 'reseal'],
      ['secrets', 'accept-loss'],
    ]) {
      const run = await place.cli(args);
      expect([run.code, run.stderr]).toEqual([1, expect.stringContaining('is not complete. Run')]);
    }
    expect((await place.cli(['doctor'])).json()).toMatchObject({
      checks: expect.arrayContaining([
        { check: 'what was restored is complete', problem: expect.stringContaining('is not complete. Run') },
      ]),
    });
    expect(
      await place.refusal(['--target', target, '--project', world.project.path_with_namespace]),
    ).toContain('is not complete. Run');
  });

  it('is continued by one process at a time, by the command that it names', async () => {
    const held = new pg.Client({ connectionString: place.env['DATABASE_URL'] });
    await held.connect();
    await held.query('select pg_advisory_lock(746274022)');
    expect(await place.refusal(['--target', target])).toBe('Another process is copying into this database');
    await held.end();
    const [, args = ''] = /Run "npm run cli -- (.*)"/.exec(await place.refusedStart()) ?? [];
    const run = await runCommand(args.split(' '), place.env);
    expect([run.code, run.stderr]).toEqual([
      0,
      expect.stringMatching(/^tables: \d+\nforeign keys: \d+\nrepositories: 3\nobjects: 4\n$/),
    ]);
    const [, tables, now] = /^Restored \S+: (\d+) tables \((\d+) now\)/.exec(run.stdout) ?? [];
    expect([Number(now) > 0, Number(now) < Number(tables)]).toEqual([true, true]);
    // The jobs of an old backup have waited for long.
    await place.sql(
      `insert into background_jobs (queue, name, payload, run_at) values ('q', 'Late', '{}', now() - interval '1 day')`,
    );
    await place.expectWhole();
  });
});

describe('a restore that fails', () => {
  let place: RestoreTarget;
  beforeAll(async () => {
    place = await RestoreTarget.open(world, 'failing');
  });
  afterAll(() => place.close());

  it('continues when the missing data is available again', async () => {
    const again = 'The restore is not complete: the same command continues where it stopped.';
    const packs = join(target, name, 'repositories');
    renameSync(packs, `${packs}.away`);
    expect(await place.refusal(['--target', target])).toMatch(
      new RegExp(`^${name}/repositories/\\d+\\.pack\\.gz is missing\\. ${again}$`),
    );
    renameSync(`${packs}.away`, packs);

    const storage = join(place.folder, 'repositories/default');
    renameSync(storage, `${storage}.away`);
    expect(await place.refusal(['--target', target])).toContain(
      `${storage} is not the storage default that the restore was begun on`,
    );
    renameSync(`${storage}.away`, storage);

    // No objects can be written: a file has the name of their folder.
    const store = join(place.folder, 'objects');
    rmSync(store, { recursive: true, force: true });
    writeFileSync(store, '');
    expect(await place.refusal(['--target', target])).toContain(again);
    rmSync(store);

    // The content of this one ends before the damage.
    const [object = ''] = filesBelow(join(target, name)).filter((path) => path.startsWith('objects/'));
    const damaged = join(target, name, object);
    const original = readFileSync(damaged);
    writeFileSync(damaged, Buffer.concat([original, Buffer.alloc(1_000_000)]));
    expect(await place.refusal(['--target', target])).toContain(
      `${name}/${object} is damaged: its digest is another one`,
    );
    expect(existsSync(join(place.folder, object.replace(/\.gz$/, '')))).toBe(false);
    writeFileSync(damaged, original);

    const stranger = join(store, 'stranger');
    mkdirSync(dirname(stranger), { recursive: true });
    writeFileSync(stranger, '');
    expect(await place.refusal(['--target', target])).toContain('The object store holds stranger');
    rmSync(stranger);

    expect(await place.restore(target)).toMatchObject({ tables_copied: 0, repositories_copied: 0 });
    expect(await place.steps()).toEqual([]);
    await place.expectWhole();
  });
});
