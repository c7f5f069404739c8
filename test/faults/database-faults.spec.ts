import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { readPidFile, stopLeftovers } from '#kernel/database/embedded/leftovers.js';
import { shaOf } from '../support/builders/deployment.js';
import { spawnOwner, type Owner } from '../support/embedded-owner.js';
import { Installation, type Member } from '../support/installation.js';
import { until } from '../support/until.js';

const LANES = 8;

interface Done {
  readonly at: number;
  readonly status: number;
  readonly took: number;
}

describe('faults of PostgreSQL', () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'forgeplane-faults-'));
  const folder = join(dataDir, 'postgres');
  let owner: Owner;
  let installation: Installation;
  let product: Member;
  let projectId: number;
  beforeAll(async () => {
    owner = await spawnOwner(dataDir);
    installation = await Installation.create({ databaseUrl: owner.url });
    product = await installation.start('all');
    const project = await product.client.post<{ id: number }>('/projects', { name: 'Loaded' });
    projectId = project.body.id;
  });
  afterAll(async () => {
    await installation.close();
    owner.kill();
    await stopLeftovers(folder, () => undefined);
    rmSync(dataDir, { recursive: true, force: true });
  });

  it.each(['SIGQUIT', 'SIGINT'] as const)('recovers after a restart (%s) under load', async (signal) => {
    const acknowledged = new Set<number>();
    const done: Done[] = [];
    let running = true;
    const lane = async (number: number): Promise<void> => {
      for (let round = 0; running; round += 1) {
        const at = Date.now();
        const write = round % 2 === 0;
        const answer = write
          ? await product.client.post<{ id: number }>(`/projects/${projectId}/deployments`, {
              environment: `env-${number}-${round % 6}`,
              sha: shaOf(number * 1_000_000 + (at % 1_000_000)),
              ref: 'main',
              tag: false,
              status: 'failed',
            })
          : await product.client.get(`/projects/${projectId}/deployments?per_page=5&order_by=id&sort=desc`);
        if (answer.status === 201) acknowledged.add((answer.body as { id: number }).id);
        if (answer.status === 503) expect(answer.body).toEqual({ message: '503 Service Unavailable' });
        done.push({ at, status: answer.status, took: Date.now() - at });
        await sleep(answer.status === 503 ? 50 : 5);
      }
    };
    const lanes = Array.from({ length: LANES }, (_, number) => lane(number));
    await sleep(1_500);
    const { pid } = readPidFile(folder) ?? { pid: 0 };
    const cutAt = Date.now();
    process.kill(pid, signal);
    await until(() => {
      const file = readPidFile(folder);
      return file !== undefined && file.pid !== pid && file.ready;
    }, 30_000);
    const backAt = Date.now();
    await until(async () => (await product.client.get('/-/readiness')).status === 200, 5_000);
    await sleep(2_500);
    running = false;
    await Promise.all(lanes);
    expect(
      product
        .output()
        .split('\n')
        .filter((line) => line.includes('"level":"error"')),
    ).toEqual([]);
    const statuses = [...new Set(done.map(({ status }) => status))].sort();
    expect(statuses).toEqual([200, 201, 503]);
    const lastFailure = Math.max(
      ...done.filter(({ status }) => status === 503).map(({ at, took }) => at + took),
    );
    expect(lastFailure - backAt).toBeLessThan(5_000);
    expect(done.filter(({ at, status }) => at < cutAt - 500 && status === 503)).toEqual([]);
    expect(Math.max(...done.map(({ took }) => took))).toBeLessThan(10_000);
    await expectWhole(acknowledged);
  });

  /** Every acknowledged row exists completely. */
  async function expectWhole(acknowledged: ReadonlySet<number>): Promise<void> {
    const found = await installation.count('select count(*) from deployments where id = any($1)', [
      [...acknowledged],
    ]);
    expect(found).toBe(acknowledged.size);
    const [row] = await installation.sql<Record<string, string>>(
      `select (select count(*) from deployments where project_id = $1)::text as rows,
        (select max(iid) from deployments where project_id = $1)::text as last,
        (select last_value from internal_ids where project_id = $1 and usage = 'deployments')::text as counter,
        (select live_count from internal_ids where project_id = $1 and usage = 'deployments')::text as live`,
      [projectId],
    );
    expect(row).toEqual({
      rows: row?.['rows'],
      last: row?.['rows'],
      counter: row?.['rows'],
      live: row?.['rows'],
    });
    const lonely = `select count(*) from environments e where project_id = $1
      and not exists (select from deployments d where d.environment_id = e.id)`;
    expect(await installation.count(lonely, [projectId])).toBe(0);
  }

  it('returns 503 within its timeout while a long transaction holds locks, and serves all other requests', async () => {
    const values = { environment: 'held', sha: shaOf(7), ref: 'main', tag: false, status: 'running' };
    const path = `/projects/${projectId}/deployments`;
    const made = await product.client.post<{ id: number }>(path, values);
    const release = await installation.hold('select 1 from projects where id = $1 for update', [projectId]);
    const releaseIds = await installation.hold(
      'select 1 from internal_ids where project_id = $1 for update',
      [projectId],
    );
    const releaseRow = await installation.hold('select 1 from deployments where id = $1 for update', [
      made.body.id,
    ]);
    const begun = Date.now();
    const waiting = [
      product.client.post(path, { ...values, sha: shaOf(8) }),
      product.client.put(`${path}/${made.body.id}`, { status: 'success' }),
      product.client.put(`/projects/${projectId}`, { description: 'new' }),
    ];
    const reads: number[] = [];
    while (Date.now() - begun < 5_000) {
      const at = performance.now();
      expect((await product.client.get(path)).status).toBe(200);
      expect((await product.client.post('/projects', { name: `free-${reads.length}` })).status).toBe(201);
      reads.push(performance.now() - at);
      await sleep(100);
    }
    expect(Math.max(...reads)).toBeLessThan(4_000);
    for (const answer of await Promise.all(waiting)) {
      expect([answer.status, answer.body]).toEqual([503, { message: '503 Service Unavailable' }]);
      expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0);
    }
    expect(Date.now() - begun).toBeLessThan(31_000);
    for (const end of [release, releaseIds, releaseRow]) await end();
    expect((await product.client.post(path, { ...values, sha: shaOf(8) })).status).toBe(201);
    expect((await product.client.put(`${path}/${made.body.id}`, { status: 'success' })).status).toBe(200);
  });
});
