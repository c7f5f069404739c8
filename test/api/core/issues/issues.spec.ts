import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { TestApi } from '../../../support/api.js';
import { buildIssue, type BuiltIssue } from '../../../support/builders/issue.js';
import { buildProjectTeam, type ProjectTeam } from '../../../support/builders/project-team.js';
import type { ApiClient } from '../../../support/client.js';
import { borrowApi } from '../../../support/shared-api.js';

let api: TestApi;
let team: ProjectTeam;
let path: string;

beforeAll(async () => {
  api = await borrowApi();
  team = await buildProjectTeam(api);
  path = `/projects/${team.projectId}/issues`;
});
afterAll(() => api.close());

const idOf = async (client: ApiClient): Promise<number> => (await client.get('/user')).body['id'] as number;

const change = (
  iid: number,
  values: object,
  client = team.reporter,
): Promise<{ status: number; body: BuiltIssue }> => client.put<BuiltIssue>(`${path}/${iid}`, values);

describe('a new issue', () => {
  it('is returned completely', async () => {
    const authorId = await idOf(team.reporter);
    const { status, body } = await team.reporter.post(path, {
      title: '  Pages load slowly ',
      description: '- [x] measure\n- [ ] mend',
      labels: 'speed,bug',
      due_date: '2030-01-02',
    });
    const self = `http://forgeplane.test/api/v4/projects/${team.projectId}/issues/${String(body['iid'])}`;
    expect(status).toBe(201);
    expect(body).toMatchObject({
      iid: 1,
      project_id: team.projectId,
      title: 'Pages load slowly',
      state: 'opened',
      labels: ['bug', 'speed'],
      author: { id: authorId },
      assignees: [],
      assignee: null,
      milestone: null,
      closed_at: null,
      closed_by: null,
      due_date: '2030-01-02',
      confidential: false,
      discussion_locked: null,
      type: 'ISSUE',
      issue_type: 'issue',
      severity: 'UNKNOWN',
      user_notes_count: 0,
      merge_requests_count: 0,
      web_url: `http://forgeplane.test/${team.path}/-/issues/1`,
      time_stats: {
        time_estimate: 0,
        total_time_spent: 0,
        human_time_estimate: null,
        human_total_time_spent: null,
      },
      task_completion_status: { count: 2, completed_count: 1 },
      has_tasks: true,
      task_status: '1 of 2 checklist items completed',
      _links: {
        self,
        notes: `${self}/notes`,
        award_emoji: `${self}/award_emoji`,
        closed_as_duplicate_of: null,
      },
      references: { short: '#1', relative: '#1', full: `${team.path}#1` },
      subscribed: true,
      weight: null,
      epic: null,
    });
    expect((await team.guest.get(`${path}/1`)).body).toMatchObject({
      title: 'Pages load slowly',
      subscribed: false,
    });
  });

  it.each([
    [{}, '400 (Bad request) "title" not given'],
    [{ title: ' ' }, { title: ["can't be blank"] }],
    [{ title: 'x'.repeat(256) }, { title: ['is too long (maximum is 255 characters)'] }],
    [{ title: 'x', confidential: 'foo' }, { confidential: ['is invalid'] }],
    [{ title: 'x', due_date: 'soon' }, { due_date: ['is invalid'] }],
    [{ title: 'x', milestone_id: 999_999 }, { milestone_id: ['is invalid'] }],
    [{ title: ['x'] }, { title: ['is invalid'] }],
    [{ title: 'a\0b' }, { title: ['is invalid'] }],
  ])('is refused: %j', async (values, message) => {
    const answer = await team.reporter.post(path, values);
    expect([answer.status, answer.body]).toEqual([400, { message }]);
  });

  it('accepts a time and a number from owners only', async () => {
    const values = { iid: 500, created_at: '2020-01-01T00:00:00Z' };
    const owned = await buildIssue(api.root, team.projectId, values);
    expect(owned).toMatchObject({ iid: 500, created_at: '2020-01-01T00:00:00.000Z' });
    const others = await buildIssue(team.maintainer, team.projectId, values);
    expect(others.iid).toBe(501);
    expect(others.created_at > '2025').toBe(true);
    const again = await api.root.post(path, { title: 'again', iid: 500 });
    expect([again.status, again.body]).toEqual([409, { message: 'Duplicated issue' }]);
  });

  it('has labels of any name; missing ones are created only for users who may create them', async () => {
    const labels = ['a?b', 'c&d', 'e/f', 'g:h', 'one,two'];
    const made = await buildIssue(team.reporter, team.projectId, { labels });
    expect(made.labels).toEqual(['a?b', 'c&d', 'e/f', 'g:h', 'one', 'two']);
    const guests = await buildIssue(team.guest, team.projectId, { labels: ['bug', 'unheard'] });
    expect(guests.labels).toEqual(['bug']);
  });

  it('is refused beyond the limit per minute', async () => {
    await api.root.put('/application/settings', { issues_create_limit: 1 });
    await buildIssue(team.developer, team.projectId);
    const { status } = await team.developer.post(path, { title: 'one more' });
    await api.root.put('/application/settings', { issues_create_limit: 0 });
    expect(status).toBe(429);
  });
});

describe('changes', () => {
  it('add, remove and replace labels, and update the time of the issue', async () => {
    const { iid, updated_at: before } = await buildIssue(team.reporter, team.projectId, { labels: 'a,b' });
    const both = await change(iid, { add_labels: 'c,d', remove_labels: ['a'] });
    expect(both.body.labels).toEqual(['b', 'c', 'd']);
    expect(both.body.updated_at > before).toBe(true);
    expect((await change(iid, { labels: ['x'] })).body.labels).toEqual(['x']);
    expect((await change(iid, { title: 'same labels' })).body.labels).toEqual(['x']);
    expect((await change(iid, { labels: [''] })).body.labels).toEqual([]);
    expect((await change(iid, { labels: 'y' })).body.labels).toEqual(['y']);
    expect((await change(iid, { labels: '' })).body.labels).toEqual([]);
  });

  it('replace and clear assignees', async () => {
    const [one, two, outsider] = await Promise.all([team.developer, team.guest, team.stranger].map(idOf));
    const { iid } = await buildIssue(team.reporter, team.projectId, { assignee_ids: [one, two, outsider] });
    const seen = async (): Promise<number[]> =>
      (await team.guest.get<BuiltIssue>(`${path}/${iid}`)).body.assignees.map(({ id }) => id);
    expect(await seen()).toEqual([two, one]);
    await change(iid, { assignee_id: two });
    expect(await seen()).toEqual([two]);
    await change(iid, { assignee_ids: [0] });
    expect(await seen()).toEqual([]);
    await change(iid, { assignee_ids: String(one) });
    await change(iid, { assignee_id: 0 });
    expect(await seen()).toEqual([]);
  });

  it('allow one assignee and no weight on the free plan', async () => {
    const users = await Promise.all([team.developer, team.guest].map(idOf));
    await api.sql(`update application_settings set license_plan = 'free', version = version + 1`);
    const free = await buildIssue(team.reporter, team.projectId, {
      assignee_ids: [...users].reverse(),
      weight: 3,
    });
    await api.sql(`update application_settings set license_plan = 'ultimate', version = version + 1`);
    expect(free.assignees.map(({ id }) => id)).toEqual([users[1]]);
    const seen = await change(free.iid, { weight: 4, health_status: 'at_risk' });
    expect([free.weight, seen.body]).toMatchObject([null, { weight: 4, health_status: 'at_risk' }]);
  });

  it('close and reopen, and write a note each', async () => {
    const { iid } = await buildIssue(team.reporter, team.projectId);
    const closed = await change(iid, { state_event: 'close' });
    expect(closed.body).toMatchObject({ state: 'closed', closed_by: { id: await idOf(team.reporter) } });
    expect(closed.body.closed_at).not.toBeNull();
    expect((await change(iid, { state_event: 'close' })).status).toBe(200);
    expect((await change(iid, { state_event: 'reopen' })).body).toMatchObject({
      state: 'opened',
      closed_at: null,
    });
    await change(iid, { title: 'Another title', labels: 'new' });
    const notes = await team.guest.get<{ body: string }[]>(`${path}/${iid}/notes?sort=asc`);
    expect(notes.body.map(({ body }) => body)).toEqual([
      'closed',
      'reopened',
      expect.stringMatching(/^changed title from \*\*Issue \d+\*\* to \*\*Another title\*\*$/) as unknown,
      'added ~new label',
    ]);
  });

  it('clear attributes with null, and need at least one attribute', async () => {
    const milestone = await api.root.post(`/projects/${team.projectId}/milestones`, { title: 'v1' });
    const given = { milestone_id: milestone.body['id'], due_date: '2030-05-06', description: 'text' };
    const { iid, ...made } = await buildIssue(team.reporter, team.projectId, given);
    expect(made).toMatchObject({ milestone: { title: 'v1' }, due_date: '2030-05-06' });
    const cleared = await change(iid, { milestone_id: null, due_date: '', description: null });
    expect(cleared.body).toMatchObject({ milestone: null, due_date: null, description: null });
    expect((await change(iid, {})).status).toBe(400);
    expect((await change(iid, { title: ' ' })).body).toEqual({ message: { title: ["can't be blank"] } });
  });

  it('treat an empty description as null, and write no note if it was null', async () => {
    const { iid, ...made } = await buildIssue(team.reporter, team.projectId, { description: '' });
    expect(made).toMatchObject({ description: null });
    expect((await change(iid, { description: '' })).body).toMatchObject({ description: null });
    const notes = await api.root.get(`/projects/${team.projectId}/issues/${iid}/notes`);
    expect(notes.body).toEqual([]);
  });

  it('accept a time from owners only', async () => {
    const { iid } = await buildIssue(team.reporter, team.projectId);
    const at = '2021-02-03T04:05:06.000Z';
    expect((await change(iid, { title: 'x', updated_at: at }, api.root)).body.updated_at).toBe(at);
    expect((await change(iid, { title: 'y', updated_at: at })).body.updated_at > at).toBe(true);
    for (const updated_at of [null, '', 'yesterday']) {
      const answer = await change(iid, { title: 'z', updated_at }, api.root);
      expect([answer.status, answer.body]).toEqual([400, { message: { updated_at: ['is invalid'] } }]);
    }
  });

  it('update the count of open issues of the project', async () => {
    const open = async (): Promise<unknown> =>
      (await api.root.get(`/projects/${team.projectId}`)).body['open_issues_count'];
    const before = (await open()) as number;
    const { iid } = await buildIssue(team.reporter, team.projectId);
    expect(await open()).toBe(before + 1);
    await change(iid, { state_event: 'close' });
    expect(await open()).toBe(before);
    await change(iid, { state_event: 'reopen' });
    expect(await open()).toBe(before + 1);
    await api.root.delete(`${path}/${iid}`);
    expect(await open()).toBe(before);
  });
});

it('orders issues manually, even if there is no room between them', async () => {
  const own = await buildProjectTeam(api);
  const issues = [];
  for (let index = 0; index < 3; index += 1) issues.push(await buildIssue(own.reporter, own.projectId));
  const [first, second, third] = issues.map(({ id }) => id);
  const ordered = async (): Promise<number[]> =>
    (
      await own.guest.get<BuiltIssue[]>(`/projects/${own.projectId}/issues?order_by=relative_position`)
    ).body.map(({ id }) => id);
  const move = (iid: number, values: object): Promise<{ status: number }> =>
    own.reporter.put(`/projects/${own.projectId}/issues/${iid}/reorder`, values);
  expect((await move(3, { move_before_id: first })).status).toBe(200);
  expect(await ordered()).toEqual([third, first, second]);
  for (let turn = 0; turn < 12; turn += 1) await move(turn % 2 === 0 ? 2 : 1, { move_after_id: third });
  expect(await ordered()).toEqual([third, first, second]);
  // Between two others, whichever of them comes first in the parameters.
  await move(2, { move_after_id: first, move_before_id: third });
  expect(await ordered()).toEqual([third, second, first]);
  await move(1, { move_after_id: third, move_before_id: second });
  expect(await ordered()).toEqual([third, first, second]);
  expect((await move(1, { move_after_id: 999_999 })).status).toBe(404);
});
