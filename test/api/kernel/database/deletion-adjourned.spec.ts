import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { TestApi } from '../../../support/api.js';
import { buildGroup } from '../../../support/builders/group.js';
import { buildProject } from '../../../support/builders/project.js';
import { until } from '../../../support/until.js';
import { borrowApi } from '../../../support/shared-api.js';

interface Kind {
  readonly path: string;
  readonly table: string;
  readonly job: string;
  readonly build: (api: TestApi) => Promise<{ id: number }>;
}

const KINDS: readonly Kind[] = [
  {
    path: '/projects',
    table: 'projects',
    job: 'projects.delete',
    build: (api) => buildProject(api.root),
  },
  {
    path: '/groups',
    table: 'namespaces',
    job: 'groups.delete',
    build: (api) => buildGroup(api),
  },
];

describe.each(KINDS)('deletion after a grace period: $path', ({ path, table, job, build }) => {
  let api: TestApi;
  beforeAll(async () => {
    api = await borrowApi();
  });
  afterAll(() => api.close());

  const period = (days: number): Promise<unknown> =>
    api.root.put('/application/settings', { deletion_adjourned_period: days });
  const isThere = async (id: number): Promise<boolean> =>
    (await api.sql(`select 1 from ${table} where id = $1`, [id])).length > 0;
  const marked = async (days: number): Promise<number> => {
    await period(days);
    const { id } = await build(api);
    expect((await api.root.delete(`${path}/${id}`)).status).toBe(202);
    return id;
  };
  const due = async (): Promise<{ days: number }[]> =>
    api.sql(
      `select round(extract(epoch from run_at - now()) / 86400)::int as days from background_jobs
      where name = $1 and state = 'pending' order by run_at`,
      [job],
    );
  /** Acts as if the days were over. */
  const letTimePass = (): Promise<unknown> =>
    api.sql(`update background_jobs set run_at = now() where name = $1 and state in ('pending', 'handed')`, [
      job,
    ]);

  it.each([
    ['raised', 3, 30],
    ['lowered', 3, 1],
    ['switched off', 3, 0],
  ])('happens at the original time, even if the period is %s', async (_how, before, after) => {
    const id = await marked(before);
    expect(await due()).toEqual([{ days: before }]);
    await period(after);
    expect(await isThere(id)).toBe(true);
    await letTimePass();
    await until(async () => !(await isThere(id)));
  });

  it('does not happen after a restore, nor early after a second marking', async () => {
    const id = await marked(3);
    expect((await api.root.post(`${path}/${id}/restore`)).status).toBe(201);
    await letTimePass();
    await until(async () => (await due()).length === 0);
    expect(await isThere(id)).toBe(true);
    await api.root.delete(`${path}/${id}`);
    const [first] = await api.sql<{ at: string }>(
      `select payload ->> 'markedAt' as at from background_jobs where name = $1 order by id desc limit 1`,
      [job],
    );
    await api.root.post(`${path}/${id}/restore`);
    await period(5);
    await api.root.delete(`${path}/${id}`);
    await api.sql(`update background_jobs set run_at = now() where payload ->> 'markedAt' = $1`, [first?.at]);
    await until(async () => (await due()).length === 1);
    expect([await isThere(id), await due()]).toEqual([true, [{ days: 5 }]]);
  });
});

describe('deletions scheduled by a former version', () => {
  let api: TestApi;
  beforeAll(async () => {
    api = await borrowApi();
  });
  afterAll(() => api.close());

  it('are carried out', async () => {
    await api.root.put('/application/settings', { deletion_adjourned_period: 3 });
    const { id } = await buildProject(api.root);
    await api.root.delete(`/projects/${id}`);
    await api.sql(
      `update background_jobs set payload = payload - 'markedAt', run_at = now() where name = 'projects.delete'`,
    );
    await until(
      async () =>
        (
          await api.sql(
            `select 1 from background_jobs where name = 'projects.delete' and payload ? 'markedAt' and run_at > now() + interval '2 days'`,
          )
        ).length === 1,
    );
    await api.sql(`update background_jobs set run_at = now() where name = 'projects.delete'`);
    await until(async () => (await api.sql('select 1 from projects where id = $1', [id])).length === 0);
  });
});
