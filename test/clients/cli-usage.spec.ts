import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { RELEASE } from '#kernel/config/release.js';
import { runCli, runCommand } from '../support/cli.js';
import { createEmptyDatabase } from '../support/database.js';
import { DaySample } from '../support/day-sample.js';

let dataDir: string;
beforeAll(() => {
  dataDir = mkdtempSync(join(tmpdir(), 'forgeplane-cli-'));
});
afterAll(() => {
  rmSync(dataDir, { recursive: true, force: true });
});

/** A process for each case. */
const sample = DaySample.ofEnvironment();

describe(`usage (${sample.toString()})`, () => {
  const cases = [
    [[]],
    [['nothing']],
    [['user']],
    [['user', 'create', '--username', 'x']],
    [['seed', '--projects', '0']],
    [['seed', '--months', '1.5']],
    [['token', 'create', '--user', 'x', '--scopes', 'everything']],
    [['token', 'create', '--user', 'x', '--expires-at', '2024-02-30']],
    [['doctor', '--unknown']],
    [['doctor', 'now']],
  ];
  it.each(sample.some(cases, 4))('%j ends with 2', async (args) => {
    const run = await runCli(args, { DATA_DIR: join(dataDir, 'unused') });
    expect(run).toMatchObject({ code: 2, stdout: '', stderr: expect.stringContaining('Usage: forgeplane') });
    expect(existsSync(join(dataDir, 'unused'))).toBe(false);
  });

  it('is reported in one line for machines', async () => {
    const run = await runCli(['seed', '--projects', 'many', '--json'], { DATA_DIR: dataDir });
    expect(run).toMatchObject({ code: 2, stdout: '' });
    expect(JSON.parse(run.stderr)).toEqual({ error: expect.stringContaining("'many' is invalid") });
  });

  it('prints its version', async () => {
    const run = await runCommand(['--version'], { DATA_DIR: dataDir });
    expect(run).toMatchObject({ code: 0, stderr: '', stdout: `${RELEASE}\n` });
  });

  it('shows help on request', async () => {
    const run = await runCli(['--help'], { DATA_DIR: dataDir });
    expect(run).toMatchObject({
      code: 0,
      stderr: '',
      stdout: expect.stringContaining('demo data'),
    });
  });
});

describe('config print', () => {
  const secrets = {
    INITIAL_ROOT_PASSWORD: 'hidden-1-password',
    INITIAL_ROOT_TOKEN: 'hidden-2-token-0123456789',
    SECRETS_KEY: 'hidden-3-0123456789012345678901234567890',
    OBJECT_STORE_ACCESS_KEY_ID: 'hidden-4-id',
    OBJECT_STORE_SECRET_ACCESS_KEY: 'hidden-5-key',
    DATABASE_URL: 'postgres://someone:hidden-6@/p@db.example:5432/main?sslmode=require&password=hidden-7',
    REDIS_URL: 'redis://:hidden-8:@redis.example:6379/1',
    SMTP_URL: 'smtps://mailer%40x:hidden-9@smtp.example',
    OBJECT_STORE_URL: 's3://AKIA:hidden-10@bucket/prefix?region=eu-1',
  };

  it.each([[['config', 'print']], [['config', 'print', '--json']]])('%j shows no secret', async (args) => {
    const run = await runCli(args, { ...secrets, DATA_DIR: dataDir });
    expect(run.code).toBe(0);
    expect(run.stdout).not.toContain('hidden');
    for (const host of [
      'db.example:5432/main',
      'redis.example:6379/1',
      'smtp.example',
      'bucket/prefix',
      'eu-1',
    ])
      expect(run.stdout).toContain(host);
  });

  it('shows no password of Sentinels', async () => {
    const REDIS_URL = 'redis+sentinel://:hidden-1@one,two:7000/forge/1?sentinel_password=hidden-2';
    const { stdout } = await runCli(['config', 'print'], { REDIS_URL, DATA_DIR: dataDir });
    expect(stdout).not.toContain('hidden');
    expect(stdout).toContain('@one,two:7000/forge/1?sentinel_password=');
  });

  it('shows every value in force', async () => {
    const plain = { DATA_DIR: dataDir, PORT: '8123', TRUSTED_PROXIES: '10.0.0.0/8, ::1' };
    const values = (await runCli(['config', 'print', '--json'], plain)).json();
    expect(values).toMatchObject({
      PORT: 8123,
      PASSWORD_MEMORY_KIB: 19_456,
      EXTERNAL_URL: 'http://localhost:8123',
      TRUSTED_PROXIES: ['10.0.0.0/8', '::1'],
      DATABASE_URL: null,
      SECRETS_KEY: null,
      REPOSITORY_STORAGES: `default=${dataDir}/repositories/default`,
    });
    const lines = (await runCli(['config', 'print'], plain)).stdout.split('\n');
    expect(lines).toEqual(
      expect.arrayContaining(['PORT=8123', 'TRUSTED_PROXIES=10.0.0.0/8,::1', 'REDIS_URL=']),
    );
  });

  it('lists all problems of the configuration at once', async () => {
    const wrong = { PORT: 'x', LICENSE_PLAN: 'gold', SMTP_URL_FILE: '/nowhere' };
    const run = await runCli(['config', 'print'], wrong);
    expect(run).toMatchObject({ code: 1, stdout: '' });
    for (const name of ['PORT', 'LICENSE_PLAN', 'SMTP_URL_FILE']) expect(run.stderr).toContain(name);
    const asJson = await runCli(['doctor', '--json'], wrong);
    expect((JSON.parse(asJson.stderr) as { problems: string[] }).problems).toHaveLength(3);
  });
});

describe('a database that is not there', () => {
  const reading = [
    'migrations',
    'jobs list',
    'storage check',
    'secrets reseal',
    'oauth rotate-keys',
    'backup create --target /nonexistent/backups',
  ];
  const sampled = sample.some(reading, 3);

  it.each(sampled)('is named by %s, which does not create it', async (command) => {
    const unused = join(dataDir, 'mistyped');
    const run = await runCommand(command.split(' '), { DATA_DIR: unused });
    expect(run).toMatchObject({ code: 1, stdout: '' });
    expect(run.stderr).toMatch(
      /^There is no database in \S+mistyped\/postgres yet: start the service once, or set .*\n$/,
    );
    expect(existsSync(unused)).toBe(false);
  });

  it.each(sampled)('is named by %s, with the variable and the cause', async (command) => {
    const DATABASE_URL = 'postgres://somebody:hidden-1@127.0.0.1:1/none';
    const run = await runCommand(command.split(' '), {
      DATABASE_URL,
      DATA_DIR: dataDir,
      SECRETS_KEY: 'k'.repeat(32),
    });
    expect(run).toMatchObject({ code: 1, stdout: '' });
    expect(run.stderr).toMatch(
      /^DATABASE_URL: PostgreSQL does not respond \(.*ECONNREFUSED.*\): start it, or correct .*\n$/,
    );
    expect(run.stderr).not.toContain('hidden');
  });

  it('is named if the server has none of that name', async () => {
    const database = await createEmptyDatabase();
    await database.drop();
    const run = await runCommand(['jobs', 'list'], {
      DATABASE_URL: database.url,
      DATA_DIR: dataDir,
      SECRETS_KEY: 'k'.repeat(32),
    });
    expect(run).toMatchObject({ code: 1, stdout: '' });
    expect(run.stderr).toMatch(
      /^DATABASE_URL does not point to a usable database \(.*does not exist\): create that database.*\n$/,
    );
  });
});
