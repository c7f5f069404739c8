import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Installation, type Member } from '../support/installation.js';

const LOCKED_MS = 14_000;
const PER_SECOND = 20;
/** Far less than the lock lasts, and enough for a machine that runs other tests. */
const AT_ONCE_MS = 4_000;

interface Done {
  readonly path: string;
  readonly status: number;
  readonly took: number;
  readonly retryAfter: string | null;
}

// The lock of a migration, a VACUUM FULL or a psql session on a table that much of the product reads.
describe('while a table is locked', () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'forgeplane-locked-'));
  let installation: Installation;
  let product: Member;
  let projectId: number;
  let needy: string[];
  let others: string[];
  beforeAll(async () => {
    installation = await Installation.create();
    product = await installation.start('all', { DATA_DIR: dataDir });
    const group = await product.client.post<{ id: number }>('/groups', { name: 'Held', path: 'held' });
    const values = { name: 'Held', namespace_id: group.body.id, initialize_with_readme: true };
    const project = await product.client.post<{ id: number }>('/projects', values);
    projectId = project.body.id;
    await product.client.post(`/projects/${projectId}/issues`, { title: 'One' });
    const path = `/projects/${projectId}`;
    needy = [
      '/merge_requests?scope=all',
      '/merge_requests?scope=all&state=opened&search=x',
      `${path}/merge_requests`,
      `${path}/merge_requests?state=opened&order_by=updated_at`,
      `/groups/${group.body.id}/merge_requests`,
      // Issues contain the number of their merge requests.
      `${path}/issues`,
      `/issues?scope=all&search=One`,
    ];
    others = [
      '/user',
      '/projects',
      path,
      `${path}/repository/branches`,
      '/groups',
      `/groups/${group.body.id}/projects?search=held`,
      '/users?search=root',
    ];
  });
  afterAll(async () => {
    await installation.close();
    rmSync(dataDir, { recursive: true, force: true });
  });

  const ask = async (path: string): Promise<Done> => {
    const at = performance.now();
    const { status, headers } = await product.client.get(path);
    return { path, status, took: performance.now() - at, retryAfter: headers.get('retry-after') };
  };

  it.each([
    ['known to the connections', true],
    ['new to them', false],
  ])('only requests that need the table fail, all others continue: statements %s', async (_, isWarm) => {
    const suffix = isWarm ? '' : '&per_page=7';
    const mark = (path: string): string => `${path}${path.includes('?') ? suffix : suffix.replace('&', '?')}`;
    if (isWarm) for (const path of [...needy, ...others]) expect((await ask(path)).status).toBe(200);
    else await restarted();
    const release = await installation.hold('lock table merge_requests in access exclusive mode');
    const asked: Promise<Done>[] = [];
    const end = Date.now() + LOCKED_MS;
    for (let round = 0; Date.now() < end; round += 1) {
      const paths = round % 4 === 0 ? needy : others;
      asked.push(ask(round % 2 === 1 ? '/user' : mark(paths[(round >> 1) % paths.length] as string)));
      await sleep(1_000 / PER_SECOND);
    }
    const readiness = (await product.client.get('/-/readiness')).status;
    await release();
    const done = await Promise.all(asked);
    expect(readiness).toBe(200);
    const isNeedy = ({ path }: Done): boolean => needy.some((one) => path.startsWith(one));
    expect([...new Set(done.filter((one) => !isNeedy(one)).map(({ status }) => status))]).toEqual([200]);
    const refused = done.filter(({ status }) => status !== 200);
    expect([...new Set(refused.map(({ status }) => status))]).toEqual([503]);
    expect(refused.every(({ retryAfter }) => Number(retryAfter) > 0)).toBe(true);
    expect(p99(done.filter(({ path }) => path === '/user'))).toBeLessThan(AT_ONCE_MS);
    // The connections are the same as before: canceled statements are prepared again, and as fast as before.
    for (const path of needy) expect((await ask(mark(path))).status).toBe(200);
    for (const path of needy) expect((await ask(mark(path))).took).toBeLessThan(AT_ONCE_MS);
    const errors = product
      .output()
      .split('\n')
      .filter((line) => line.includes('"level":"error"'));
    expect(errors).toEqual([]);
  });

  async function restarted(): Promise<void> {
    await product.stop();
    product = await installation.start('all', { DATA_DIR: dataDir });
  }
});

function p99(done: readonly Done[]): number {
  const sorted = done.map(({ took }) => took).sort((one, other) => one - other);
  return sorted[Math.ceil(sorted.length * 0.99) - 1] ?? 0;
}
