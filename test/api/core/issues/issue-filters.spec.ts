import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { TestApi } from '../../../support/api.js';
import { buildGroup } from '../../../support/builders/group.js';
import { buildIssue, type BuiltIssue } from '../../../support/builders/issue.js';
import { buildProject } from '../../../support/builders/project.js';
import { borrowApi } from '../../../support/shared-api.js';

let api: TestApi;
let groupId: number;
let projectId: number;
let epicId: number;

beforeAll(async () => {
  api = await borrowApi();
  groupId = (await buildGroup(api)).id;
  projectId = (await buildProject(api.root, { namespace_id: groupId })).id;
  epicId = (await api.root.post(`/groups/${groupId}/epics`, { title: 'Epic' })).body['id'] as number;
  await api.root.post(`/projects/${projectId}/milestones`, { title: 'next' });
  await buildIssue(api.root, projectId, { title: 'none' });
  await buildIssue(api.root, projectId, { title: 'zero', weight: 0, health_status: 'at_risk' });
  await buildIssue(api.root, projectId, {
    title: 'five',
    weight: 5,
    epic_id: epicId,
    due_date: '2030-01-01',
  });
});
afterAll(() => api.close());

const found = async (base: string, query: string): Promise<string[]> => {
  const answer = await api.root.get<BuiltIssue[]>(`${base}/issues?sort=asc&${query}`);
  if (answer.status !== 200) throw new Error(`${query}: ${answer.status} ${answer.text}`);
  return answer.body.map(({ title }) => title);
};

const counted = async (base: string, query: string): Promise<unknown> => {
  const answer = await api.root.get<{ statistics: { counts: { all: number } } }>(
    `${base}/issues_statistics?${query}`,
  );
  return answer.body.statistics.counts.all;
};

const ALL = ['none', 'zero', 'five'];

describe('lists of issues of a project, a group and everywhere', () => {
  it.each([
    ['weight=0', ['zero']],
    ['weight=5', ['five']],
    ['weight=NONE', ['none']],
    ['weight=any', ['zero', 'five']],
    ['not[weight]=0', ['none', 'five']],
    ['not[weight]=5', ['none', 'zero']],
    ['health_status=ANY', ['zero']],
    ['health_status=nOne', ['none', 'five']],
    ['health_status=at_risk', ['zero']],
    ['not[health_status]=at_risk', ['none', 'five']],
    ['iteration_id=Any', []],
    ['iteration_id=none', ALL],
    ['iteration_id=Current', []],
    ['iteration_id=7', []],
    ['iteration_title=Sprint', []],
    ['not[iteration_id]=7', ALL],
    ['not[iteration_title]=Sprint', ALL],
    ['search=o&in=', ['none', 'zero']],
    ['milestone=', ALL],
    ['author_username=', ALL],
    ['not[milestone]=', ALL],
    ['not[author_username]=', ALL],
    ['due_date=', ALL],
    ['iteration_id=', ALL],
    ['weight=', ALL],
  ])('filter by %s', async (query, expected) => {
    const everywhere = `${query}&scope=all&created_after=2020-01-01`;
    expect(await found(`/projects/${projectId}`, query)).toEqual(expected);
    expect(await found(`/groups/${groupId}`, query)).toEqual(expected);
    expect(await found('', everywhere)).toEqual(expected);
    expect(await counted(`/projects/${projectId}`, query)).toBe(expected.length);
    expect(await counted(`/groups/${groupId}`, query)).toBe(expected.length);
    expect(await counted('', everywhere)).toBe(expected.length);
  });

  it('exclude those of an epic', async () => {
    expect(await found(`/projects/${projectId}`, `not[epic_id]=${epicId}`)).toEqual(['none', 'zero']);
    expect(await found(`/projects/${projectId}`, 'not[epic_id]=999999')).toEqual(ALL);
  });

  it('ignore filters that the free plan lacks', async () => {
    await api.sql(`update application_settings set license_plan = 'free', version = version + 1`);
    const free = await found(`/projects/${projectId}`, 'iteration_id=Any&not[weight]=5&health_status=Any');
    await api.sql(`update application_settings set license_plan = 'ultimate', version = version + 1`);
    expect(free).toEqual(ALL);
  });

  it.each([
    ['weight=-1', { weight: ['is invalid'] }],
    ['weight=heavy', { weight: ['is invalid'] }],
    ['weight=99999999999999999999', { weight: ['is invalid'] }],
    ['health_status=fine', { health_status: ['does not have a valid value'] }],
    ['iteration_id=soon', { iteration_id: ['is invalid'] }],
    [
      'iteration_id=1&iteration_title=Sprint',
      { iteration_id: ['is mutually exclusive with iteration_title'] },
    ],
    ['not[weight]=x', { not: { weight: ['is invalid'] } }],
    ['not[health_status]=fine', { not: { health_status: ['does not have a valid value'] } }],
    ['in=author', { in: ['is invalid'] }],
  ])('refuse %s', async (query, message) => {
    const answer = await api.root.get(`/projects/${projectId}/issues?${query}`);
    expect([answer.status, answer.body]).toEqual([400, { message }]);
  });
});
