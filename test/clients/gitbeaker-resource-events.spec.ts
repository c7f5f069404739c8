import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { refusal, startClientWorld, type ClientUser, type ClientWorld } from '../support/gitbeaker.js';

let world: ClientWorld;
let ada: ClientUser;
let projectId: number;
let milestoneId: number;

beforeAll(async () => {
  world = await startClientWorld();
  ada = await world.user('ada');
  const group = await world.root.Groups.create('Shop', 'shop');
  projectId = (await world.root.Projects.create({ name: 'Web', namespaceId: group.id })).id;
  await world.plain.post('/groups/shop/members', { user_id: ada.id, access_level: 40 });
  milestoneId = (await ada.api.ProjectMilestones.create(projectId, 'v1')).id;
});
afterAll(() => world.close());

it('reads the history of an issue', async () => {
  const { Issues, IssueLabelEvents, IssueMilestoneEvents, IssueStateEvents } = ada.api;
  const { iid, id } = await Issues.create(projectId, 'Slow', { labels: 'bug', milestoneId });
  await Issues.edit(projectId, iid, { removeLabels: 'bug', stateEvent: 'close' });
  const events = await IssueLabelEvents.all(projectId, iid);
  expect(events).toMatchObject([
    { action: 'add', label: { name: 'bug' }, user: { id: ada.id }, resource_type: 'Issue', resource_id: id },
    { action: 'remove', label: { name: 'bug' } },
  ]);
  const [first] = events;
  expect(await IssueLabelEvents.show(projectId, iid, first?.id ?? 0)).toEqual(first);
  const { data, paginationInfo } = await IssueLabelEvents.all(projectId, iid, {
    perPage: 1,
    page: 2,
    maxPages: 1,
    showExpanded: true,
  });
  expect([data.map(({ action }) => action), paginationInfo.total]).toEqual([['remove'], 2]);
  const [planned] = await IssueMilestoneEvents.all(projectId, iid);
  expect(planned).toMatchObject({ action: 'add', milestone: { id: milestoneId, title: 'v1' } });
  expect(await IssueMilestoneEvents.show(projectId, iid, planned?.id ?? 0)).toEqual(planned);
  const [closed] = await IssueStateEvents.all('shop/web', iid);
  expect(closed).toMatchObject({ state: 'closed', resource_type: 'Issue', user: { username: 'ada' } });
  expect(await IssueStateEvents.show(projectId, iid, closed?.id ?? 0)).toEqual(closed);
  expect(await refusal(IssueStateEvents.show(projectId, iid, 4_711))).toEqual([
    404,
    '404 ResourceStateEvent Not Found',
  ]);
});

it('reads the history of a merge request', async () => {
  const { Commits, MergeRequests } = ada.api;
  const { MergeRequestLabelEvents, MergeRequestMilestoneEvents, MergeRequestStateEvents } = ada.api;
  const file = (filePath: string): { action: 'create'; filePath: string; content: string }[] => [
    { action: 'create', filePath, content: 'a' },
  ];
  await Commits.create(projectId, 'main', 'First', file('README.md'));
  await Commits.create(projectId, 'fix', 'Fix', file('a.txt'), { startBranch: 'main' });
  const { iid } = await MergeRequests.create(projectId, 'fix', 'main', 'Fix', { labels: 'bug', milestoneId });
  await MergeRequests.edit(projectId, iid, { stateEvent: 'close' });
  const [label] = await MergeRequestLabelEvents.all(projectId, iid);
  expect(label).toMatchObject({ action: 'add', label: { name: 'bug' }, resource_type: 'MergeRequest' });
  expect(await MergeRequestLabelEvents.show(projectId, iid, label?.id ?? 0)).toEqual(label);
  const [planned] = await MergeRequestMilestoneEvents.all(projectId, iid);
  expect(await MergeRequestMilestoneEvents.show(projectId, iid, planned?.id ?? 0)).toEqual(planned);
  const [closed] = await MergeRequestStateEvents.all(projectId, iid);
  expect(closed).toMatchObject({ state: 'closed' });
  expect(await MergeRequestStateEvents.show(projectId, iid, closed?.id ?? 0)).toEqual(closed);
});

it('reads the history of an epic, by its id', async () => {
  const { Epics, EpicLabelEvents, EpicStateEvents } = ada.api;
  const { id, iid } = await Epics.create('shop', 'Sell abroad', { labels: 'big' });
  await Epics.edit('shop', iid, { stateEvent: 'close' });
  const [label] = await EpicLabelEvents.all('shop', id);
  expect(label).toMatchObject({
    action: 'add',
    label: { name: 'big' },
    resource_type: 'Epic',
    resource_id: id,
  });
  expect(await EpicLabelEvents.show('shop', id, label?.id ?? 0)).toEqual(label);
  const [closed] = await EpicStateEvents.all('shop', id);
  expect(closed).toMatchObject({ state: 'closed', resource_type: 'Epic' });
  expect(await EpicStateEvents.show('shop', id, closed?.id ?? 0)).toEqual(closed);
});
