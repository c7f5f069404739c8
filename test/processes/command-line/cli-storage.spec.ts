import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { projectRepository, relativePath } from '#core/repositories/repository-ref.js';
import { runCli, type CliRun } from '../../support/cli.js';
import { ApiClient } from '../../support/client.js';
import { createTestDatabase, type TestDatabase } from '../../support/database.js';
import { WorkingCopy } from '../../support/git.js';
import { ROOT_TOKEN, startProduct, type Product } from '../../support/processes.js';

describe('storage move on the command line', () => {
  let folder: string;
  let database: TestDatabase;
  let product: Product;
  let projects: number[];
  const env = (): Record<string, string> => ({
    DATABASE_URL: database.url,
    DATA_DIR: join(folder, 'data'),
    REPOSITORY_STORAGES: `default=${folder}/a,second=${folder}/b`,
    LOG_LEVEL: 'warn',
  });
  const cli = (...args: string[]): Promise<CliRun> => runCli(['storage', 'move', ...args], env());

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'forgeplane-cli-storage-'));
    database = await createTestDatabase();
    product = await startProduct({ env: env(), dataDir: join(folder, 'data') });
    const root = new ApiClient(product.url, ROOT_TOKEN);
    const work = await new WorkingCopy().init();
    await work.commit({ 'a.txt': 'one\n' });
    projects = [];
    for (const name of ['one', 'two']) {
      const { id } = (await root.post<{ id: number }>('/projects', { name })).body;
      projects.push(id);
      const remote = new URL(`/root/${name}.git`, product.url);
      Object.assign(remote, { username: 'root', password: ROOT_TOKEN });
      await work.git('push', '--quiet', remote.href, 'main');
    }
    work.remove();
  });
  afterAll(async () => {
    await product.dispose();
    await database.drop();
    rmSync(folder, { recursive: true, force: true });
  });

  const pathOf = (storage: 'a' | 'b', id: number): string =>
    join(folder, storage, relativePath(projectRepository(id)));

  it('refuses impossible moves', async () => {
    const runs = await Promise.all([
      cli(),
      cli('--source', 'default', '--destination', 'second', '--kind', 'wiki'),
      cli('--source', 'default', '--destination', 'default'),
      cli('--source', 'default', '--destination', '../b'),
      cli('--source', 'second', '--destination', 'default', '--id', String(projects[0])),
    ]);
    expect(runs.map(({ code }) => code)).toEqual([2, 2, 1, 1, 1]);
    expect(runs[2].stderr).toBe('destination_storage_name must not be the source storage\n');
    expect(runs[4].stderr).toContain('is on storage default, not on second');
  });

  it('previews a move, moves one repository and then the rest', async () => {
    const names = ['--source', 'default', '--destination', 'second'];
    expect((await cli(...names, '--dry-run', '--json')).json()).toMatchObject({
      containers: 2,
      repositories: 2,
    });
    const [first = 0, second = 0] = projects;
    const one = await cli(...names, '--id', String(first), '--json');
    expect(one.code).toBe(0);
    expect(one.json()).toMatchObject({ moves: 1, finished: 1, failed: 0, failures: [] });
    expect([existsSync(pathOf('a', first)), existsSync(pathOf('b', first))]).toEqual([false, true]);
    const rest = await cli(...names);
    expect(rest).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/^1 of 1 moves finished, \d+ bytes/),
    });
    expect(existsSync(pathOf('b', second))).toBe(true);
    expect((await cli(...names)).stdout).toBe('0 of 0 moves finished, 0 bytes copied\n');
  });
});
