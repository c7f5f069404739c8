import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readPidFile } from '#kernel/database/embedded/leftovers.js';
import { runCli, type CliRun } from '../../support/cli.js';
import { ApiClient } from '../../support/client.js';
import { ROOT_TOKEN, startProduct, type Product } from '../../support/processes.js';

interface Seeded {
  seeded: boolean;
  created: Record<string, number>;
  user: string;
  password: string;
  token: string;
}

interface Deployment {
  iid: number;
  sha: string;
  status: string;
  environment: { name: string };
}

const PROJECT = '/projects/orchard-shop%2Fweb%2Fstorefront';

describe('the command line on a separate DATA_DIR', () => {
  let dataDir: string;
  const cli = (...args: string[]): Promise<CliRun> =>
    runCli(args, { DATA_DIR: dataDir, INITIAL_ROOT_TOKEN: ROOT_TOKEN });

  beforeAll(() => {
    dataDir = mkdtempSync(join(tmpdir(), 'forgeplane-cli-'));
  });
  afterAll(() => {
    rmSync(dataDir, { recursive: true, force: true });
  });

  it('starts a database for the duration of the command and seeds it', async () => {
    const run = await cli('seed', '--json');
    expect(run.code).toBe(0);
    const { created } = run.json() as Seeded;
    expect(created).toMatchObject({ users: 8, groups: 9, projects: 12 });
    expect(created['deployments']).toBeGreaterThan(1500);
    expect(created['environments']).toBeGreaterThan(200);
    expect(readPidFile(join(dataDir, 'postgres'))).toBeUndefined();
  });

  it('does not change a seeded database', async () => {
    const run = await cli('seed');
    expect(run).toMatchObject({ code: 0, stderr: '' });
    expect(run.stdout).toContain('already seeded');
  });

  it('adds data on request later', async () => {
    const { created } = (await cli('seed', '--projects', '13', '--json')).json() as Seeded;
    expect(created).toMatchObject({ users: 0, groups: 0, projects: 1 });
  });

  it('finds no problems in it', async () => {
    const run = await cli('doctor');
    expect(run.stdout).not.toContain('PROBLEM');
    expect(run.code).toBe(0);
  });
});

describe('the command line beside a running service', () => {
  let product: Product;
  let root: ApiClient;
  const cli = (...args: string[]): Promise<CliRun> => runCli(args, { DATA_DIR: product.dataDir });

  beforeAll(async () => {
    product = await startProduct();
    root = new ApiClient(product.url, ROOT_TOKEN);
  });
  afterAll(() => product.dispose());

  it('seeds data that the service shows immediately', async () => {
    const run = await cli('seed', '--projects', '2', '--months', '1', '--json');
    expect(run).toMatchObject({ code: 0, stderr: '' });
    const seeded = run.json() as Seeded;
    const guide = new ApiClient(product.url, seeded.token);
    expect((await guide.get('/user')).body).toMatchObject({ username: seeded.user });
    const production = await guide.get<Deployment[]>(
      `${PROJECT}/deployments?environment=production&status=success&order_by=id&sort=desc`,
    );
    expect(production.status).toBe(200);
    expect(production.body[0]).toMatchObject({ status: 'success', environment: { name: 'production' } });
  });

  it('continues the numbers of the seed', async () => {
    const [last] = (await root.get<Deployment[]>(`${PROJECT}/deployments?order_by=iid&sort=desc`)).body;
    const next = {
      environment: 'production',
      ref: 'main',
      tag: false,
      sha: 'b'.repeat(40),
      status: 'success',
    };
    const created = await root.post<Deployment>(`${PROJECT}/deployments`, next);
    expect([created.status, created.body.iid]).toEqual([201, (last?.iid ?? 0) + 1]);
  });

  it('creates tokens that work, and finds no problems', async () => {
    const { stdout } = await cli('token', 'create', '--user', 'noor.aziz');
    const noor = new ApiClient(product.url, stdout.trim());
    expect((await noor.get('/user')).body).toMatchObject({ username: 'noor.aziz' });
    const refused = await noor.post(`${PROJECT}/deployments`, { environment: 'x' });
    expect([400, 403]).toContain(refused.status);
    const doctor = await cli('doctor');
    expect(doctor.stdout).not.toContain('PROBLEM');
    expect(doctor.code).toBe(0);
  });

  it('writes the document that the service serves', async () => {
    const served = await root.get('/openapi.json');
    const run = await runCli(['openapi'], {
      DATA_DIR: join(product.dataDir, 'none'),
      EXTERNAL_URL: product.url,
    });
    expect(run.code).toBe(0);
    expect(run.json()).toEqual(served.body);
    expect(existsSync(join(product.dataDir, 'none'))).toBe(false);
  });
});
