import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { refusal, startClientWorld, type ClientUser, type ClientWorld } from '../support/gitbeaker.js';

let world: ClientWorld;
let owner: ClientUser;
let groupId: number;
let projectId: number;

beforeAll(async () => {
  world = await startClientWorld();
  owner = await world.user('runner-owner');
  groupId = (await owner.api.Groups.create('Runners', 'runners')).id;
  projectId = (await owner.api.Projects.create({ name: 'Run', namespaceId: groupId })).id;
});
afterAll(() => world.close());

it('registers a runner, lists, changes, assigns it to another project and removes it', async () => {
  const { Runners, Projects } = owner.api;
  const { runners_token: registration } = await Projects.show(projectId);
  const { id } = await Runners.create(registration, {
    ...{ description: 'by gitbeaker', tagList: ['linux', 'shell'], maximumTimeout: 900 },
  });
  expect(await Runners.show(id)).toMatchObject({
    ...{ id, description: 'by gitbeaker', active: true, paused: false, is_shared: false, ip_address: '' },
    ...{ runner_type: 'project_type', status: 'online', maximum_timeout: 900 },
    tag_list: ['linux', 'shell'],
    projects: [{ id: projectId, path_with_namespace: 'runners/run' }],
  });
  expect(await Runners.edit(id, { paused: true, tagList: ['windows'] })).toMatchObject({
    ...{ active: false, paused: true, tag_list: ['windows'] },
  });
  expect(await Runners.all({ owned: true, tagList: ['windows'] })).toMatchObject([{ id }]);
  expect(await Runners.all({ owned: true, type: 'group_type' })).toEqual([]);
  expect(await Runners.all({ projectId })).toMatchObject([{ id }]);
  expect(await Runners.all({ groupId })).toEqual([]);
  expect(await world.root.Runners.all({ paused: true })).toMatchObject([{ id }]);
  expect(await Runners.allJobs(id)).toEqual([]);
  const second = await Projects.create({ name: 'Second', namespaceId: groupId });
  expect(await Runners.enable(second.id, id)).toMatchObject({ id });
  expect(await Runners.all({ projectId: second.id })).toMatchObject([{ id }]);
  expect(await refusal(Runners.remove({ runnerId: id }))).toEqual([
    403,
    '403 Forbidden - Runner associated with more than one project',
  ]);
  await Runners.disable(second.id, id);
  await Runners.remove({ runnerId: id });
  expect(await refusal(Runners.show(id))).toEqual([404, '404 Runner Not Found']);
});

it('sets, scopes, changes and removes variables of projects, groups and the instance', async () => {
  const { ProjectVariables, GroupVariables } = owner.api;
  const { InstanceLevelCICDVariables } = world.root;
  const options = {
    masked: true,
    protected: true,
    variableType: 'file',
    environmentScope: 'review/*',
  } as const;
  expect(await ProjectVariables.create(projectId, 'TOKEN', 'secret-value', options)).toEqual({
    ...{ key: 'TOKEN', value: 'secret-value', variable_type: 'file', protected: true, masked: true },
    ...{ raw: false, environment_scope: 'review/*', description: null },
  });
  await ProjectVariables.create(projectId, 'TOKEN', 'for everything');
  const filter = { environment_scope: 'review/*' };
  expect(await ProjectVariables.show(projectId, 'TOKEN', { filter })).toMatchObject({
    value: 'secret-value',
  });
  expect((await refusal(ProjectVariables.show(projectId, 'TOKEN')))[0]).toBe(409);
  expect(await ProjectVariables.edit(projectId, 'TOKEN', 'another-value', { filter })).toMatchObject({
    value: 'another-value',
    environment_scope: 'review/*',
  });
  expect(await ProjectVariables.all(projectId)).toHaveLength(2);
  await ProjectVariables.remove(projectId, 'TOKEN', { filter });
  expect(await ProjectVariables.all(projectId)).toMatchObject([{ value: 'for everything' }]);
  expect(await GroupVariables.create(groupId, 'REGION', 'eu')).toMatchObject({ environment_scope: '*' });
  expect(await GroupVariables.show(groupId, 'REGION')).toMatchObject({ value: 'eu' });
  await GroupVariables.remove(groupId, 'REGION');
  expect(await InstanceLevelCICDVariables.create('MIRROR', 'https://mirror', {})).toMatchObject({
    key: 'MIRROR',
  });
  expect(await InstanceLevelCICDVariables.edit('MIRROR', 'https://other', {})).toMatchObject({
    value: 'https://other',
  });
  expect(await InstanceLevelCICDVariables.all()).toMatchObject([{ key: 'MIRROR' }]);
  expect((await refusal(owner.api.ProjectVariables.create(projectId, 'A-B', 'x')))[0]).toBe(400);
});

it("sets which projects' jobs may act on a project", async () => {
  const { ProjectJobTokenScopes, Projects } = owner.api;
  const friend = await Projects.create({ name: 'Friend', namespaceId: groupId });
  expect(await ProjectJobTokenScopes.show(projectId)).toEqual({
    ...{ inbound_enabled: true, outbound_enabled: false },
  });
  expect(await ProjectJobTokenScopes.addToInboundAllowList(projectId, friend.id)).toEqual({
    ...{ source_project_id: projectId, target_project_id: friend.id },
  });
  expect(await ProjectJobTokenScopes.showInboundAllowList(projectId)).toMatchObject([{ id: friend.id }]);
  await ProjectJobTokenScopes.removeFromInboundAllowList(projectId, friend.id);
  expect(await ProjectJobTokenScopes.showInboundAllowList(projectId)).toEqual([]);
  await ProjectJobTokenScopes.edit(projectId, false);
  expect(await ProjectJobTokenScopes.show(projectId)).toMatchObject({ inbound_enabled: false });
});
