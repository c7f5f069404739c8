import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { refusal, startClientWorld, type ClientUser, type ClientWorld } from '../support/gitbeaker.js';

let world: ClientWorld;
let ada: ClientUser;
let projectId: number;

beforeAll(async () => {
  world = await startClientWorld();
  ada = await world.user('ada');
  const group = await world.root.Groups.create('Shop', 'shop');
  projectId = (await world.root.Projects.create({ name: 'Web', namespaceId: group.id })).id;
  await world.plain.post('/groups/shop/members', { user_id: ada.id, access_level: 20 });
});
afterAll(() => world.close());

it('links issues, lists the links, and removes them', async () => {
  const { Issues, IssueLinks } = ada.api;
  for (const title of ['search', 'index', 'cache']) await Issues.create(projectId, title);
  const made = await IssueLinks.create(projectId, 1, 'shop/web', 2, { linkType: 'blocks' });
  expect(made).toMatchObject({ source_issue: { iid: 1 }, target_issue: { iid: 2 }, link_type: 'blocks' });
  await IssueLinks.create(projectId, 1, projectId, 3);
  expect(await IssueLinks.all(projectId, 1)).toMatchObject([
    { title: 'index', link_type: 'blocks' },
    { title: 'cache', link_type: 'relates_to' },
  ]);
  const [blocked] = await IssueLinks.all(projectId, 2);
  expect(blocked).toMatchObject({ title: 'search', link_type: 'is_blocked_by' });
  expect(await refusal(IssueLinks.create(projectId, 2, projectId, 1))).toMatchObject([
    409,
    'Issue(s) already assigned',
  ]);
  await IssueLinks.remove(projectId, 1, Number(blocked?.issue_link_id));
  expect(await IssueLinks.all(projectId, 2)).toEqual([]);
});
