import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { verifyPassword } from '#kernel/crypto/passwords.js';
import { digestToken } from '#kernel/crypto/tokens.js';
import { runCli, runCommand, type CliRun } from '../support/cli.js';
import { freePort } from '../support/processes.js';
import { createEmptyDatabase, createTestDatabase, type TestDatabase } from '../support/database.js';

interface Doctor {
  ok: boolean;
  checks: { check: string; problem: string | null }[];
}

const problemsOf = (run: CliRun): Record<string, string> =>
  Object.fromEntries(
    (run.json() as Doctor).checks.flatMap(({ check, problem }) =>
      problem === null ? [] : [[check, problem]],
    ),
  );

let dataDir: string;
beforeAll(() => {
  dataDir = mkdtempSync(join(tmpdir(), 'forgeplane-cli-'));
});
afterAll(() => {
  rmSync(dataDir, { recursive: true, force: true });
});

describe('the command line on a configured database', () => {
  let database: TestDatabase;
  let client: pg.Client;
  let cli: (...args: string[]) => Promise<CliRun>;

  beforeAll(async () => {
    database = await createTestDatabase();
    client = new pg.Client({ connectionString: database.url });
    await client.connect();
    cli = (...args) => runCommand(args, { DATABASE_URL: database.url, DATA_DIR: dataDir });
  });
  afterAll(async () => {
    await client.end();
    await database.drop();
  });

  const one = async <Row extends object>(sql: string, ...values: unknown[]): Promise<Row | undefined> =>
    (await client.query<Row>(sql, values)).rows[0];

  it('prints the password of root once, on standard error', async () => {
    const args = ['user', 'create', '--username', 'ada', '--email', 'ada@example.com', '--json'];
    const run = await runCli(args, { DATABASE_URL: database.url, DATA_DIR: dataDir });
    expect(run).toMatchObject({
      code: 0,
      stderr: expect.stringMatching(/^Administrator: root, password: \S+\n$/),
    });
    const user = run.json() as { id: number; password: string };
    expect(user).toMatchObject({ username: 'ada', name: 'ada', email: 'ada@example.com', admin: false });
    const stored = await one<{ password_digest: string; admin: boolean }>(
      'select password_digest, admin from users where id = $1',
      user.id,
    );
    expect(await verifyPassword(stored?.password_digest ?? '', user.password)).toBe(true);
    expect(await one('select full_path from namespaces where owner_id = $1', user.id)).toEqual({
      full_path: 'ada',
    });
    const event = await one<{ details: object }>(
      `select details from audit_events where entity_type = 'User' and entity_id = $1`,
      user.id,
    );
    expect(event?.details).toMatchObject({ add: 'user', target_details: 'ada' });
  });

  it('creates an administrator with a given name and password, which it does not print', async () => {
    const names = ['--username', 'grace', '--email', 'grace@example.com', '--name', 'Grace H'];
    const run = await cli('user', 'create', ...names, '--password', 'correct horse battery', '--admin');
    expect(run).toMatchObject({ code: 0, stderr: '' });
    expect(run.stdout).toMatch(/^Created administrator grace \(id \d+\)\n$/);
    expect(await one(`select name, admin from users where username = 'grace'`)).toEqual({
      name: 'Grace H',
      admin: true,
    });
  });

  it('applies the rules for users', async () => {
    const taken = await cli('user', 'create', '--username', 'ADA', '--email', 'x@example.com');
    expect(taken).toMatchObject({ code: 1, stdout: '', stderr: 'Username has already been taken\n' });
    const wrong = await cli(
      'user',
      'create',
      '--username',
      'a b',
      '--email',
      'nobody',
      '--password',
      'x',
      '--json',
    );
    expect(wrong).toMatchObject({ code: 1, stdout: '' });
    const { error } = JSON.parse(wrong.stderr) as { error: string };
    expect(error).toMatch(/^email is invalid\nusername can .*\npassword is too short/);
    const blank = await cli('user', 'create', '--username', '', '--email', 'y@example.com');
    expect(blank).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/^name is empty\nusername is empty\n$/),
    });
  });

  it('creates tokens and prints nothing else', async () => {
    const run = await cli(
      'token',
      'create',
      '--user',
      'Ada',
      '--scopes',
      'read_api, read_user',
      '--expires-at',
      '2999-12-31',
    );
    expect(run).toMatchObject({ code: 0, stdout: expect.stringMatching(/^glpat-\S{20}\n$/), stderr: '' });
    const row = await one(
      'select name, scopes, expires_at::text from personal_access_tokens where digest = $1',
      digestToken(run.stdout.trim()),
    );
    expect(row).toEqual({
      name: 'command line',
      scopes: ['read_api', 'read_user'],
      expires_at: '2999-12-31',
    });
    const asJson = (await cli('--json', 'token', 'create', '--user', 'ada', '--name', 'ci')).json();
    expect(asJson).toMatchObject({
      user: 'ada',
      name: 'ci',
      scopes: ['api'],
      expires_at: null,
      token: expect.any(String),
    });
  });

  it('refuses tokens for unknown users and scopes beyond the user', async () => {
    const expired = await cli(
      'token',
      'create',
      '--user',
      'ada',
      '--expires-at',
      new Date().toISOString().slice(0, 10),
    );
    expect(expired).toMatchObject({ code: 1, stderr: '--expires-at must be a date in the future\n' });
    const nobody = await cli('token', 'create', '--user', 'nobody', '--json');
    expect(nobody).toMatchObject({ code: 1, stderr: '{"error":"There is no user nobody"}\n' });
    const sudo = await cli('token', 'create', '--user', 'ada', '--scopes', 'sudo');
    expect(sudo).toMatchObject({ code: 1, stderr: 'scopes can only contain sudo for an administrator\n' });
  });

  it('seeds data, and finds problems only after something was damaged', async () => {
    const seeded = await cli('seed', '--projects', '3', '--months', '2', '--json');
    expect(seeded.code).toBe(0);
    expect(seeded.json()).toMatchObject({ seeded: true, created: { users: 8, groups: 9, projects: 3 } });
    const well = await cli('doctor', '--json');
    expect([well.code, problemsOf(well)]).toEqual([0, {}]);

    await client.query('update internal_ids set live_count = live_count + 1');
    await client.query(`update users set state = 'blocked' where admin`);
    const ill = await cli('doctor', '--json');
    expect(ill.code).toBe(1);
    expect(problemsOf(ill)).toEqual({
      'counters agree with their rows': expect.stringMatching(/^(deployments of project \d+(, )?){3}$/),
      'the instance has an active administrator': 'no active administrator',
    });
    const shown = await cli('doctor');
    expect(shown.code).toBe(1);
    expect(shown.stdout).toMatch(
      /PROBLEM {2}the instance has an active administrator.*\n[^]*\n2 of \d+ checks found problems\.\n`doctor --mend` repairs what 1 of them found\.\n$/,
    );
    await client.query(`update users set state = 'active' where admin`);
    const mended = await cli('doctor', '--mend');
    expect([mended.code, mended.stdout]).toEqual([
      0,
      expect.stringMatching(
        /mended {3}counters agree with their rows: (deployments of project \d+(, )?){3}\n/,
      ),
    ]);
    expect((await cli('doctor')).code).toBe(0);
  });

  it('reports that jobs wait while the service runs, but not of a stopped one', async () => {
    await client.query(
      `insert into background_jobs (queue, name, payload, run_at) values ('q', 'Late', '{}', now() - interval '1 hour')`,
    );
    expect(problemsOf(await cli('doctor', '--json'))).toEqual({});
    // As an API process without a worker does.
    await client.query(`set application_name = 'forgeplane'`);
    expect(problemsOf(await cli('doctor', '--json'))).toEqual({
      'jobs flow': expect.stringMatching(/^Late has waited/),
    });
    await client.query('reset application_name');
    await client.query('delete from background_jobs');
  });

  it('does not change a user that it did not create', async () => {
    await client.query(`update users set email = 'real@example.com' where username = 'lena.brandt'`);
    const run = await cli('seed', '--projects', '4');
    expect(run.code).toBe(1);
    expect(run.stderr).toMatch(/already another user lena\.brandt/);
  });
});

it('migrate waits for a database that is not up yet, but not indefinitely', async () => {
  const port = await freePort();
  const run = await runCli(['migrate'], {
    DATABASE_URL: `postgres://a:b@127.0.0.1:${port}/a`,
    DATA_DIR: dataDir,
    START_TIMEOUT_SECONDS: '1',
  });
  expect([run.code, run.stdout]).toEqual([1, '']);
  expect(run.stderr).toMatch(/DATABASE_URL: PostgreSQL does not respond .* even after 1 s/);
});

describe('doctor', () => {
  it('reports pending migrations, and migrates nothing', async () => {
    const database = await createEmptyDatabase();
    const client = new pg.Client({ connectionString: database.url });
    await client.connect();
    try {
      const env = { DATABASE_URL: database.url, DATA_DIR: dataDir };
      const run = await runCli(['doctor', '--json'], env);
      expect(run.code).toBe(1);
      expect(problemsOf(run)).toEqual({
        'the schema is that of this release': expect.stringMatching(
          /^pending: FirstSchema\d+.* \(run migrate\)$/,
        ),
      });
      const tables = await client.query(`select 1 from pg_tables where schemaname = 'public'`);
      expect(tables.rowCount).toBe(0);

      const migrated = (await runCommand(['migrate', '--json'], env)).json() as {
        applied: string[];
        notes: string[];
      };
      expect(migrated.applied[0]).toMatch(/^FirstSchema/);
      expect(migrated.notes[0]).toMatch(/^Administrator: root, password: /);
      expect((await runCommand(['migrate'], env)).stdout).toBe('The schema is up to date.\n');
      expect((await runCommand(['doctor'], env)).code).toBe(0);

      await client.query(`insert into schema_migrations (timestamp, name) values (1, 'FromTheFuture1')`);
      expect(problemsOf(await runCommand(['doctor', '--json'], env))).toEqual({
        'the schema is that of this release': 'unknown, of a later release: FromTheFuture1',
      });
    } finally {
      await client.end();
      await database.drop();
    }
  });

  it('reports unreachable and unwritable dependencies, and creates no database', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'forgeplane-cli-'));
    const file = join(folder, 'file');
    writeFileSync(file, '', { mode: 0o600 });
    try {
      const run = await runCli(['doctor', '--json'], {
        DATA_DIR: folder,
        OBJECT_STORE_URL: `file://${file}/objects`,
        REPOSITORY_STORAGES: `default=${folder}/repositories,broken=${file}`,
        REDIS_URL: 'redis://127.0.0.1:1',
      });
      expect(run.code).toBe(1);
      expect(problemsOf(run)).toEqual({
        'the database can be reached': expect.stringMatching(/^there is none in /),
        'the object storage is writable': expect.stringMatching(/ENOTDIR|EEXIST/),
        'the repository storages are writable': expect.stringMatching(/^broken: .* is not a folder$/),
        'Redis responds and does not evict data': expect.stringMatching(/ECONNREFUSED/),
      });
      expect(readdirSync(folder)).toEqual(['file']);
      const gone = { DATA_DIR: folder, DATABASE_URL: 'postgres://nobody@127.0.0.1:1/none' };
      expect(problemsOf(await runCli(['doctor', '--json'], gone))).toEqual({
        'the database can be reached': expect.stringMatching(/ECONNREFUSED/),
      });
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });
});
