import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { runCommand } from '../support/cli.js';
import { ApiClient } from '../support/client.js';
import { createTestDatabase, type TestDatabase } from '../support/database.js';
import { launch } from '../support/launch.js';
import { ROOT_TOKEN, startProduct, type Product } from '../support/processes.js';

const FIRST = 'the first key of this installation with 32 or more';
const SECOND = 'the second key of this installation with 32 or more';
const STRANGE = 'a key that this installation has never seen before';

describe('SECRETS_KEY', () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'forgeplane-secrets-'));
  let database: TestDatabase;
  let client: pg.Client;
  let product: Product | undefined;
  beforeAll(async () => {
    database = await createTestDatabase();
    client = new pg.Client({ connectionString: database.url });
    await client.connect();
  });
  afterAll(async () => {
    await product?.dispose();
    await client.end();
    await database.drop();
    rmSync(dataDir, { recursive: true, force: true });
  });

  const env = (key: string): Record<string, string> => ({
    DATABASE_URL: database.url,
    SECRETS_KEY: key,
    DATA_DIR: dataDir,
  });
  const start = async (key: string): Promise<ApiClient> => {
    product = await startProduct({ env: env(key), dataDir });
    return new ApiClient(product.url, ROOT_TOKEN);
  };
  const stop = async (): Promise<void> => {
    expect(await product?.stop()).toBe(0);
  };
  /** Error of a refused start. */
  const refused = async (key: string): Promise<string> => {
    const begun = launch('dist/app/main.js', { ...env(key), PORT: '0', HOST: '127.0.0.1' });
    expect(await begun.ended).toBe(1);
    expect(begun.output().trim().split('\n')).toHaveLength(1);
    return begun.output();
  };
  const valueOf = async (api: ApiClient): Promise<unknown> =>
    (await api.get('/admin/ci/variables/KEY')).body['value'];
  /** Commands that open or seal secrets work only with the key of the database. */
  const refusesCommands = async (key: string, expected: RegExp): Promise<void> => {
    for (const command of ['oauth rotate-keys', 'secrets reseal', 'token create --user root']) {
      const { code, stdout, stderr } = await runCommand(command.split(' '), env(key));
      expect([code, stdout, stderr]).toEqual([1, '', expect.stringMatching(expected)]);
    }
  };
  const doctor = async (key: string): Promise<string> => (await runCommand(['doctor'], env(key))).stdout;

  it('is remembered, and the service does not start with another key', async () => {
    const api = await start(FIRST);
    expect((await api.post('/admin/ci/variables', { key: 'KEY', value: 'sealed' })).status).toBe(201);
    const group = await api.post<{ id: number }>('/groups', { name: 'Shop', path: 'shop' });
    const project = await api.post<{ id: number }>('/projects', { name: 'Web', namespace_id: group.body.id });
    const integrations = `/projects/${project.body.id}/alert_management/integrations`;
    expect((await api.post(integrations, { name: 'Monitoring' })).status).toBe(201);
    for (const path of [`/groups/${group.body.id}`, `/projects/${project.body.id}`, '/application/settings'])
      expect(JSON.stringify((await api.get(path)).body)).toContain('GR1348941');
    expect((await fetch(`${product?.url}/oauth/discovery/keys`)).status).toBe(200);
    await stop();
    expect(await refused(STRANGE)).toMatch(
      /^SECRETS_KEY does not contain the key that .*SECRETS_KEY=new,old/,
    );
    await refusesCommands(STRANGE, /^SECRETS_KEY does not contain the key that .*SECRETS_KEY=new,old/);
    expect(await doctor(FIRST)).toContain('ok       sealed secrets of each kind open with SECRETS_KEY');
    expect(await doctor(STRANGE)).toMatch(
      /PROBLEM {2}sealed secrets .*: variables, runners tokens of projects,/,
    );
  });

  it('is verified by the secrets it opens if an earlier release stored no fingerprint', async () => {
    await client.query('delete from secrets_keys');
    expect(await refused(STRANGE)).toMatch(/^SECRETS_KEY does not contain the key/);
    await refusesCommands(STRANGE, /^SECRETS_KEY does not contain the key/);
    expect((await runCommand(['token', 'create', '--user', 'root'], env(FIRST))).code).toBe(0);
    expect((await client.query('select 1 from secrets_keys')).rowCount).toBe(0);
    const api = await start(FIRST);
    expect(await valueOf(api)).toBe('sealed');
    await stop();
    expect((await client.query('select 1 from secrets_keys')).rowCount).toBe(1);
  });

  it('can be changed by listing both keys until all secrets are sealed with the new one', async () => {
    const api = await start(`${SECOND},${FIRST}`);
    expect(await valueOf(api)).toBe('sealed');
    await stop();
    expect(await refused(SECOND)).toMatch(/^SECRETS_KEY lacks a former key .*variables.*secrets reseal/);
    await refusesCommands(SECOND, /^SECRETS_KEY lacks a former key .*secrets reseal/);
    const { code, stdout } = await runCommand(['secrets', 'reseal'], env(`${SECOND},${FIRST}`));
    expect([code, stdout]).toEqual([0, expect.stringContaining('1 variables\n')]);
    const after = await start(SECOND);
    expect(await valueOf(after)).toBe('sealed');
    await stop();
    expect(await doctor(SECOND)).toContain('ok       sealed secrets of each kind');
    expect(await refused(FIRST)).toMatch(/^SECRETS_KEY does not contain the key/);
  });

  it('can be given up, permanently and explicitly', async () => {
    expect((await runCommand(['secrets', 'accept-loss'], env(STRANGE))).code).toBe(0);
    const api = await start(STRANGE);
    expect((await api.get('/version')).status).toBe(200);
    await stop();
  });
});
