import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { TestApi } from '../../support/api.js';
import { buildGroup } from '../../support/builders/group.js';
import { buildMember } from '../../support/builders/member.js';
import { buildProject } from '../../support/builders/project.js';
import { createUser, type CreatedUser } from '../../support/builders/user.js';
import { borrowApi } from '../../support/shared-api.js';

describe('hidden facts', () => {
  let api: TestApi;
  let stranger: CreatedUser;
  let external: CreatedUser;
  beforeAll(async () => {
    api = await borrowApi();
    stranger = await createUser(api);
    external = await createUser(api, { external: true });
  });
  afterAll(() => api.close());

  const idsOf = ({ body }: { body: unknown }): number[] => (body as { id: number }[]).map(({ id }) => id);

  describe('members of an invited group', () => {
    const arrange = async (visibility: string): Promise<{ path: string; insider: CreatedUser }> => {
      const project = await buildProject(api.root, { visibility: 'public' });
      const group = await buildGroup(api, { visibility });
      const insider = await createUser(api);
      await buildMember(api, `groups/${group.id}`, insider.id, 30);
      const shared = { group_id: group.id, group_access: 30 };
      expect((await api.root.post(`/projects/${project.id}/share`, shared)).status).toBe(201);
      return { path: `/projects/${project.id}`, insider };
    };

    it.each(['users', 'members/all'])('of a private group are not shown on %s to strangers', async (list) => {
      const { path, insider } = await arrange('private');
      expect(idsOf(await stranger.client.get(`${path}/${list}`))).not.toContain(insider.id);
      expect(idsOf(await insider.client.get(`${path}/${list}`))).toContain(insider.id);
      expect(idsOf(await api.root.get(`${path}/${list}`))).toContain(insider.id);
    });

    it.each(['users', 'members/all'])(
      'of an internal group are not shown on %s to external users',
      async (list) => {
        const { path, insider } = await arrange('internal');
        expect(idsOf(await external.client.get(`${path}/${list}`))).not.toContain(insider.id);
        expect(idsOf(await stranger.client.get(`${path}/${list}`))).toContain(insider.id);
      },
    );

    it('are all shown to users who manage the project', async () => {
      const { path, insider } = await arrange('private');
      const maintainer = await createUser(api);
      await buildMember(api, path.slice(1), maintainer.id, 40);
      expect(idsOf(await maintainer.client.get(`${path}/users`))).toContain(insider.id);
    });
  });

  describe('the code of an internal project', () => {
    it('is not shown to external users who are only guests there', async () => {
      const project = await buildProject(api.root, { visibility: 'internal' });
      const guests = [await createUser(api), await createUser(api, { external: true })];
      for (const { id } of guests) await buildMember(api, `projects/${project.id}`, id, 10);
      const routes = ['branches', 'commits', 'tags'].map(
        (name) => `/projects/${project.id}/repository/${name}`,
      );
      for (const route of routes) {
        const answers = await Promise.all(guests.map(({ client }) => client.get(route)));
        expect([route, ...answers.map(({ status }) => status)]).toEqual([route, 200, 403]);
      }
    });
  });

  describe('the use of a path', () => {
    it('is not revealed for a group that the caller cannot see', async () => {
      const parent = await buildGroup(api);
      const child = await buildGroup(api, { parent_id: parent.id });
      const project = await buildProject(api.root, { namespace_id: parent.id });
      const nothing = { exists: false, suggests: [] };
      const names = [
        `${encodeURIComponent(child.full_path)}/exists`,
        `${encodeURIComponent(project.path_with_namespace)}/exists`,
        `${child.path}/exists?parent_id=${parent.id}`,
      ];
      for (const name of names) {
        expect((await stranger.client.get(`/namespaces/${name}`)).body).toEqual(nothing);
        expect((await api.root.get(`/namespaces/${name}`)).body).toMatchObject({ exists: true });
      }
    });
  });

  describe('the contacts of a private profile', () => {
    it.each(['followers', 'following'])('are not shown on its %s to others', async (list) => {
      const shy = await createUser(api, { private_profile: true });
      await stranger.client.post(`/users/${shy.id}/follow`);
      await shy.client.post(`/users/${stranger.id}/follow`);
      expect((await stranger.client.get<unknown[]>(`/users/${shy.id}/${list}`)).body).toEqual([]);
      expect((await shy.client.get<unknown[]>(`/users/${shy.id}/${list}`)).body).toHaveLength(1);
      expect((await api.root.get<unknown[]>(`/users/${shy.id}/${list}`)).body).toHaveLength(1);
    });
  });

  describe('minimal access to a private group', () => {
    it('reveals none of its projects', async () => {
      const group = await buildGroup(api);
      const project = await buildProject(api.root, { namespace_id: group.id });
      const user = await createUser(api);
      await buildMember(api, `groups/${group.id}`, user.id, 5);
      expect((await user.client.get(`/groups/${group.id}`)).status).toBe(200);
      expect((await user.client.get(`/projects/${project.id}`)).status).toBe(404);
      expect((await user.client.post(`/projects/${project.id}/star`)).status).toBe(404);
      for (const list of ['/projects', '/projects?membership=true', '/projects?search=project'])
        expect(idsOf(await user.client.get(list))).not.toContain(project.id);
      expect((await user.client.get<{ projects: unknown[] }>(`/groups/${group.id}`)).body.projects).toEqual(
        [],
      );
    });
  });

  it('include objects that were shared with a group that is being deleted', async () => {
    const host = await buildGroup(api);
    const project = await buildProject(api.root, { namespace_id: host.id });
    const guest = await buildGroup(api);
    const user = await createUser(api);
    await buildMember(api, `groups/${guest.id}`, user.id, 50);
    await api.root.post(`/groups/${host.id}/share`, { group_id: guest.id, group_access: 30 });
    expect((await user.client.get(`/projects/${project.id}`)).status).toBe(200);
    await api.sql('update namespaces set pending_delete = true where id = $1', [guest.id]);
    expect((await user.client.get(`/projects/${project.id}`)).status).toBe(404);
    expect((await user.client.get(`/groups/${host.id}`)).status).toBe(404);
    expect(idsOf(await user.client.get('/projects'))).not.toContain(project.id);
    expect(idsOf(await user.client.get('/groups'))).not.toContain(host.id);
  });
});
