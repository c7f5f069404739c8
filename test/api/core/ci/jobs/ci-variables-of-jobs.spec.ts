import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Transactions } from '#kernel/database/transactions.js';
import { DomainEvents } from '#kernel/events/domain-events.js';
import { GroupDeleted } from '#core/groups/deletion/group-deleted.event.js';
import { CiVariablesRegistry } from '#core/ci/variables/ci-variables.registry.js';
import { PurgeProjectService } from '#core/projects/deletion/purge-project.service.js';
import type { TestApi } from '../../../../support/api.js';
import { buildGroup } from '../../../../support/builders/group.js';
import { buildProject } from '../../../../support/builders/project.js';
import { borrowApi } from '../../../../support/shared-api.js';

describe('variables of jobs', () => {
  let api: TestApi;
  beforeAll(async () => {
    api = await borrowApi();
  });
  afterAll(() => api.close());

  it('come from the instance, the parent groups and the project; the nearest takes precedence', async () => {
    const top = await buildGroup(api);
    const sub = await buildGroup(api, { parent_id: top.id });
    const project = await buildProject(api.root, { namespace_id: sub.id });
    const foreign = await buildProject(api.root);
    const places = ['/admin/ci', `/groups/${top.id}`, `/groups/${sub.id}`, `/projects/${project.id}`];
    for (const [index, place] of places.entries())
      for (const key of ['J0', 'J1', 'J2', 'J3'].slice(index))
        expect((await api.root.post(`${place}/variables`, { key, value: `at ${index}` })).status).toBe(201);
    await api.root.post(`/projects/${foreign.id}/variables`, { key: 'J0', value: 'foreign' });
    expect(await valuesOf(api, project.id, null)).toEqual({
      J0: 'at 0',
      J1: 'at 1',
      J2: 'at 2',
      J3: 'at 3',
    });
    for (const key of ['J0', 'J1', 'J2', 'J3']) await api.root.delete(`/admin/ci/variables/${key}`);
  });

  it('match the environment, the most specific scope first, and the protection of the ref', async () => {
    const project = await buildProject(api.root);
    const base = `/projects/${project.id}/variables`;
    const scopes = ['review/app', '*', 'review/*', '*/app', 're*iew/ap*'];
    for (const scope of scopes)
      await api.root.post(base, { key: 'V', value: scope, environment_scope: scope });
    await api.root.post(base, { key: 'P', value: 'protected', protected: true });
    await api.root.post(base, { key: 'ONLY', value: 'x', environment_scope: 'production' });
    expect(await valuesOf(api, project.id, null)).toEqual({ V: '*' });
    expect(await valuesOf(api, project.id, 'review/app')).toEqual({ V: 'review/app' });
    expect(await valuesOf(api, project.id, 'review/apple')).toEqual({ V: 're*iew/ap*' });
    expect(await valuesOf(api, project.id, 'review/b')).toEqual({ V: 'review/*' });
    expect(await valuesOf(api, project.id, 'x/app', true)).toEqual({ V: '*/app', P: 'protected' });
    expect(await valuesOf(api, project.id, 'production')).toEqual({ V: '*', ONLY: 'x' });
  });

  it('carry their type and their masked and raw flags', async () => {
    const project = await buildProject(api.root);
    const base = `/projects/${project.id}/variables`;
    await api.root.post(base, {
      key: 'F',
      value: 'masked-file',
      variable_type: 'file',
      masked: true,
      raw: true,
    });
    const [variable] = await api.app
      .get(CiVariablesRegistry)
      .of({ projectId: project.id, ref: 'main', protected: false, environment: null, job: null });
    expect(variable).toEqual({
      ...{ key: 'F', value: 'masked-file', public: false },
      ...{ masked: true, raw: true, file: true },
    });
  });

  it('are matched in a short time, even against hostile patterns', async () => {
    const project = await buildProject(api.root);
    const scope = `${'*a'.repeat(120)}*b`;
    await api.root.post(`/projects/${project.id}/variables`, {
      ...{ key: 'H', value: 'x', environment_scope: scope },
    });
    // Naive backtracking over this pattern would not finish within the timeout of this test.
    expect(await valuesOf(api, project.id, 'a'.repeat(255))).toEqual({});
  });

  it('are removed with their project and group', async () => {
    const group = await buildGroup(api);
    const project = await buildProject(api.root);
    await api.root.post(`/groups/${group.id}/variables`, { key: 'GONE', value: 'x' });
    await api.root.post(`/projects/${project.id}/variables`, { key: 'GONE', value: 'x' });
    await api.app.get(Transactions).run(async (tx) => {
      await api.app.get(PurgeProjectService).remove(tx, project.id);
      await api.app.get(DomainEvents).publish(tx, new GroupDeleted(group.id));
    });
    expect(await api.sql(`select 1 from ci_variables where key = 'GONE'`)).toEqual([]);
  });
});

/** The values that a job would receive, by key. */
async function valuesOf(
  api: TestApi,
  projectId: number,
  environment: string | null,
  isProtected = false,
): Promise<Record<string, string>> {
  const variables = await api.app
    .get(CiVariablesRegistry)
    .of({ projectId, ref: 'main', protected: isProtected, environment, job: null });
  return Object.fromEntries(variables.map(({ key, value }) => [key, value]));
}
