import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { TestApi } from '../../../support/api.js';
import { buildGroup } from '../../../support/builders/group.js';
import { createUser, type CreatedUser } from '../../../support/builders/user.js';
import { borrowApi } from '../../../support/shared-api.js';

describe('namespaces', () => {
  let api: TestApi;
  let user: CreatedUser;
  beforeAll(async () => {
    api = await borrowApi();
    user = await createUser(api);
  });
  afterAll(() => api.close());

  it('exist for every user, and are listed with those of their groups', async () => {
    const group = await buildGroup(api, {}, user.client);
    const foreign = await buildGroup(api, { visibility: 'public' });
    const list = await user.client.get<Record<string, unknown>[]>('/namespaces');
    expect(list.status).toBe(200);
    expect(list.body).toMatchObject([
      { kind: 'user', path: user.username, full_path: user.username, parent_id: null },
      { kind: 'group', id: group.id, members_count_with_descendants: 1, plan: 'ultimate' },
    ]);
    const all = await api.root.get<Record<string, unknown>[]>('/namespaces?per_page=100');
    expect(all.body.map(({ id }) => id)).toContain(foreign.id);
    const found = await user.client.get<Record<string, unknown>[]>(
      `/namespaces?search=${group.path}&owned_only=true`,
    );
    expect(found.body).toHaveLength(1);
    expect((await api.anonymous.get('/namespaces')).status).toBe(401);
  });

  it('are found by id or path, except private ones', async () => {
    const hidden = await buildGroup(api);
    const group = await buildGroup(
      api,
      { parent_id: (await buildGroup(api, {}, user.client)).id },
      user.client,
    );
    for (const id of [group.id, encodeURIComponent(group.full_path)])
      expect((await user.client.get(`/namespaces/${id}`)).body).toMatchObject({ id: group.id });
    expect((await user.client.get(`/namespaces/${user.username}`)).body).toMatchObject({ kind: 'user' });
    const missing = await user.client.get(`/namespaces/${hidden.id}`);
    expect(missing.status).toBe(404);
    expect(missing.body).toEqual({ message: '404 Namespace Not Found' });
  });

  it('show whether a path exists', async () => {
    const parent = await buildGroup(api, {}, user.client);
    const child = await buildGroup(api, { parent_id: parent.id, path: 'child' }, user.client);
    const ask = async (path: string): Promise<unknown> => (await user.client.get(`/namespaces/${path}`)).body;
    expect(await ask(`${parent.path}/exists`)).toEqual({ exists: true, suggests: [`${parent.path}1`] });
    expect(await ask(`child/exists?parent_id=${parent.id}`)).toEqual({ exists: true, suggests: ['child1'] });
    expect(await ask(`${child.path}-free/exists`)).toEqual({ exists: false, suggests: [] });
  });

  it('prevent a new user with the path of a group', async () => {
    const group = await buildGroup(api);
    const answer = await api.root.post('/users', {
      username: group.path,
      name: 'Late',
      email: `${group.path}@example.com`,
      force_random_password: true,
    });
    expect(answer.status).toBe(409);
    expect(answer.body).toEqual({ message: 'Username has already been taken' });
    expect(await api.sql('select 1 from users where username = $1', [group.path])).toEqual([]);
  });

  it('are renamed with their user', async () => {
    const renamed = await createUser(api);
    const username = `${renamed.username}-new`;
    expect((await api.root.put(`/users/${renamed.id}`, { username })).status).toBe(200);
    const answer = await renamed.client.get(`/namespaces/${renamed.username}`);
    expect(answer.body).toMatchObject({ path: username, full_path: username });
  });
});
