import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Config } from '#kernel/config/config.js';
import { SecretBox } from '#kernel/crypto/secret-box.js';
import { startApi, type TestApi } from '../../support/api.js';
import { runCommand, type CliRun } from '../../support/cli.js';
import { buildIssue } from '../../support/builders/issue.js';

interface Report {
  readonly checks: readonly { readonly check: string; readonly problem: string | null }[];
}

describe('doctor, if a table cannot be read', () => {
  let api: TestApi;
  let folder: string;

  beforeAll(async () => {
    api = await startApi();
    folder = mkdtempSync(join(tmpdir(), 'forgeplane-doctor-'));
    // Two of those that the checks read, as if their files were damaged.
    await api.sql('alter table user_two_factors rename to lost_two_factors');
    await api.sql('alter table avatars rename to lost_avatars');
    await api.sql(`insert into members (source_type, source_id, user_id, access_level)
      select 'Project', 999999, id, 30 from users where admin limit 1`);
  });
  afterAll(async () => {
    await api.close();
    rmSync(folder, { recursive: true, force: true });
  });

  it.each(['', '--mend'])('says so, and what all other checks find %j', async (option) => {
    const run = await runCommand(['doctor', '--json', ...(option === '' ? [] : [option])], {
      DATABASE_URL: api.databaseUrl,
      DATA_DIR: folder,
    });
    expect(run.code).toBe(1);
    const found = new Map((run.json() as Report).checks.map(({ check, problem }) => [check, problem]));
    expect(found.get('the database can be reached')).toBeNull();
    expect(found.get('second factors are required where there is one')).toBe(
      'cannot be checked: relation "user_two_factors" does not exist',
    );
    expect(found.get('the newest avatars are in the object storage')).toMatch(/"avatars" does not exist/);
    expect(found.get('members belong to an existing group or project')).toMatch(/^member \d+$/);
    expect(found.get('the newest artifacts are in the object storage')).toBeNull();
    expect(found.get('sealed secrets of each kind open with SECRETS_KEY')).toBeNull();
  });
});

const problemsOf = (run: CliRun): ReadonlyMap<string, string | null> =>
  new Map((run.json() as Report).checks.map(({ check, problem }) => [check, problem]));

describe('doctor', () => {
  let api: TestApi;
  let folder: string;
  beforeAll(async () => {
    api = await startApi();
    folder = mkdtempSync(join(tmpdir(), 'forgeplane-doctor-'));
  });
  afterAll(async () => {
    await api.close();
    rmSync(folder, { recursive: true, force: true });
  });

  const run = (args: readonly string[], env: Readonly<Record<string, string>> = {}): Promise<CliRun> =>
    runCommand(['doctor', ...args], { DATABASE_URL: api.databaseUrl, DATA_DIR: folder, ...env });

  it('says that the service would not start with its key, even if nothing is sealed yet', async () => {
    const check = 'SECRETS_KEY is the one that the database knows';
    const known = 'the key of this installation with 32 characters';
    expect(problemsOf(await run(['--json'])).get(check)).toBeNull();
    const { fingerprints } = new SecretBox(Object.assign(new Config(), { SECRETS_KEY: known }));
    await api.sql('insert into secrets_keys (fingerprint) values ($1)', [fingerprints[0]]);
    const problem = async (env: Readonly<Record<string, string>>): Promise<string | null | undefined> =>
      problemsOf(await run(['--json'], env)).get(check);
    expect(await problem({ SECRETS_KEY: known })).toBeNull();
    expect(await problem({ SECRETS_KEY: 'x'.repeat(40) })).toMatch(/^SECRETS_KEY does not contain the key/);
    expect(await problem({})).toMatch(/secrets\.key is missing/);
    await api.sql('delete from secrets_keys');
  });

  it('finds no fault with the schema of a later release that supports this one', async () => {
    const note = `insert into releases (version, oldest_beside) values ('999.0.0', $1)`;
    await api.sql(`insert into schema_migrations (timestamp, name) values (1, 'FromTheFuture1')`);
    const check = 'the schema is that of this release';
    try {
      expect([...problemsOf(await run(['--json']))].at(1)).toEqual([
        check,
        'unknown, of a later release: FromTheFuture1',
      ]);
      await api.sql(note, ['1.0.0-rc.1']);
      const found = problemsOf(await run(['--json']));
      expect(found.get('the schema is of a later release, on which this one runs')).toBeNull();
      expect(found.get('counters of issues and merge requests agree with their rows')).toBeNull();
      await api.sql(`update releases set oldest_beside = '999.0.0' where version = '999.0.0'`);
      expect(problemsOf(await run(['--json'])).get(check)).toMatch(
        /^The schema is that of release 999\.0\.0, which runs beside 999\.0\.0 and newer/,
      );
    } finally {
      await api.sql(`delete from releases where version = '999.0.0'`);
      await api.sql(`delete from schema_migrations where name = 'FromTheFuture1'`);
    }
  });

  it('says how to close what other users can access', async () => {
    chmodSync(folder, 0o755);
    const found = problemsOf(await run(['--json'])).get('only the service can access its files');
    chmodSync(folder, 0o700);
    expect(found).toBe(`${folder} has mode 0755 (chmod go= ${folder})`);
  });

  it('does not say of a counter that it is mended while it is wrong', async () => {
    const { body: project } = await api.root.post<{ id: number }>('/projects', { name: 'Counted' });
    await buildIssue(api.root, project.id);
    await api.sql('update internal_ids set live_count = live_count + 1 where project_id = $1', [project.id]);
    const check = 'counters of issues and merge requests agree with their rows';
    const wrong = `PROBLEM  ${check}: issues of project ${project.id}\n`;
    const found = await run([]);
    expect([found.code, found.stdout]).toEqual([1, expect.stringContaining(wrong)]);
    expect(found.stdout).toMatch(/`doctor --mend` repairs what 1 of them found\.\n$/);
    await api.sql(`create function spoil() returns trigger language plpgsql as
      'begin new.live_count := old.live_count; return new; end'`);
    await api.sql(
      'create trigger spoilt before update on internal_ids for each row execute function spoil()',
    );
    const tried = await run(['--mend']);
    expect([tried.code, tried.stdout]).toEqual([1, expect.stringContaining(wrong)]);
    expect(tried.stdout).not.toContain('mended');
    await api.sql('drop trigger spoilt on internal_ids');
    expect((await run(['--mend'])).stdout).toContain(`mended   ${check}: issues of project ${project.id}\n`);
  });
});
