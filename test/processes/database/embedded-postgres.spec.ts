import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  readlinkSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { DataSource } from 'typeorm';
import {
  startEmbeddedPostgres,
  type EmbeddedPostgres,
} from '#kernel/database/embedded/start-embedded-postgres.js';
import { startOwnDatabase } from '#kernel/database/embedded/start-own-database.js';
import { loadConfig } from '#kernel/config/load-config.js';
import { installedPrograms } from '#kernel/database/embedded/binaries.js';
import { PACKAGES } from '#kernel/database/embedded/upgrade/former-programs.js';
import { spawnOwner, type Owner } from '../../support/embedded-owner.js';
import { runWithFewDescriptors } from '../../support/few-descriptors.js';
import { until } from '../../support/until.js';

let root: string;
const running: EmbeddedPostgres[] = [];
const owners: Owner[] = [];

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'fp-embedded-'));
  chmodSync(root, 0o755);
});

afterEach(async () => {
  for (const owner of owners.splice(0)) owner.kill();
  for (const server of running.splice(0)) await server.stop();
  rmSync(root, { recursive: true, force: true });
});

async function start(dataDir: string): Promise<EmbeddedPostgres> {
  const server = await startEmbeddedPostgres({ dataDir });
  running.push(server);
  return server;
}

async function query(url: string, sql: string): Promise<unknown> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    const { rows } = await client.query<Record<string, unknown>>({ text: sql });
    return Object.values(rows[0] ?? {})[0];
  } finally {
    await client.end();
  }
}

const postmaster = (dataDir: string): number =>
  Number(readFileSync(join(dataDir, 'postgres/postmaster.pid'), 'utf8').split('\n')[0]);

const alive = (pid: number): boolean =>
  existsSync(`/proc/${pid}`) && !/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'));

describe('the embedded PostgreSQL', () => {
  it('has a version that later releases can upgrade', () => {
    const { version } = installedPrograms();
    expect(PACKAGES.get(Number.parseInt(version, 10))).toBe(version);
  });

  it('starts in an empty folder, listens on no port, and keeps data after a restart', async () => {
    const first = await start(root);
    expect(await query(first.url, 'show listen_addresses')).toBe('');
    expect(await query(first.url, 'show fsync')).toBe('on');
    await query(first.url, 'create table kept as select 42 as n');
    await first.stop();
    await first.stop();
    expect(existsSync(join(root, 'postgres/postmaster.pid'))).toBe(false);
    const second = await start(root);
    expect(await query(second.url, 'select n from kept')).toBe(42);
  });

  it('uses more memory at its next start once the data has grown', async () => {
    const first = await start(root);
    expect(await query(first.url, 'show shared_buffers')).toBe('12MB');
    await first.stop();
    // A sparse file with the number of a table, in a database that does not exist.
    mkdirSync(join(root, 'postgres/base/99998'));
    const filler = join(root, 'postgres/base/99998/99999');
    writeFileSync(filler, '');
    truncateSync(filler, 400 * 1024 * 1024);
    const second = await start(root);
    expect(await query(second.url, 'show shared_buffers')).toMatch(/^2[5-9]MB$/);
  });

  it('has a URL that TypeORM accepts, and the extensions of the product', async () => {
    const { url } = await start(root);
    const source = await new DataSource({ type: 'postgres', url }).initialize();
    for (const name of ['pg_trgm', 'citext', 'btree_gist', 'pgcrypto'])
      await source.query(`create extension ${name}`);
    expect(
      await source.query("select current_database() as name, similarity('abc', 'abd') > 0 as near"),
    ).toEqual([{ name: 'forgeplane', near: true }]);
    await source.destroy();
  });

  it('accepts the connections that a process opens at most', async () => {
    const config = loadConfig({ DATA_DIR: root, DATABASE_POOL: '60' });
    const server = await startOwnDatabase(config);
    running.push(server);
    const clients = Array.from({ length: 108 }, () => new pg.Client({ connectionString: server.url }));
    const results = await Promise.allSettled(clients.map((client) => client.connect()));
    expect(results.filter(({ status }) => status === 'rejected')).toEqual([]);
    await Promise.all(clients.map((client) => client.end()));
  });

  it('refuses a folder that a running process owns, stops when that process is killed, and is then taken over immediately', async () => {
    const owner = await spawnOwner(root);
    owners.push(owner);
    await query(owner.url, 'create table kept as select 1 as n');
    await expect(startEmbeddedPostgres({ dataDir: root })).rejects.toThrow(
      `is in use by another running Forgeplane process (pid ${owner.pid})`,
    );
    const left = postmaster(root);
    process.kill(left, 'SIGSTOP');
    owner.kill();
    await sleep(200);
    expect(alive(left)).toBe(true);
    process.kill(left, 'SIGCONT');
    const server = await start(root);
    expect(alive(left)).toBe(false);
    expect(await query(server.url, 'select n from kept')).toBe(1);
  });

  it('ignores the postmaster.pid of a machine that lost power', async () => {
    const first = await start(root);
    const pid = postmaster(root);
    const text = readFileSync(join(root, 'postgres/postmaster.pid'), 'utf8');
    await first.stop();
    for (const stale of [text, text.replace(String(pid), String(process.pid)), '1\n', '']) {
      writeFileSync(join(root, 'postgres/postmaster.pid'), stale);
      const server = await startEmbeddedPostgres({ dataDir: root });
      expect(await query(server.url, 'select 1')).toBe(1);
      await server.stop();
    }
  });

  it('restarts by itself under the same URL if the server dies', async () => {
    const server = await start(root);
    await query(server.url, 'create table kept as select 7 as n');
    process.kill(postmaster(root), 'SIGKILL');
    let found: unknown;
    for (let attempt = 0; attempt < 100 && found === undefined; attempt += 1) {
      await sleep(50);
      found = await query(server.url, 'select n from kept').catch(() => undefined);
    }
    expect(found).toBe(7);
  });

  it('restarts once it can, however long the server cannot start', async () => {
    const server = await start(root);
    const settings = join(root, 'postgres/postgresql.auto.conf');
    writeFileSync(settings, 'no_such_setting = 1\n');
    process.kill(postmaster(root), 'SIGKILL');
    await sleep(8_000);
    writeFileSync(settings, '');
    let found: unknown;
    for (let attempt = 0; attempt < 200 && found === undefined; attempt += 1) {
      await sleep(50);
      found = await query(server.url, 'select 1').catch(() => undefined);
    }
    expect(found).toBe(1);
  });

  /** Programs that run in a folder below this one. */
  const programsIn = (folder: string): string[] =>
    readdirSync('/proc').filter((pid) => {
      try {
        return readlinkSync(`/proc/${pid}/cwd`).startsWith(folder);
      } catch {
        return false;
      }
    });

  it.each(['exits', 'is killed'])(
    'can be created again at once after its owner %s while it is created',
    async (end) => {
      const dataDir = join(root, 'data');
      const begun = `
      const { startEmbeddedPostgres } = await import(process.argv[1]);
      process.on('SIGTERM', () => process.exit());
      await startEmbeddedPostgres({ dataDir: process.argv[2] });`;
      const library = resolve('dist/src/kernel/database/embedded/start-embedded-postgres.js');
      const owner = spawn(process.execPath, ['--input-type=module', '--eval', begun, library, dataDir]);
      // At this point initdb has begun to fill it.
      await until(() => readdirSync(dataDir).some((name) => existsSync(join(dataDir, name, 'base/1'))));
      owner.kill(end === 'exits' ? 'SIGTERM' : 'SIGKILL');
      await once(owner, 'exit');
      if (end === 'exits') await until(() => programsIn(root).length === 0, 500);
      const { url } = await start(dataDir);
      expect(await query(url, 'select 1')).toBe(1);
      expect(readdirSync(dataDir).filter((name) => name.startsWith('postgres.new-'))).toEqual([]);
    },
  );

  it('restarts once its owner has free descriptors again', async () => {
    const output = await runWithFewDescriptors(
      `
      const { startEmbeddedPostgres } = await load('kernel/database/embedded/start-embedded-postgres');
      const { readPidFile } = await load('kernel/database/embedded/leftovers');
      const sleep = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
      const [dataDir] = process.argv.slice(1);
      const pid = () => readPidFile(dataDir + '/postgres')?.pid;
      const warnings = [];
      const server = await startEmbeddedPostgres({ dataDir, warn: (line) => warnings.push(line) });
      const first = pid();
      takeAll();
      process.kill(first, 'SIGKILL');
      while (warnings.length < 3) await sleep(20);
      giveBack();
      while ([first, undefined].includes(pid())) await sleep(20);
      await server.stop();
      process.stdout.write(warnings.slice(1).join('\\n'));`,
      join(root, 'data'),
    );
    expect(output).toMatch(/cannot be started again: .*EMFILE/);
  });

  it('works below a long path and in a parent folder that is closed to other users', async () => {
    const parent = join(root, 'closed');
    mkdirSync(parent, { mode: 0o700 });
    const dataDir = join(parent, 'x'.repeat(100), 'y'.repeat(100));
    const server = await start(dataDir);
    expect(await query(server.url, 'select 1')).toBe(1);
    expect(existsSync(join(dataDir, 'postgres/PG_VERSION'))).toBe(true);
    await expect(startEmbeddedPostgres({ dataDir })).rejects.toThrow('is in use');
  });

  it('runs under its own user id if started by root, can read nothing else, and takes over files of `nobody`', async () => {
    if (process.getuid?.() !== 0) return;
    const folder = join(root, 'postgres');
    chmodSync(root, 0o700);
    writeFileSync(join(root, 'secrets.key'), 'secret', { mode: 0o644 });
    await (await start(root)).stop();
    const { uid } = statSync(folder);
    expect(uid).toBeGreaterThan(60_000);
    expect(uid).toBeLessThan(61_200);
    for (const name of ['', ...readdirSync(folder, { recursive: true, encoding: 'utf8' })])
      chownSync(join(folder, name), 65534, 65534);
    const server = await start(root);
    expect(statSync(folder).uid).toBe(uid);
    expect(statSync(join(folder, 'base')).uid).toBe(uid);
    expect(/^Uid:\s+(\d+)/m.exec(readFileSync(`/proc/${postmaster(root)}/status`, 'utf8'))?.[1]).toBe(
      String(uid),
    );
    await expect(query(server.url, `select pg_read_file('${root}/secrets.key')`)).rejects.toThrow(
      'Permission denied',
    );
    await expect(query(server.url, `select pg_read_file('../secrets.key')`)).rejects.toThrow();
  });

  it('reports the PostgreSQL version of a folder that it cannot open, and what to do', async () => {
    await (await start(root)).stop();
    for (const [version, problem] of [
      [
        '15',
        /made by PostgreSQL 15, but this release uses PostgreSQL \d+: .*`npm run cli -- database upgrade`/,
      ],
      ['99', /made by PostgreSQL 99, but this release uses the older PostgreSQL \d+, .*newer release/],
      ['none', /is not a PostgreSQL folder/],
    ] as const) {
      writeFileSync(join(root, 'postgres/PG_VERSION'), `${version}\n`);
      await expect(startEmbeddedPostgres({ dataDir: root })).rejects.toThrow(problem);
    }
    expect(execFileSync('ls', [root], { encoding: 'utf8' })).not.toContain('embedded.lock');
  });
});
