import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startApi, type TestApi } from '../../support/api.js';
import { runCommand } from '../../support/cli.js';

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
    expect(found.get('second factors are asked for where there is one')).toBe(
      'cannot be checked: relation "user_two_factors" does not exist',
    );
    expect(found.get('the newest avatars are in the object storage')).toMatch(/"avatars" does not exist/);
    expect(found.get('members belong to an existing group or project')).toMatch(/^member \d+$/);
    expect(found.get('the newest artifacts are in the object storage')).toBeNull();
    expect(found.get('sealed secrets of each kind open with SECRETS_KEY')).toBeNull();
  });
});
