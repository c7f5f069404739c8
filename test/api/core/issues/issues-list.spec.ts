import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { TestApi } from '../../../support/api.js';
import type { Answer } from '../../../support/client.js';
import { buildIssue, insertIssues, type BuiltIssue } from '../../../support/builders/issue.js';
import { buildGroup } from '../../../support/builders/group.js';
import { buildProject } from '../../../support/builders/project.js';
import { buildProjectTeam, type ProjectTeam } from '../../../support/builders/project-team.js';
import { borrowApi } from '../../../support/shared-api.js';

let api: TestApi;
let team: ProjectTeam;
let path: string;
let guest: { id: number; username: string };
/** Number of each issue by its title. */
const titles = new Map<number, string>();

beforeAll(async () => {
  api = await borrowApi();
  team = await buildProjectTeam(api);
  path = `/projects/${team.projectId}/issues`;
  const me = await team.guest.get<{ id: number; username: string }>('/user');
  guest = me.body;
  await api.root.post(`/projects/${team.projectId}/labels`, { name: 'bug', color: '#ff0000', priority: 1 });
  const next = await api.root.post(`/projects/${team.projectId}/milestones`, {
    title: 'next',
    start_date: '2020-01-01',
    due_date: '2099-01-01',
  });
  const later = await api.root.post(`/projects/${team.projectId}/milestones`, {
    title: 'later',
    due_date: '2099-06-01',
  });
  const make = async (title: string, values: object, client = team.reporter): Promise<void> => {
    titles.set((await buildIssue(client, team.projectId, { title, ...values })).iid, title);
  };
  await make('plain', { description: '100% sure' });
  await make('bug', { labels: 'bug', assignee_id: guest.id, milestone_id: next.body['id'], weight: 3 });
  await make('both', { labels: 'bug,fast', milestone_id: later.body['id'], due_date: '2001-02-03' });
  await make('incident', { issue_type: 'incident', labels: 'fast', weight: 1, due_date: '2098-01-01' });
  await make('mine', { confidential: true }, team.guest);
  await team.reporter.post(`${path}/1/award_emoji`, { name: 'thumbsup' });
  await team.reporter.put(`${path}/4`, { state_event: 'close' });
});
afterAll(() => api.close());

const list = async (query: string, client = team.reporter): Promise<string[]> => {
  const answer = await client.get<BuiltIssue[]>(`${path}?${query}`);
  if (answer.status !== 200) throw new Error(`${query}: ${answer.status} ${answer.text}`);
  return answer.body.map(({ title }) => title);
};

describe('the list of issues of a project', () => {
  it.each([
    ['state=opened', ['mine', 'both', 'bug', 'plain']],
    ['state=closed', ['incident']],
    ['state=all', ['mine', 'incident', 'both', 'bug', 'plain']],
    ['labels=bug', ['both', 'bug']],
    ['labels=bug,fast', ['both']],
    ['labels[]=bug&labels[]=fast', ['both']],
    ['labels=bug&order_by=updated_at&sort=asc', ['bug', 'both']],
    ['labels=unheard', []],
    ['labels=bug,fast,x,y', []],
    ['not[labels]=fast,x,y,z', ['mine', 'bug', 'plain']],
    ['labels=None', ['mine', 'plain']],
    ['labels=any&sort=asc', ['bug', 'both', 'incident']],
    ['milestone=next', ['bug']],
    ['milestone=None', ['mine', 'incident', 'plain']],
    ['milestone_id=Any', ['both', 'bug']],
    ['milestone_id=Upcoming', ['bug']],
    ['milestone_id=started', ['bug']],
    ['iids[]=1&iids[]=3', ['both', 'plain']],
    ['search=BOTH', ['both']],
    ['search=100%25&in=title', []],
    ['search=0%25 s&in=description', ['plain']],
    ['search=_', []],
    ['confidential=true', ['mine']],
    ['issue_type=incident', ['incident']],
    ['due_date=overdue', ['both']],
    ['due_date=0', ['mine', 'bug', 'plain']],
    ['due_date=any', ['incident', 'both']],
    ['due_date=week', []],
    ['assignee_id=None', ['mine', 'incident', 'both', 'plain']],
    ['assignee_id=Any', ['bug']],
    ['my_reaction_emoji=thumbsup', ['plain']],
    ['my_reaction_emoji=None', ['mine', 'incident', 'both', 'bug']],
    ['weight=3', ['bug']],
    ['health_status=Any', []],
    ['health_status=none&confidential=true', ['mine']],
    ['weight=None', ['mine', 'both', 'plain']],
    ['created_after=2099-01-01T00:00:00Z', []],
    ['updated_before=2099-01-01T00:00:00Z&scope=created_by_me&state=closed', ['incident']],
    ['not[labels]=bug', ['mine', 'incident', 'plain']],
    ['not[milestone]=next&not[iids][]=5', ['incident', 'both', 'plain']],
    ['order_by=title&sort=asc', ['both', 'bug', 'incident', 'mine', 'plain']],
    ['order_by=due_date&sort=asc', ['both', 'incident', 'plain', 'bug', 'mine']],
    ['order_by=weight', ['bug', 'incident', 'mine', 'both', 'plain']],
    ['order_by=popularity', ['plain', 'mine', 'incident', 'both', 'bug']],
    ['order_by=milestone_due&sort=asc', ['bug', 'both', 'plain', 'incident', 'mine']],
    ['order_by=label_priority&sort=asc', ['bug', 'both', 'plain', 'incident', 'mine']],
    ['order_by=priority&sort=asc', ['bug', 'both', 'plain', 'incident', 'mine']],
    ['order_by=id&sort=asc&pagination=keyset', ['plain', 'bug', 'both', 'incident', 'mine']],
  ])('filters and orders by %s', async (query, expected) => {
    expect(await list(query)).toEqual(expected);
  });

  it('filters by users', async () => {
    expect(await list(`author_id=${guest.id}`)).toEqual(['mine']);
    expect(await list(`author_username=${guest.username}`)).toEqual(['mine']);
    expect(await list(`not[author_username]=${guest.username}&state=opened`)).toEqual([
      'both',
      'bug',
      'plain',
    ]);
    expect(await list(`assignee_id=${guest.id}`)).toEqual(['bug']);
    expect(await list(`assignee_id=${guest.id}&labels=bug&state=opened`)).toEqual(['bug']);
    expect(await list(`assignee_id=${guest.id}&labels=fast`)).toEqual([]);
    expect(await list(`assignee_username[]=${guest.username}&sort=asc`)).toEqual(['bug']);
    expect(await list('scope=assigned-to-me', team.guest)).toEqual(['bug']);
    expect(await list('scope=created_by_me', team.guest)).toEqual(['mine']);
  });

  it.each([
    ['author_id=1&author_username=x', 'author_id'],
    ['assignee_id=1&assignee_username[]=x', 'assignee_id'],
    ['milestone=x&milestone_id=None', 'milestone'],
    ['order_by=speed', 'order_by'],
    ['state=merged', 'state'],
    ['due_date=someday', 'due_date'],
    ['assignee_id=me', 'assignee_id'],
    ['in=author', 'in'],
    ['labels[a]=b', 'labels'],
    ['not=1', 'not'],
  ])('refuses %s', async (query, name) => {
    const answer = await team.reporter.get<{ message: object }>(`${path}?${query}`);
    expect([answer.status, Object.keys(answer.body.message)]).toEqual([400, [name]]);
  });

  it('shows labels with details on request', async () => {
    const answer = await team.reporter.get<BuiltIssue[]>(`${path}?labels=bug&with_labels_details=yes&iids=2`);
    expect(answer.body[0]?.labels).toEqual([expect.objectContaining({ name: 'bug', color: '#ff0000' })]);
  });

  it('counts and paginates by offset and keyset with the same filters', async () => {
    const own = await buildProjectTeam(api);
    await insertIssues(api, own.projectId, 250);
    const at = `/projects/${own.projectId}/issues`;
    const first = await own.guest.get(`${at}?per_page=100`);
    expect(first.headers.get('x-total')).toBe('250');
    const deep = await own.guest.get<BuiltIssue[]>(`${at}?per_page=10&page=22&sort=asc&state=opened`);
    expect(deep.body.map(({ iid }) => iid)).toEqual([211, 212, 213, 214, 215, 216, 217, 218, 219, 220]);
    expect(deep.headers.get('x-total')).toBe('250');
    const project = await api.root.get(`/projects/${own.projectId}`);
    expect(project.body['open_issues_count']).toBe(250);
  });
});

it('lists the issues of a group by keyset, and those of a milestone by its title', async () => {
  const group = await buildGroup(api);
  const projects = [
    await buildProject(api.root, { namespace_id: group.id }),
    await buildProject(api.root, { namespace_id: group.id }),
  ];
  const milestone = await api.root.post(`/groups/${group.id}/milestones`, { title: 'shared' });
  const made: string[] = [];
  for (let index = 0; index < 6; index += 1) {
    const values = {
      title: `walk ${index}`,
      ...(index % 3 === 0 ? {} : { milestone_id: milestone.body['id'] }),
    };
    made.push((await buildIssue(api.root, projects[index % 2]?.id ?? 0, values)).title);
  }
  const at = `/groups/${group.id}/issues`;
  for (const sort of ['asc', 'desc']) {
    const found: string[] = [];
    let next: string | null = `${at}?pagination=keyset&order_by=id&sort=${sort}&per_page=2`;
    while (next !== null) {
      const { status, body, headers }: Answer<BuiltIssue[]> = await api.root.get<BuiltIssue[]>(next);
      expect(status).toBe(200);
      found.push(...body.map(({ title }) => title));
      next = /\/api\/v4(\/[^>]*)>; rel="next"/.exec(headers.get('link') ?? '')?.[1] ?? null;
    }
    expect(found).toEqual(sort === 'asc' ? made : made.toReversed());
  }
  const shared = await api.root.get<BuiltIssue[]>(`${at}?milestone=shared&sort=asc`);
  expect(shared.body.map(({ title }) => title)).toEqual(['walk 1', 'walk 2', 'walk 4', 'walk 5']);
  expect(shared.headers.get('x-total')).toBe('4');
  const ofOne = await api.root.get<BuiltIssue[]>(
    `/projects/${projects[0]?.id}/issues?milestone=shared&order_by=id`,
  );
  expect(ofOne.body.map(({ title }) => title)).toEqual(['walk 4', 'walk 2']);
});

it('lists the issues of a milestone only if it belongs to the project or group', async () => {
  const [milestone] = await api.sql<{ id: number }>(`select id from milestones where title = 'next'`);
  const at = `/projects/${team.projectId}/milestones`;
  expect((await team.guest.get(`${at}/${milestone?.id}/issues`)).body).toMatchObject([{ title: 'bug' }]);
  expect((await team.guest.get(`${at}/999999/issues`)).body).toEqual({ message: '404 Milestone Not Found' });
});

it('counts by state with the filters of lists', async () => {
  const counts = async (query: string, client = team.reporter): Promise<unknown> =>
    (await client.get(query)).body;
  const at = `/projects/${team.projectId}/issues_statistics`;
  expect(await counts(at)).toEqual({ statistics: { counts: { all: 5, closed: 1, opened: 4 } } });
  expect(await counts(at, team.developer)).toEqual(await counts(at));
  expect(await counts(`${at}?labels=fast`)).toEqual({
    statistics: { counts: { all: 2, closed: 1, opened: 1 } },
  });
  expect(await counts('/issues_statistics', team.guest)).toEqual({
    statistics: { counts: { all: 1, closed: 0, opened: 1 } },
  });
  expect((await api.anonymous.get('/issues_statistics')).status).toBe(401);
  expect((await api.anonymous.get('/issues')).status).toBe(401);
  expect((await api.anonymous.get('/issues?scope=all')).body).toEqual([]);
});
