import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Transactions } from '#kernel/database/transactions.js';
import { exportStatusIn } from '#features/bulk-imports/source/export-status.js';
import { coverageIn } from '#core/ci/traces/coverage.js';
import type { TestApi } from '../../../support/api.js';
import { CiEngine } from '../../../support/ci-engine.js';
import { borrowApi } from '../../../support/shared-api.js';

const MAX = 2_147_483_647;

describe('numbers from outside', () => {
  let api: TestApi;
  let ci: CiEngine;
  beforeAll(async () => {
    api = await borrowApi();
    ci = await CiEngine.start(api);
  });
  afterAll(() => api.close());

  const at = (suffix = ''): string => `/projects/${ci.project.id}${suffix}`;

  it('are refused as a coverage if they are invalid', async () => {
    const sha = await ci.project.work.git('rev-parse', 'main');
    for (const [coverage, status] of [
      [0, 201],
      [100, 201],
      [100.5, 400],
      [-1, 400],
      [1e308, 400],
    ] as const) {
      const values = { state: 'success', name: `c${coverage}`, ref: 'main', coverage };
      expect((await ci.project.maintainer.post(at(`/statuses/${sha.trim()}`), values)).status).toBe(status);
    }
    const pipelines = await ci.project.maintainer.get<{ id: number }[]>(at('/pipelines'));
    const shown = await ci.project.maintainer.get(at(`/pipelines/${pipelines.body[0]?.id ?? 0}`));
    expect([shown.status, shown.body['coverage']]).toEqual([200, '50.00']);
  });

  it('are ignored as coverage in a trace beyond 100 %', () => {
    const pattern = String.raw`/covered (\d+)%/`;
    expect(coverageIn({ end: `covered ${'9'.repeat(308)}%`, pattern })).toBeNull();
    expect(coverageIn({ end: 'covered 100%', pattern })).toBe(100);
  });

  it('are ignored as totals of a source beyond the maximum of a relation', () => {
    const of = (total: number): number | null | undefined =>
      exportStatusIn({ relation: 'issues', status: 1, total_objects_count: total }, 'issues')?.objectsCount;
    expect([of(MAX), of(MAX + 1), of(3e9)]).toEqual([MAX, null, null]);
    const batches = [
      { batch_number: 1, objects_count: MAX },
      { batch_number: 2, objects_count: 1 },
    ];
    expect(
      exportStatusIn({ relation: 'issues', status: 1, batched: true, batches }, 'issues')?.objectsCount,
    ).toBeNull();
  });

  it('are refused as an expiry of runner tokens beyond the maximum', async () => {
    const seconds = (runner_token_expiration_interval: number): object => ({
      runner_token_expiration_interval,
    });
    expect((await api.root.put(at(), seconds(MAX + 1))).status).toBe(400);
    // An earlier release accepted them.
    await api.sql('update projects set settings = settings || $2 where id = $1', [
      ci.project.id,
      seconds(9e15),
    ]);
    const values = { runner_type: 'project_type', project_id: ci.project.id };
    const { body } = await api.root.post<{ id: number }>('/user/runners', values);
    const again = await api.root.post(`/runners/${body.id}/reset_authentication_token`);
    expect([again.status, again.body['token_expires_at']]).toEqual([201, expect.stringMatching(/^21/)]);
  });

  it('leave an imported pipeline usable whose jobs took eight thousand years', async () => {
    const id = await ci.run('job: { script: x }');
    const job = await ci.end(id, 'job', 'failed');
    expect(job).toContain('job:failed');
    const times = `started_at = '1970-01-01T00:00:00Z', finished_at = '9999-12-31T23:59:59Z'`;
    await api.app.get(Transactions).run(async (tx) => {
      await tx.query(`update ci_jobs set ${times} where pipeline_id = $1`, [id]);
      await tx.query(
        `update ci_pipelines set created_at = '1970-01-01T00:00:00Z', started_at = '9999-12-31T23:59:59Z' where id = $1`,
        [id],
      );
    });
    for (const path of [`/pipelines/${id}`, `/pipelines/${id}/jobs`, '/pipelines', '/jobs'])
      expect([path, (await ci.project.maintainer.get(at(path))).status]).toEqual([path, 200]);
    expect((await ci.project.maintainer.post(at(`/pipelines/${id}/retry`))).status).toBe(201);
    expect((await ci.project.maintainer.post(at(`/pipelines/${id}/cancel`))).status).toBe(200);
    const shown = await ci.project.maintainer.get(at(`/pipelines/${id}`));
    expect([shown.status, shown.body['duration']]).toEqual([200, MAX]);
  });

  it('leave space for issues next to one at the last position', async () => {
    const client = ci.project.maintainer;
    const issues: { id: number; iid: number }[] = [];
    for (let index = 0; index < 4; index += 1)
      issues.push(
        (await client.post<{ id: number; iid: number }>(at('/issues'), { title: `i${index}` })).body,
      );
    const ids = issues.map(({ id }) => id);
    const iid = (index: number): number => issues[index]?.iid ?? 0;
    const reorder = async (index: number, values: object): Promise<number> =>
      (await client.put(at(`/issues/${iid(index)}/reorder`), values)).status;
    const order = async (): Promise<string> =>
      (await client.get<{ title: string }[]>(at('/issues?order_by=relative_position&sort=asc'))).body
        .map(({ title }) => title)
        .join(' ');
    await api.sql('update issues set relative_position = $2 where id = $1', [ids[0], MAX]);
    expect(await reorder(1, { move_after_id: ids[0] })).toBe(200);
    expect(await order()).toMatch(/^i0 i1/);
    await api.sql('update issues set relative_position = null where id = any($1)', [ids]);
    await api.sql('update issues set relative_position = $2 where id = $1', [ids[3], MAX]);
    expect(await reorder(0, { move_after_id: ids[2] })).toBe(200);
    expect(await order()).toBe('i3 i1 i2 i0');
    await api.sql('update issues set relative_position = $2 where id = $1', [ids[3], -MAX - 1]);
    expect(await reorder(0, { move_before_id: ids[3] })).toBe(200);
    expect(await order()).toMatch(/^i0 i3/);
  });
});
