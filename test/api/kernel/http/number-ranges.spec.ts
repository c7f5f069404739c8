import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { TestApi } from '../../../support/api.js';
import { buildCodeProject, type CodeProject } from '../../../support/builders/code-project.js';
import { createUser } from '../../../support/builders/user.js';
import { borrowApi } from '../../../support/shared-api.js';
import { handmadeTarget, importRecords } from '../../../support/transfer-target.js';
import { until } from '../../../support/until.js';

const MAX = 2_147_483_647;
const PEBIBYTE = 2 ** 50;

describe('stored numbers', () => {
  let api: TestApi;
  let project: CodeProject;
  const places: Record<string, string> = {};
  beforeAll(async () => {
    api = await borrowApi();
    project = await buildCodeProject(api);
    places['project'] = `/projects/${project.id}`;
    places['commit'] = `${places['project']}/repository/commits/${project.commits[0]}`;
    places['user'] = `/users/${(await createUser(api)).id}`;
    const environment = { name: 'production', deploy_access_levels: [{ access_level: 40 }] };
    await api.root.post(`${places['project']}/protected_environments`, environment);
    const issue = await api.root.post<{ iid: number }>(`${places['project']}/issues`, { title: 'One' });
    places['issue'] = `${places['project']}/issues/${issue.body.iid}`;
    const runner = await api.root.post<{ id: number }>('/user/runners', { runner_type: 'instance_type' });
    places['runner'] = `/runners/${runner.body.id}`;
  });
  afterAll(() => api.close());

  const limits = '/application/plan_limits';
  const plan = { plan_name: 'default' };
  const remark = { note: 'Here', path: 'README.md' };
  const protection = 'project/protected_environments/production';

  it.each([
    ['put', limits, plan, 'ci_jobs_trace_size_limit', 0, MAX],
    ['put', limits, plan, 'ci_registered_group_runners', 0, MAX],
    ['put', limits, plan, 'ci_registered_project_runners', 0, MAX],
    ['put', limits, plan, 'generic_packages_max_file_size', 0, PEBIBYTE],
    ['put', 'user', {}, 'projects_limit', 0, MAX],
    ['put', 'user', {}, 'theme_id', 1, 11],
    ['put', 'user', {}, 'color_scheme_id', 1, 6],
    ['post', 'commit/comments', remark, 'line', 1, MAX],
    ['put', protection, {}, 'required_approval_count', 0, 5],
    ['put', 'issue', {}, 'weight', 0, MAX],
    ['put', 'runner', {}, 'maximum_timeout', 600, MAX],
    ['put', '/application/settings', {}, 'default_projects_limit', 0, MAX],
    ['put', '/application/settings', {}, 'two_factor_grace_period', 0, MAX],
    ['put', '/application/settings', {}, 'max_artifacts_size', 1, MAX],
    ['put', 'project', {}, 'build_timeout', 600, 2_678_400],
    ['put', 'project', {}, 'ci_default_git_depth', 0, 1_000],
  ] as const)('%s %s %j: %s is from %d to %d', async (verb, place, base, name, min, max) => {
    const path = place.replace(/^\w+/, (word) => places[word] ?? word);
    const lists = path.startsWith('/application') ? [] : [path.replace(/\/[^/]+$/, '')];
    for (const value of [min - 1, max + 1, 2 ** 63, -(2 ** 63), 1e308, 1.5]) {
      const { status, body } = await api.root[verb](path, { ...base, [name]: value });
      expect([value, [400, 422].includes(status)]).toEqual([value, true]);
      expect(body).toHaveProperty('message');
    }
    for (const value of [min, max]) {
      const { status } = await api.root[verb](path, { ...base, [name]: value });
      expect([value, status]).toEqual([value, verb === 'post' ? 201 : 200]);
      for (const one of [path, ...lists]) expect([one, (await api.root.get(one)).status]).toEqual([one, 200]);
    }
    if (verb === 'put') expect((await api.root.get(path)).body[name] ?? max).toBe(max);
  });

  it('are refused as a batch number beyond the last batch of an export', async () => {
    await api.root.post(`${places['project']}/labels`, { name: 'one', color: '#ffaabb' });
    const at = `${places['project']}/export_relations`;
    expect((await api.root.post(at, { batched: true })).status).toBe(202);
    const isThere = async (): Promise<boolean> =>
      (await api.root.get(`${at}/download?relation=labels&batched=true&batch_number=1`)).status === 200;
    await until(isThere);
    for (const [number, status] of [
      [0, 400],
      [2, 404],
      [MAX, 404],
      [MAX + 1, 404],
      [2 ** 53 - 1, 404],
      ['9223372036854775808', 400],
    ] as const) {
      const answer = await api.root.get(`${at}/download?relation=labels&batched=true&batch_number=${number}`);
      expect([number, answer.status]).toEqual([number, status]);
    }
  });

  it('stay exact when the time spent on imported issues is summed up', async () => {
    const target = handmadeTarget({
      of: 'project',
      ownerId: project.id,
      users: new Map([[7, 1]]),
    });
    const timelogs = Array.from({ length: 10_000 }, () => ({ time_spent: 3_155_760_000_000, user_id: 7 }));
    const estimate = Number.MAX_SAFE_INTEGER;
    const times = (iid: number, seconds: number): object => ({
      iid,
      title: 'Long',
      time_estimate: seconds,
      timelogs: timelogs.map((log) => ({ ...log, time_spent: seconds })),
    });
    const all = [estimate, 3_155_760_000_000, 315_576_000_000].map((seconds, index) =>
      times(700 + index, seconds),
    );
    await importRecords(api, target, 'issues', all as never);
    for (const iid of [700, 701, 702]) {
      const at = `${places['project']}/issues/${iid}`;
      const { body } = await api.root.get<Record<string, number>>(`${at}/time_stats`);
      expect([iid, Number.isSafeInteger(body['total_time_spent'])]).toEqual([iid, true]);
      expect(body['time_estimate']).toBeLessThanOrEqual(315_576_000_000);
      expect((await api.root.post(`${at}/add_spent_time`, { duration: '1h' })).status).toBe(201);
      expect((await api.root.post(`${at}/add_spent_time`, { duration: '-1h' })).status).toBe(201);
      expect((await api.root.post(`${at}/reset_spent_time`)).status).toBe(200);
    }
    expect((await api.root.get(`${places['project']}/issues`)).status).toBe(200);
  });
});
