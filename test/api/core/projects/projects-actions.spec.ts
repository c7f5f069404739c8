import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { TestApi } from '../../../support/api.js';
import { buildGroup, type BuiltGroup } from '../../../support/builders/group.js';
import { buildProject } from '../../../support/builders/project.js';
import { createUser, type CreatedUser } from '../../../support/builders/user.js';
import { borrowApi } from '../../../support/shared-api.js';

type Body = Record<string, unknown>;

describe('actions on projects', () => {
  let api: TestApi;
  let owner: CreatedUser;
  let maintainer: CreatedUser;
  let stranger: CreatedUser;
  let group: BuiltGroup;
  beforeAll(async () => {
    api = await borrowApi();
    owner = await createUser(api);
    maintainer = await createUser(api);
    stranger = await createUser(api);
    group = await buildGroup(api, { visibility: 'internal' }, owner.client);
    await addMember('Namespace', group.id, maintainer, 40);
  });
  afterAll(() => api.close());

  const addMember = async (type: string, id: number, user: CreatedUser, level: number): Promise<void> => {
    await api.sql(
      'insert into members (source_type, source_id, user_id, access_level) values ($1, $2, $3, $4)',
      [type, id, user.id, level],
    );
  };

  it('archives and unarchives for owners', async () => {
    const { id } = await buildProject(owner.client, { namespace_id: group.id });
    expect((await maintainer.client.post(`/projects/${id}/archive`)).status).toBe(403);
    const archived = await owner.client.post(`/projects/${id}/archive`);
    expect([archived.status, archived.body['archived']]).toEqual([201, true]);
    const open = await owner.client.post(`/projects/${id}/unarchive`);
    expect([open.status, open.body['archived']]).toEqual([201, false]);
    const events = await api.sql(
      `select 1 from audit_events where entity_type = 'Project' and entity_id = $1`,
      [id],
    );
    expect(events).toHaveLength(2);
  });

  describe('stars', () => {
    it('count each user once, also with simultaneous requests', async () => {
      const { id } = await buildProject(owner.client, { visibility: 'public' });
      const answers = await Promise.all(
        Array.from({ length: 5 }, () => stranger.client.post(`/projects/${id}/star`)),
      );
      expect(answers.map(({ status }) => status).sort()).toEqual([201, 304, 304, 304, 304]);
      const starred = await owner.client.post(`/projects/${id}/star`);
      expect(starred.body['star_count']).toBe(2);
      const starrers = await api.anonymous.get<Body[]>(`/projects/${id}/starrers`);
      expect(starrers.body).toMatchObject([
        { starred_since: expect.anything(), user: { id: owner.id } },
        { user: { id: stranger.id, state: 'active' } },
      ]);
      const found = await api.anonymous.get<Body[]>(`/projects/${id}/starrers?search=${stranger.username}`);
      expect(found.body).toHaveLength(1);
      expect((await stranger.client.post(`/projects/${id}/unstar`)).body['star_count']).toBe(1);
      expect((await stranger.client.post(`/projects/${id}/unstar`)).status).toBe(304);
    });

    it('are limited to users who can see the project', async () => {
      const { id } = await buildProject(owner.client);
      expect((await stranger.client.post(`/projects/${id}/star`)).status).toBe(404);
      expect((await api.anonymous.post(`/projects/${id}/star`)).status).toBe(401);
    });
  });

  describe('shares', () => {
    it('give the members of a group a role, once', async () => {
      const project = await buildProject(owner.client);
      const team = await buildGroup(api, {}, owner.client);
      await addMember('Namespace', team.id, stranger, 30);
      expect((await stranger.client.get(`/projects/${project.id}`)).status).toBe(404);
      const path = `/projects/${project.id}/share`;
      const shared = await owner.client.post(path, {
        group_id: team.id,
        group_access: 10,
        expires_at: '2099-01-01',
      });
      expect(shared.status).toBe(201);
      expect(shared.body).toMatchObject({
        project_id: project.id,
        group_id: team.id,
        group_access: 10,
        expires_at: '2099-01-01',
      });
      const seen = await stranger.client.get(`/projects/${project.id}`);
      const [audit] = await api.sql<{ as: string }>(
        `select details ->> 'as' as "as" from audit_events where details ->> 'add' = 'project_group_link'
         and entity_id = $1`,
        [project.id],
      );
      expect(audit?.as).toMatch(/^(Guest|Reporter|Developer|Maintainer|Owner) for /);
      expect(seen.body['shared_with_groups']).toEqual([
        {
          group_id: team.id,
          group_name: team.name,
          group_full_path: team.full_path,
          group_access_level: 10,
          expires_at: '2099-01-01',
        },
      ]);
      const again = await owner.client.post(path, { group_id: team.id, group_access: 20 });
      expect(again.status).toBe(409);
      const old = { 'If-Unmodified-Since': 'Mon, 01 Jan 2001 00:00:00 GMT' };
      expect((await owner.client.delete(`${path}/${team.id}`, old)).status).toBe(412);
      expect((await owner.client.delete(`${path}/${team.id}`)).status).toBe(204);
      const missing = await owner.client.delete(`${path}/${team.id}`);
      expect([missing.status, missing.body]).toEqual([404, { message: '404 Group Link Not Found' }]);
      expect((await stranger.client.get(`/projects/${project.id}`)).status).toBe(404);
    });

    it('end after today, and can be created again afterwards', async () => {
      const project = await buildProject(owner.client);
      const team = await buildGroup(api, {}, owner.client);
      const path = `/projects/${project.id}/share`;
      const share = { group_id: team.id, group_access: 30 };
      for (const days of [-1, 0]) {
        const past = new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10);
        const refused = await owner.client.post(path, { ...share, expires_at: past });
        expect([refused.status, refused.body]).toEqual([
          400,
          { message: { expires_at: ['cannot be a date in the past'] } },
        ]);
      }
      expect((await owner.client.post(path, share)).status).toBe(201);
      expect((await owner.client.post(path, share)).status).toBe(409);
      await api.sql(
        `update group_links set expires_at = current_date where source_id = $1 and source_type = 'Project'`,
        [project.id],
      );
      const again = await owner.client.post(path, { ...share, group_access: 20, expires_at: '2999-01-01' });
      expect([again.status, again.body]).toMatchObject([201, { group_access: 20, expires_at: '2999-01-01' }]);
    });

    it('are refused if the caller may not grant them', async () => {
      const { id } = await buildProject(owner.client, { namespace_id: group.id });
      const hidden = await buildGroup(api, {});
      const open = await buildGroup(api, { visibility: 'public' });
      const share = async (user: CreatedUser, body: Body): Promise<number> =>
        (await user.client.post(`/projects/${id}/share`, body)).status;
      expect(await share(maintainer, { group_id: open.id, group_access: 50 })).toBe(403);
      expect(await share(maintainer, { group_id: hidden.id, group_access: 30 })).toBe(404);
      expect(await share(maintainer, { group_id: group.id, group_access: 30 })).toBe(409);
      expect(await share(maintainer, { group_id: open.id, group_access: 31 })).toBe(400);
      expect(await share(stranger, { group_id: open.id, group_access: 30 })).toBe(404);
      await owner.client.put(`/groups/${group.id}`, { share_with_group_lock: true });
      expect(await share(maintainer, { group_id: open.id, group_access: 30 })).toBe(400);
      await owner.client.put(`/groups/${group.id}`, { share_with_group_lock: false });
      expect(await share(maintainer, { group_id: open.id, group_access: 30 })).toBe(201);
      const inGroup = await owner.client.get<Body[]>(`/groups/${open.id}/projects/shared`);
      expect(inGroup.body).toMatchObject([{ id }]);
      expect((await owner.client.get<Body[]>(`/groups/${open.id}/projects`)).body).toHaveLength(1);
      const without = await owner.client.get<Body[]>(`/groups/${open.id}/projects?with_shared=false`);
      expect(without.body).toEqual([]);
    });
  });

  describe('transfer', () => {
    it('changes the path, lowers the visibility, redirects and is audited', async () => {
      const project = await buildProject(owner.client, { visibility: 'public' });
      const answer = await owner.client.put(`/projects/${project.id}/transfer`, {
        namespace: group.full_path,
      });
      expect(answer.status).toBe(200);
      expect(answer.body).toMatchObject({
        path_with_namespace: `${group.full_path}/${project.path}`,
        visibility: 'internal',
        namespace: { id: group.id, kind: 'group' },
      });
      const former = encodeURIComponent(project.path_with_namespace);
      expect((await owner.client.get(`/projects/${former}`)).body['id']).toBe(project.id);
      const events = await api.sql<{ details: Body }>(
        `select details from audit_events where entity_type = 'Project' and entity_id = $1 order by id`,
        [project.id],
      );
      expect(events.map(({ details }) => details['change'])).toEqual(['namespace', 'visibility_level']);
      const back = await owner.client.put(`/projects/${project.id}/transfer`, { namespace: group.id });
      expect(back.status).toBe(400);
    });

    it('is refused for unknown namespaces, those of others, and existing paths', async () => {
      const project = await buildProject(owner.client, { path: 'twin' });
      await buildProject(owner.client, { path: 'twin', namespace_id: group.id });
      const transfer = async (user: CreatedUser, namespace: unknown): Promise<[number, unknown]> => {
        const answer = await user.client.put(`/projects/${project.id}/transfer`, { namespace });
        return [answer.status, answer.body['message']];
      };
      expect(await transfer(owner, group.id)).toEqual([400, { path: ['has already been taken'] }]);
      expect(await transfer(owner, 'no/where')).toEqual([404, '404 Namespace Not Found']);
      expect(await transfer(owner, '')).toEqual([400, { namespace: ['is empty'] }]);
      const foreign = await buildGroup(api, { visibility: 'public' });
      expect(await transfer(owner, foreign.id)).toEqual([403, '403 Forbidden']);
    });

    it('is possible into groups of which the owner is a Maintainer, as their variables get to its jobs', async () => {
      const [to, developer] = [await buildGroup(api), await createUser(api)];
      await addMember('Namespace', to.id, developer, 30);
      await addMember('Namespace', to.id, maintainer, 40);
      expect((await buildProject(developer.client, { namespace_id: to.id })).namespace.id).toBe(to.id);
      for (const [user, status] of [
        [developer, 403],
        [maintainer, 200],
      ] as const) {
        const { id } = await buildProject(user.client);
        const rule = { name: 'main', push_access_level: 30 };
        expect((await user.client.post(`/projects/${id}/protected_branches`, rule)).status).toBe(201);
        const answer = await user.client.put(`/projects/${id}/transfer`, { namespace: to.id });
        expect(answer.status).toBe(status);
      }
    });

    it('is possible into a group for administrators', async () => {
      const project = await buildProject(owner.client);
      const path = `/groups/${group.id}/projects/${project.id}`;
      expect((await owner.client.post(path)).status).toBe(403);
      const answer = await api.root.post(path);
      expect([answer.status, answer.body['id']]).toEqual([201, group.id]);
      expect(answer.body['projects']).toContainEqual(expect.objectContaining({ id: project.id }));
      expect((await api.root.post(`/groups/${group.id}/projects/999999`)).body).toEqual({
        message: '404 Project Not Found',
      });
    });
  });

  it('lists users and groups around a project', async () => {
    const { id } = await buildProject(owner.client, { namespace_id: group.id });
    const open = await buildGroup(api, { visibility: 'public' });
    const hidden = await buildGroup(api, {});
    await addMember('Project', id, stranger, 10);
    for (const { id: groupId } of [open, hidden])
      await api.root.post(`/projects/${id}/share`, { group_id: groupId, group_access: 20 });
    const users = await owner.client.get<{ id: number }[]>(`/projects/${id}/users`);
    expect(users.body.map((user) => user.id)).toEqual([1, owner.id, maintainer.id, stranger.id]);
    const some = await owner.client.get<Body[]>(
      `/projects/${id}/users?skip_users[]=1&search=${owner.username}`,
    );
    expect(some.body).toMatchObject([{ username: owner.username }]);
    const groupsOf = async (query: string): Promise<number[]> => {
      const answer = await owner.client.get<{ id: number }[]>(`/projects/${id}/groups${query}`);
      return answer.body.map((one) => one.id);
    };
    expect(await groupsOf('')).toEqual([group.id]);
    expect(await groupsOf('?with_shared=true')).toEqual([group.id, open.id]);
    expect(await groupsOf('?with_shared=true&shared_min_access_level=30')).toEqual([group.id]);
    expect((await owner.client.get(`/projects/${id}/languages`)).body).toEqual({});
    expect((await owner.client.get(`/projects/${id}/forks`)).body).toEqual([]);
  });

  it('hides private parts of the group tree, and shows projects of subgroups on request', async () => {
    const parent = await buildGroup(api, { visibility: 'public' }, owner.client);
    const child = await buildGroup(api, { visibility: 'public', parent_id: parent.id }, owner.client);
    const above = await buildProject(owner.client, { namespace_id: parent.id, visibility: 'public' });
    const below = await buildProject(owner.client, { namespace_id: child.id, visibility: 'public' });
    await buildProject(owner.client, { namespace_id: child.id });
    const ids = async (query: string): Promise<number[]> =>
      (await stranger.client.get<{ id: number }[]>(`/groups/${parent.id}/projects${query}`)).body.map(
        (one) => one.id,
      );
    expect(await ids('')).toEqual([above.id]);
    expect(await ids('?include_subgroups=true')).toEqual([below.id, above.id]);
    expect((await owner.client.get<Body[]>(`/groups/${parent.id}/projects`)).body[0]).not.toHaveProperty(
      'permissions',
    );
  });
});
