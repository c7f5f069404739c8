import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { refusal, startClientWorld, type ClientUser, type ClientWorld } from '../support/gitbeaker.js';

let world: ClientWorld;
let ada: ClientUser;
let projectId: number;

beforeAll(async () => {
  world = await startClientWorld();
  ada = await world.user('ada');
  const group = await world.root.Groups.create('Shop', 'shop');
  const project = await world.root.Projects.create({ name: 'Web', namespaceId: group.id });
  projectId = project.id;
  await world.plain.post('/groups/shop/members', { user_id: ada.id, access_level: 20 });
});
afterAll(() => world.close());

it('creates, changes and removes issues', async () => {
  const { Issues } = ada.api;
  const made = await Issues.create(projectId, 'Pages load slowly', {
    labels: 'bug,speed',
    assigneeIds: [ada.id],
    dueDate: '2030-01-02',
    confidential: true,
  });
  expect(made).toMatchObject({ iid: 1, state: 'opened', labels: ['bug', 'speed'], due_date: '2030-01-02' });
  const closed = await Issues.edit(projectId, made.iid, { stateEvent: 'close', removeLabels: 'speed' });
  expect(closed).toMatchObject({ state: 'closed', labels: ['bug'], closed_by: { username: 'ada' } });
  expect(await Issues.show(made.iid, { projectId })).toMatchObject({
    title: 'Pages load slowly',
    subscribed: true,
  });
  expect(await refusal(Issues.remove(projectId, made.iid))).toMatchObject([403, '403 Forbidden']);
  await world.root.Issues.remove(projectId, made.iid);
  expect(await refusal(Issues.show(made.iid, { projectId }))).toMatchObject([404, '404 Issue Not Found']);
});

it('lists issues of a project, of a group and of the instance, page by page', async () => {
  const { Issues, IssuesStatistics } = ada.api;
  for (const title of ['one', 'two', 'three']) await Issues.create(projectId, title, { labels: title });
  const titles = (issues: readonly { title: string }[]): string[] => issues.map(({ title }) => title);
  expect(titles(await Issues.all({ projectId, perPage: 2 }))).toEqual(['three', 'two', 'one']);
  expect(titles(await Issues.all({ groupId: 'shop', labels: 'two' }))).toEqual(['two']);
  expect(titles(await Issues.all({ sort: 'asc', state: 'opened' }))).toEqual(['one', 'two', 'three']);
  expect(titles(await Issues.all({ projectId, not: { labels: 'two' } }))).toEqual(['three', 'one']);
  expect(await IssuesStatistics.all({ projectId })).toEqual({
    statistics: { counts: { all: 3, closed: 0, opened: 3 } },
  });
});

it('comments on issues, subscribes to them and tracks time', async () => {
  const { Issues, IssueNotes, IssueAwardEmojis } = ada.api;
  const { iid } = await Issues.create(projectId, 'Talk');
  // A mentioned user is already subscribed: subscribing again would be 304, which the client treats as a
  // failure.
  expect(await world.root.Issues.subscribe(projectId, iid)).toMatchObject({ subscribed: true });
  const note = await IssueNotes.create(projectId, iid, 'Hello @root');
  expect(note).toMatchObject({ noteable_type: 'Issue', noteable_iid: iid, author: { username: 'ada' } });
  await IssueAwardEmojis.award(projectId, iid, 'thumbsup');
  await Issues.addTimeEstimate(projectId, iid, '3h 30m');
  expect(await Issues.addSpentTime(projectId, iid, '1h')).toMatchObject({ human_total_time_spent: '1h' });
  expect(await Issues.show(iid, { projectId })).toMatchObject({ user_notes_count: 1, upvotes: 1 });
  const people = await Issues.allParticipants(projectId, iid);
  expect(people.map(({ username }) => username).sort()).toEqual(['ada', 'root']);
});

it('moves issues to other projects', async () => {
  const other = await world.root.Projects.create({ name: 'Other' });
  const { iid } = await ada.api.Issues.create(projectId, 'Elsewhere');
  expect(await world.root.Issues.move(projectId, iid, other.id)).toMatchObject({
    project_id: other.id,
    iid: 1,
  });
});
