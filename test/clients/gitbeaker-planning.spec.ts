import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { refusal, startClientWorld, type ClientUser, type ClientWorld } from '../support/gitbeaker.js';

describe('labels and milestones through gitbeaker', () => {
  let world: ClientWorld;
  let jane: ClientUser;
  let group: { id: number };
  let project: { id: number };
  beforeAll(async () => {
    world = await startClientWorld();
    jane = await world.user('jane');
    group = await jane.api.Groups.create('Shop', 'shop');
    project = await jane.api.Projects.create({ name: 'Till', namespaceId: group.id });
  });
  afterAll(() => world.close());

  it('creates, changes, subscribes to, promotes and removes labels', async () => {
    const { GroupLabels, ProjectLabels } = jane.api;
    const wide = await GroupLabels.create(group.id, 'wide', 'teal');
    expect(wide).toMatchObject({ name: 'wide', color: '#008080' });
    const made = await ProjectLabels.create(project.id, 'kind/bug', '#FF0000', { priority: 2 });
    expect(made).toMatchObject({ name: 'kind/bug', priority: 2, is_project_label: true });
    expect(await refusal(ProjectLabels.create(project.id, 'kind/bug', '#FF0000'))).toEqual([
      409,
      'Label already exists',
    ]);
    expect(await ProjectLabels.show(project.id, 'kind/bug')).toEqual(made);
    expect(await ProjectLabels.all(project.id, { withCounts: true })).toMatchObject([
      { name: 'kind/bug', open_issues_count: 0 },
      { name: 'wide', is_project_label: false },
    ]);
    expect(await ProjectLabels.edit(project.id, made.id, { newName: 'bug' })).toMatchObject({ name: 'bug' });
    // The subscribe() of the client requests an issue of that name: this request is sent directly.
    const said = await world.plain.post(`/projects/${project.id}/labels/bug/subscribe`);
    expect(said).toMatchObject({ status: 201, body: { subscribed: true } });
    expect(await world.root.ProjectLabels.show(project.id, 'bug')).toMatchObject({ subscribed: true });
    await ProjectLabels.promote(project.id, 'bug');
    expect((await GroupLabels.all(group.id)).map(({ name }) => name)).toEqual(['bug', 'wide']);
    await GroupLabels.remove(group.id, 'bug');
    expect(await refusal(GroupLabels.show(group.id, 'bug'))).toEqual([404, '404 Label Not Found']);
  });

  it('creates, changes, promotes and removes milestones', async () => {
    const { GroupMilestones, ProjectMilestones } = jane.api;
    const made = await ProjectMilestones.create(project.id, 'v1', {
      startDate: '2026-01-01',
      dueDate: '2026-02-01',
    });
    expect(made).toMatchObject({ iid: 1, project_id: project.id, state: 'active', due_date: '2026-02-01' });
    expect(await refusal(ProjectMilestones.create(project.id, 'v1'))).toEqual([
      400,
      expect.stringContaining('Failed to create milestone'),
    ]);
    expect(await ProjectMilestones.edit(project.id, made.id, { stateEvent: 'close' })).toMatchObject({
      state: 'closed',
    });
    expect(await ProjectMilestones.all(project.id, { state: 'active' })).toEqual([]);
    await ProjectMilestones.promote(project.id, made.id);
    expect(await ProjectMilestones.all(project.id, { includeParentMilestones: true })).toMatchObject([
      { title: 'v1', group_id: group.id },
    ]);
    const wide = await GroupMilestones.create(group.id, 'v2');
    expect(await GroupMilestones.show(group.id, wide.id)).toEqual(wide);
    await GroupMilestones.remove(group.id, wide.id);
    expect((await GroupMilestones.all(group.id)).map(({ title }) => title)).toEqual(['v1']);
  });
});
