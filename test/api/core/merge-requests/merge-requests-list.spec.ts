import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { TestApi } from '../../../support/api.js';
import type { CodeProject } from '../../../support/builders/code-project.js';
import {
  buildMergeRequest,
  buildMergeRequestProject,
  type MergeRequestBody,
} from '../../../support/builders/merge-request.js';
import { buildGroup } from '../../../support/builders/group.js';
import type { ApiClient } from '../../../support/client.js';
import { borrowApi } from '../../../support/shared-api.js';

let api: TestApi;
let project: CodeProject;
let groupId: number;
let milestoneId: number;

/** Returns the titles, which are the names of the branches. */
async function found(path: string, client: ApiClient = project.developer): Promise<string[]> {
  const { status, body, text } = await client.get<MergeRequestBody[]>(path);
  if (status !== 200) throw new Error(`${status} ${text}`);
  return body.map(({ title }) => title);
}

beforeAll(async () => {
  api = await borrowApi();
  groupId = (await buildGroup(api, { visibility: 'public' })).id;
  project = await buildMergeRequestProject(api, { namespace_id: groupId, visibility: 'public' });
  const milestone = await api.root.post(`/projects/${project.id}/milestones`, { title: 'Soon' });
  milestoneId = milestone.body['id'] as number;
  const make = (branch: string, values: object, client = project.developer): Promise<MergeRequestBody> =>
    buildMergeRequest(client, project.id, branch, { title: branch, ...values });
  await make('one', { labels: 'bug,ui', milestone_id: milestoneId, description: '100% sure' });
  await make('two', { labels: 'bug', assignee_ids: [project.developerId], title: 'Draft: two' });
  await make('three', { reviewer_ids: [project.developerId] }, project.maintainer);
  const four = await make('four', {});
  const path = `/projects/${project.id}/merge_requests/${four.iid}`;
  await project.developer.post(`${path}/approve`);
  await project.developer.put(path, { state_event: 'close' });
  const rule = { name: 'Eyes', approvals_required: 1, user_ids: [project.developerId] };
  await project.maintainer.post(`/projects/${project.id}/merge_requests/3/approval_rules`, rule);
});
afterAll(() => api.close());

describe('the list of merge requests of a project', () => {
  it.each([
    ['', ['four', 'three', 'Draft: two', 'one']],
    ['sort=asc&order_by=title', ['Draft: two', 'four', 'one', 'three']],
    ['state=closed', ['four']],
    ['state=opened&sort=asc', ['one', 'Draft: two', 'three']],
    ['labels=bug,ui', ['one']],
    ['labels=None&state=opened', ['three']],
    ['not[labels]=ui&labels=bug', ['Draft: two']],
    ['milestone=Soon', ['one']],
    ['milestone=None&state=opened', ['three', 'Draft: two']],
    ['assignee_id=Any', ['Draft: two']],
    ['reviewer_id=Any', ['three']],
    ['reviewer_id=None&state=opened', ['Draft: two', 'one']],
    ['scope=reviews_for_me', ['three']],
    ['scope=assigned_to_me', ['Draft: two']],
    ['wip=yes', ['Draft: two']],
    ['wip=no&state=opened', ['three', 'one']],
    ['search=100%25', ['one']],
    ['search=100%25&in=title', []],
    ['source_branch=three', ['three']],
    ['target_branch=nope', []],
    ['approved=yes', ['four']],
    ['approved=no&labels=ui', ['one']],
    ['approved_by_ids=Any', ['four']],
    ['approved_by_ids[]=None&labels=ui', ['one']],
    ['approved_by_ids[]=999999', []],
    ['approved_by_usernames[]=nobody-at-all', []],
    ['approved_by_usernames=None&labels=ui', ['one']],
    ['approved_by_usernames=Any', ['four']],
    ['approver_ids=Any', ['three']],
    ['approver_ids=None&state=opened', ['Draft: two', 'one']],
    ['approver_ids[]=999999', []],
    ['environment=production', []],
    ['deployed_after=2020-01-01', []],
    ['iids[]=1&iids[]=3', ['three', 'one']],
    ['order_by=priority&sort=asc', ['one', 'Draft: two', 'three', 'four']],
    ['pagination=keyset&order_by=id&sort=asc', ['one', 'Draft: two', 'three', 'four']],
  ])('with %j contains %j', async (query, titles) => {
    expect(await found(`/projects/${project.id}/merge_requests?${query}`)).toEqual(titles);
  });

  it('filters by author, by id or by name but not by both', async () => {
    const path = `/projects/${project.id}/merge_requests`;
    expect(await found(`${path}?author_id=${project.developerId}&state=opened`)).toEqual([
      'Draft: two',
      'one',
    ]);
    const both = await project.developer.get(`${path}?author_id=1&author_username=root`);
    expect([both.status, both.body]).toEqual([
      400,
      { message: { author_id: ['is mutually exclusive with author_username'] } },
    ]);
    expect((await project.developer.get(`${path}?state=new`)).status).toBe(400);
  });

  it('filters by approvers', async () => {
    const { id, developer, developerId } = project;
    const { body: me } = await developer.get<{ username: string }>('/user');
    const path = `/projects/${id}/merge_requests`;
    expect(await found(`${path}?approved_by_usernames[]=${me.username.toUpperCase()}`)).toEqual(['four']);
    expect(await found(`${path}?approver_ids[]=${developerId}`)).toEqual(['three']);
    const both = await developer.get(`${path}?approved_by_ids[]=1&approved_by_usernames[]=root`);
    expect(both.status).toBe(400);
  });

  it('shows short records, and labels with details, on request', async () => {
    const path = `/projects/${project.id}/merge_requests?iids[]=1`;
    const simple = await project.developer.get<object[]>(`${path}&view=simple`);
    expect(Object.keys(simple.body[0] ?? {}).sort()).toEqual(
      'id iid project_id title description state created_at updated_at web_url'.split(' ').sort(),
    );
    const detailed = await project.developer.get<MergeRequestBody[]>(`${path}&with_labels_details=true`);
    expect(detailed.body[0]?.labels).toEqual([
      expect.objectContaining({ name: 'bug', color: expect.any(String) as unknown }),
      expect.objectContaining({ name: 'ui' }),
    ]);
    expect(detailed.headers.get('deprecation')).toMatch(/^@\d+$/);
    expect(detailed.headers.get('x-total')).toBe('1');
  });
});

describe('lists of merge requests of many projects', () => {
  it("contain the caller's own unless others are requested", async () => {
    expect(await found('/merge_requests')).toEqual(['four', 'Draft: two', 'one']);
    expect(await found('/merge_requests?scope=all', api.anonymous)).toHaveLength(4);
    expect((await api.anonymous.get('/merge_requests')).status).toBe(401);
  });

  it('hide what the caller may not read', async () => {
    const hidden = await buildMergeRequestProject(api, { namespace_id: groupId });
    await buildMergeRequest(hidden.developer, hidden.id, 'one', { title: 'hidden' });
    const path = `/groups/${groupId}/merge_requests`;
    expect(await found(path, api.anonymous)).not.toContain('hidden');
    expect(await found(path, hidden.guest)).not.toContain('hidden');
    expect(await found(path, hidden.reporter)).toContain('hidden');
    expect(await found('/merge_requests?scope=all', project.developer)).not.toContain('hidden');
    expect((await hidden.guest.get(`/projects/${hidden.id}/merge_requests`)).status).toBe(403);
  });

  it('exist for milestones, issues and commits too', async () => {
    expect(await found(`/projects/${project.id}/milestones/${milestoneId}/merge_requests`)).toEqual(['one']);
    const commit = await project.work.git('rev-parse', 'two');
    expect(await found(`/projects/${project.id}/repository/commits/${commit}/merge_requests`)).toEqual([
      'Draft: two',
    ]);
  });
  it('are found by each commit that they bring, and by none that they start from', async () => {
    const { id, work, repositoryPath, developer } = await buildMergeRequestProject(api);
    const commits: string[] = [];
    await work.git('checkout', '--quiet', '-b', 'long', 'main');
    for (const name of ['1', '2', '3']) commits.push(await work.commit({ [name]: name }, name));
    await work.git('checkout', '--quiet', '-b', 'longer');
    commits.push(await work.commit({ '4': '4' }, '4'));
    await work.git('push', '--quiet', repositoryPath, 'long', 'longer');
    await buildMergeRequest(developer, id, 'long', { title: 'long' });
    await buildMergeRequest(developer, id, 'longer', { title: 'next', target_branch: 'long' });
    await buildMergeRequest(developer, id, 'longer', { title: 'all' });
    const main = await work.git('rev-parse', 'main');
    const of = (commit: string): Promise<string[]> =>
      found(`/projects/${id}/repository/commits/${commit}/merge_requests`, developer);
    expect(await Promise.all([main, ...commits].map(of))).toEqual([
      [],
      ['all', 'long'],
      ['all', 'long'],
      ['all', 'long'],
      ['all', 'next'],
    ]);
  });
});
