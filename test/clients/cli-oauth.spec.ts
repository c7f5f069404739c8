import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { runCli, type CliRun } from '../support/cli.js';
import { createTestDatabase, type TestDatabase } from '../support/database.js';

interface KeyRow {
  kid: string;
  retired: boolean;
}

let dataDir: string;
let database: TestDatabase;
beforeAll(async () => {
  dataDir = mkdtempSync(join(tmpdir(), 'forgeplane-cli-'));
  database = await createTestDatabase();
});
afterAll(async () => {
  await database.drop();
  rmSync(dataDir, { recursive: true, force: true });
});

it('the command makes a new key sign id_tokens, and prints only its id', async () => {
  const cli = (...args: string[]): Promise<CliRun> =>
    runCli(args, {
      DATABASE_URL: database.url,
      DATA_DIR: dataDir,
      INITIAL_ROOT_PASSWORD: 'correct horse battery',
    });
  const first = await cli('oauth', 'rotate-keys');
  expect(first).toMatchObject({ code: 0, stdout: expect.stringMatching(/^[\w-]{43}\n$/) });
  const second = await cli('oauth', 'rotate-keys', '--json');
  const { kid } = second.json() as { kid: string };
  const client = new pg.Client({ connectionString: database.url });
  await client.connect();
  const { rows } = await client.query<KeyRow>(
    'select kid, retired_at is not null as retired from oauth_signing_keys order by id',
  );
  await client.end();
  expect(rows).toEqual([
    { kid: first.stdout.trim(), retired: true },
    { kid, retired: false },
  ]);
});
