import { afterAll, beforeAll, expect, it } from '@jest/globals';
import type { TestApi } from '../../../support/api.js';
import { buildIssue, type BuiltIssue } from '../../../support/builders/issue.js';
import { buildMember } from '../../../support/builders/member.js';
import { buildProjectTeam, type ProjectTeam } from '../../../support/builders/project-team.js';
import { createUser } from '../../../support/builders/user.js';
import type { Answer } from '../../../support/client.js';
import { borrowApi } from '../../../support/shared-api.js';

let api: TestApi;
let team: ProjectTeam;
let other: ProjectTeam;

beforeAll(async () => {
  api = await borrowApi();
  [team, other] = [await buildProjectTeam(api), await buildProjectTeam(api)];
});
afterAll(() => api.close());

it('moves an issue with all related rows', async () => {
  const authorId = (await team.developer.get('/user')).body['id'] as number;
  await api.root.post(`/projects/${other.projectId}/members`, { user_id: authorId, access_level: 20 });
  await api.root.post(`/projects/${other.projectId}/labels`, { name: 'bug', color: '#ff0000' });
  const issue = await buildIssue(team.developer, team.projectId, {
    description: 'Look at this',
    labels: 'bug,only-here',
    assignee_ids: [authorId],
  });
  const here = `/projects/${team.projectId}/issues/${issue.iid}`;
  const note = await team.guest.post(`${here}/notes`, { body: 'I saw it too' });
  await team.reporter.post(`${here}/notes/${String(note.body['id'])}/award_emoji`, { name: 'thumbsup' });
  await team.guest.post(`${here}/award_emoji`, { name: 'thumbsup' });
  await team.reporter.post(`${here}/time_estimate`, { duration: '2h' });
  await team.reporter.post(`${here}/add_spent_time`, { duration: '30m' });

  const moved = await team.developer.post<BuiltIssue>(`${here}/move`, { to_project_id: other.projectId });
  expect(moved.status).toBe(201);
  expect(moved.body).toMatchObject({
    project_id: other.projectId,
    iid: 1,
    title: issue.title,
    description: 'Look at this',
    state: 'opened',
    labels: ['bug'],
    created_at: issue.created_at,
    author: { id: authorId },
    assignees: [{ id: authorId }],
    upvotes: 1,
    user_notes_count: 1,
    time_stats: { time_estimate: 7200, total_time_spent: 1800 },
    references: { full: `${other.path}#1` },
  });
  const notes = await other.guest.get<{ body: string; system: boolean; id: number }[]>(
    `/projects/${other.projectId}/issues/1/notes?activity_filter=only_comments`,
  );
  expect(notes.body).toMatchObject([{ body: 'I saw it too' }]);
  const emoji = await other.guest.get(
    `/projects/${other.projectId}/issues/1/notes/${notes.body[0]?.id}/award_emoji`,
  );
  expect(emoji.body).toMatchObject([{ name: 'thumbsup' }]);
  expect((await team.guest.get(here)).body).toMatchObject({ state: 'closed', moved_to_id: moved.body.id });
  const again = await api.root.post(`${here}/move`, { to_project_id: other.projectId });
  expect([again.status, again.body]).toEqual([
    400,
    { message: 'Cannot move issue that has been moved already!' },
  ]);
});

it('refuses users who may not plan in both projects', async () => {
  const { iid } = await buildIssue(team.guest, team.projectId);
  const path = `/projects/${team.projectId}/issues/${iid}/move`;
  expect((await team.guest.post(path, { to_project_id: other.projectId })).status).toBe(403);
  expect((await team.reporter.post(path, { to_project_id: other.projectId })).body).toEqual({
    message: '404 Project Not Found',
  });
  expect((await team.reporter.post(path, { to_project_id: team.projectId })).status).toBe(400);
  const reporterId = (await team.reporter.get('/user')).body['id'];
  await api.root.post(`/projects/${other.projectId}/members`, { user_id: reporterId, access_level: 10 });
  expect((await team.reporter.post(path, { to_project_id: other.projectId })).status).toBe(403);
  await api.root.post(`/projects/${other.projectId}/archive`);
  expect((await api.root.post(path, { to_project_id: other.projectId })).status).toBe(403);
  await api.root.post(`/projects/${other.projectId}/unarchive`);
});

it('creates no more issues per minute than a user may', async () => {
  const { iid } = await buildIssue(api.root, team.projectId);
  const mover = await createUser(api);
  for (const projectId of [team.projectId, other.projectId])
    await buildMember(api, `projects/${projectId}`, mover.id, 20);
  await api.root.put('/application/settings', { issues_create_limit: 1 });
  const move = (projectId: number, number: number, to: number): Promise<Answer<BuiltIssue>> =>
    mover.client.post<BuiltIssue>(`/projects/${projectId}/issues/${number}/move`, { to_project_id: to });
  const there = await move(team.projectId, iid, other.projectId);
  const back = await move(other.projectId, there.body.iid, team.projectId);
  await api.root.put('/application/settings', { issues_create_limit: 0 });
  expect([there.status, back.status]).toEqual([201, 429]);
});

it('copies an issue, with its notes if requested', async () => {
  const issue = await buildIssue(team.reporter, team.projectId, { labels: 'copied' });
  const here = `/projects/${team.projectId}/issues/${issue.iid}`;
  await team.reporter.post(`${here}/notes`, { body: 'said before' });
  const clone = (values: object): Promise<{ body: BuiltIssue & { user_notes_count: number } }> =>
    team.developer.post(`${here}/clone`, { to_project_id: team.projectId, ...values });
  const bare = await clone({});
  expect(bare.body).toMatchObject({ title: issue.title, labels: ['copied'], user_notes_count: 0 });
  expect(bare.body.iid).toBeGreaterThan(issue.iid);
  expect((await clone({ with_notes: true })).body.user_notes_count).toBe(1);
  expect((await team.guest.get(here)).body['state']).toBe('opened');
});
