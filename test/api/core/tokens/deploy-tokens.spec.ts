import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { TestApi } from '../../../support/api.js';
import {
  addGroup,
  addMember,
  addProject,
  addUser,
  type AddedUser,
} from '../../../support/builders/instance.js';
import { borrowApi } from '../../../support/shared-api.js';

let api: TestApi;
let groupId: number;
let projectId: number;
let maintainer: AddedUser;
let groupOwner: AddedUser;
let developer: AddedUser;
beforeAll(async () => {
  api = await borrowApi();
  groupId = await addGroup(api, 'team');
  projectId = await addProject(api, groupId, 'team/app');
  maintainer = await addUser(api, 'maintainer');
  groupOwner = await addUser(api, 'group-owner');
  developer = await addUser(api, 'developer');
  await addMember(api, 'Project', projectId, maintainer.id, 40);
  await addMember(api, 'Project', projectId, developer.id, 30);
  await addMember(api, 'Namespace', groupId, groupOwner.id, 50);
});
afterAll(() => api.close());

describe('deploy tokens', () => {
  const EVERY = ['read_repository', 'read_registry'];

  beforeEach(() => api.sql('delete from deploy_tokens'));

  it.each(['projects', 'groups'])('of %s are created, listed, shown and removed', async (kind) => {
    const path = `/${kind}/${kind === 'projects' ? projectId : groupId}/deploy_tokens`;
    const client = api.as(groupOwner.token);
    const made = await client.post<{ id: number; token: string }>(path, { name: 'deploy', scopes: EVERY });
    expect(made.status).toBe(201);
    const shown = {
      id: made.body.id,
      name: 'deploy',
      username: `gitlab+deploy-token-${made.body.id}`,
      expires_at: null,
      scopes: EVERY,
      revoked: false,
      expired: false,
    };
    expect(made.body).toEqual({ ...shown, token: expect.stringMatching(/^gldt-[\w-]{20}$/) });
    expect((await client.get(`${path}/${made.body.id}`)).body).toEqual(shown);
    const values = { name: 'old', scopes: 'write_registry', expires_at: '2020-01-01', username: 'robot' };
    const old = await client.post<{ id: number }>(path, values);
    expect(old.body).toMatchObject({
      username: 'robot',
      expires_at: '2020-01-01T00:00:00.000Z',
      expired: true,
    });
    const idsOf = async (url: string): Promise<number[]> =>
      (await client.get<{ id: number }[]>(url)).body.map(({ id }) => id);
    expect(await idsOf(path)).toEqual([made.body.id, old.body.id]);
    expect(await idsOf(`${path}?active=true`)).toEqual([made.body.id]);
    expect(await idsOf(`${path}?active=false`)).toEqual([old.body.id]);
    expect((await api.root.get('/deploy_tokens')).body).toHaveLength(2);
    expect((await api.root.get('/deploy_tokens?active=true')).body).toHaveLength(1);
    expect((await client.get('/deploy_tokens')).status).toBe(403);
    for (const headers of [
      { 'PRIVATE-TOKEN': made.body.token },
      { Authorization: `Bearer ${made.body.token}` },
      { 'DEPLOY-TOKEN': made.body.token },
    ]) {
      for (const url of [path, '/projects'])
        expect((await api.anonymous.get(url, headers as Record<string, string>)).status).toBe(401);
    }
    expect((await client.delete(`${path}/${made.body.id}`)).status).toBe(204);
    const gone = await client.get(`${path}/${made.body.id}`);
    expect([gone.status, gone.body]).toEqual([404, { message: '404 Deploy Token Not Found' }]);
    expect((await client.delete(`${path}/${made.body.id}`)).status).toBe(404);
  });

  it('are managed by Maintainers in projects, and by Owners in groups', async () => {
    const body = { name: 'x', scopes: EVERY };
    const project = `/projects/${projectId}/deploy_tokens`;
    expect((await api.as(developer.token).get(project)).status).toBe(403);
    expect((await api.as(developer.token).post(project, body)).status).toBe(403);
    expect((await api.as(maintainer.token).post(project, body)).status).toBe(201);
    await addMember(api, 'Namespace', groupId, developer.id, 40);
    const group = `/groups/${groupId}/deploy_tokens`;
    expect((await api.as(developer.token).get(group)).status).toBe(200);
    expect((await api.as(developer.token).post(group, body)).status).toBe(403);
    await api.sql(`delete from members where user_id = $1 and source_type = 'Namespace'`, [developer.id]);
    const refused = await api
      .as(maintainer.token)
      .post(project, { name: 'x', scopes: ['api'], username: 'a b' });
    expect(refused.body).toEqual({
      message: { scopes: ['does not have a valid value'], username: ['is invalid'] },
    });
  });
});
