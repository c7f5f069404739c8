import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { JobContext } from '#kernel/queue/job-processor.js';
import { PruneGroupLinksProcessor } from '#core/groups/shares/prune-group-links.processor.js';
import { PruneMembersProcessor } from '#core/members/expiry/prune-members.processor.js';
import type { TestApi } from '../../../support/api.js';
import { buildGroup, type BuiltGroup } from '../../../support/builders/group.js';
import { addProject, auditChanges } from '../../../support/builders/instance.js';
import { buildMember } from '../../../support/builders/member.js';
import { buildProject } from '../../../support/builders/project.js';
import { buildProjectTeam } from '../../../support/builders/project-team.js';
import { createUser, type CreatedUser } from '../../../support/builders/user.js';
import { borrowApi } from '../../../support/shared-api.js';

interface Member extends Record<string, unknown> {
  readonly id: number;
  readonly access_level: number;
}

const day = (offset: number): string => new Date(Date.now() + offset * 86_400_000).toISOString().slice(0, 10);

describe('members', () => {
  let api: TestApi;
  let owner: CreatedUser;
  let user: CreatedUser;
  let stranger: CreatedUser;
  let group: BuiltGroup;
  beforeAll(async () => {
    api = await borrowApi();
    owner = await createUser(api);
    user = await createUser(api);
    stranger = await createUser(api);
    group = await buildGroup(api, {}, owner.client);
  });
  afterAll(() => api.close());

  it('show the primary address to administrators and themselves, the public one to others', async () => {
    const team = await buildGroup(api, { visibility: 'public' }, owner.client);
    const [known, silent] = [await createUser(api), await createUser(api)];
    for (const { id } of [known, silent]) await buildMember(api, `groups/${team.id}`, id, 30);
    const values = { email: 'told@example.com', skip_confirmation: true };
    expect((await api.root.post(`/users/${known.id}/emails`, values)).status).toBe(201);
    const change = await api.root.put(`/users/${known.id}`, { public_email: values.email });
    expect(change.status).toBe(200);
    const primary = (await api.root.get<{ email: string }>(`/users/${known.id}`)).body.email;
    const path = `/groups/${team.id}/members`;
    const seenBy = async (client: typeof api.root, id: number): Promise<unknown> => {
      const all = (await client.get<Member[]>(`${path}/all`)).body.find((member) => member.id === id);
      const one = (await client.get<Member>(`${path}/${id}`)).body;
      expect(one['email']).toEqual(all?.['email']);
      return one['email'];
    };
    expect(await seenBy(owner.client, known.id)).toBe(values.email);
    expect(await seenBy(owner.client, silent.id)).toBe('');
    expect(await seenBy(silent.client, known.id)).toBe(values.email);
    expect(await seenBy(known.client, known.id)).toBe(primary);
    expect(await seenBy(api.root, known.id)).toBe(primary);
    expect((await api.root.put(`/users/${known.id}`, { private_profile: true })).status).toBe(200);
    expect(await seenBy(owner.client, known.id)).toBe('');
  });

  it('are added once', async () => {
    const path = `/groups/${group.id}/members`;
    const answer = await owner.client.post(path, { user_id: user.id, access_level: 30, expires_at: day(30) });
    expect(answer.status).toBe(201);
    expect(answer.body).toMatchObject({
      id: user.id,
      username: user.username,
      access_level: 30,
      expires_at: day(30),
      membership_state: 'active',
      created_by: { id: owner.id },
    });
    const again = await owner.client.post(path, { user_id: user.id, access_level: 30 });
    expect(again.status).toBe(409);
    expect(again.body).toEqual({ message: 'Member already exists' });
    const added = { add: 'user_access', author_name: expect.any(String) };
    expect(await auditChanges(api, 'User')).toContainEqual(added);
  });

  it('are validated', async () => {
    const path = `/groups/${group.id}/members`;
    const post = (body: object): Promise<{ status: number; body: unknown }> => owner.client.post(path, body);
    expect((await post({ access_level: 30 })).body).toEqual({
      message: '400 (Bad request) "user_id" not given',
    });
    expect((await post({ user_id: stranger.id })).body).toEqual({
      message: '400 (Bad request) "access_level" not given',
    });
    const level = await post({ user_id: stranger.id, access_level: 99 });
    expect(level.status).toBe(400);
    expect(level.body).toEqual({ message: { access_level: ['is not included in the list'] } });
    const nobody = await post({ user_id: 999_999, access_level: 30 });
    expect(nobody.status).toBe(404);
    expect(nobody.body).toEqual({ message: '404 User Not Found' });
    const past = await post({ user_id: stranger.id, access_level: 30, expires_at: '2001-01-01' });
    expect(past.body).toEqual({ message: { expires_at: ['cannot be a date in the past'] } });
    expect((await post({ user_id: { a: 1 }, access_level: 30 })).status).toBe(400);
  });

  it('are added by username, also several at once', async () => {
    const fresh = await buildGroup(api, {}, owner.client);
    const path = `/groups/${fresh.id}/members`;
    const byName = await owner.client.post(path, { username: user.username, access_level: 10 });
    expect(byName.status).toBe(201);
    const third = await createUser(api);
    const ok = await owner.client.post(path, { user_id: `${stranger.id},${third.id}`, access_level: 10 });
    expect(ok.body).toEqual({ status: 'success' });
    const partly = await owner.client.post(path, { user_id: `${stranger.id},999999`, access_level: 10 });
    expect(partly.status).toBe(201);
    expect(partly.body).toEqual({
      status: 'error',
      message: { [stranger.id]: 'Member already exists', 999999: '404 User Not Found' },
    });
  });

  it('are visible to users who can see the group, never to anonymous callers', async () => {
    const open = await buildGroup(api, { visibility: 'public' }, owner.client);
    expect((await api.anonymous.get(`/groups/${open.id}/members`)).status).toBe(401);
    const seen = await stranger.client.get<Member[]>(`/groups/${open.id}/members`);
    expect(seen.status).toBe(200);
    expect(seen.body[0]).toMatchObject({ id: owner.id, email: '' });
    expect((await stranger.client.get(`/groups/${group.id}/members`)).status).toBe(404);
    expect((await stranger.client.get(`/groups/${group.id}/members/all`)).status).toBe(404);
    expect(
      (await stranger.client.post(`/groups/${open.id}/members`, { user_id: user.id, access_level: 10 }))
        .status,
    ).toBe(403);
  });

  it('are listed as direct members or as all, each once with the highest level', async () => {
    const child = await buildGroup(api, { parent_id: group.id }, owner.client);
    const projectId = await addProject(api, child.id, `${child.full_path}/code`);
    await buildMember(api, `projects/${projectId}`, user.id, 40);
    const list = async (path: string): Promise<[number, number][]> =>
      (await owner.client.get<Member[]>(path)).body.map((one) => [one.id, one.access_level]);
    expect(await list(`/groups/${child.id}/members`)).toEqual([[owner.id, 50]]);
    expect(await list(`/groups/${child.id}/members/all`)).toEqual([
      [owner.id, 50],
      [user.id, 30],
    ]);
    expect(await list(`/projects/${projectId}/members`)).toEqual([[user.id, 40]]);
    expect(await list(`/projects/${projectId}/members/all`)).toEqual([
      [owner.id, 50],
      [user.id, 40],
    ]);
    expect((await owner.client.get(`/groups/${child.id}/members/${user.id}`)).body).toEqual({
      message: '404 Member Not Found',
    });
    expect((await owner.client.get(`/groups/${child.id}/members/all/${user.id}`)).body).toMatchObject({
      access_level: 30,
    });
    const found = await owner.client.get<Member[]>(`/groups/${child.id}/members/all?query=${user.username}`);
    expect(found.body.map(({ id }) => id)).toEqual([user.id]);
    const picked = await owner.client.get<Member[]>(`/groups/${child.id}/members/all?user_ids[]=${owner.id}`);
    expect(picked.body.map(({ id }) => id)).toEqual([owner.id]);
    const below = await owner.client.post(`/groups/${child.id}/members`, {
      user_id: user.id,
      access_level: 20,
    });
    expect(below.status).toBe(400);
    expect(below.body).toEqual({
      message: {
        access_level: [
          `should be greater than or equal to Developer inherited membership from group ${group.name}`,
        ],
      },
    });
  });

  it('can be changed and removed', async () => {
    const fresh = await buildGroup(api, {}, owner.client);
    const path = `/groups/${fresh.id}/members/${user.id}`;
    const missing = await owner.client.put(path, { access_level: 20 });
    expect(missing.status).toBe(404);
    await buildMember(api, `groups/${fresh.id}`, user.id, 10, day(3));
    const changed = await owner.client.put(path, { access_level: 20 });
    expect(changed.body).toMatchObject({ access_level: 20, expires_at: day(3) });
    const endless = await owner.client.put(path, { access_level: 20, expires_at: '' });
    expect(endless.body).toMatchObject({ expires_at: null });
    expect((await user.client.put(path, { access_level: 50 })).status).toBe(403);
    expect((await user.client.delete(`/groups/${fresh.id}/members/${owner.id}`)).status).toBe(403);
    expect((await user.client.delete(path)).status).toBe(204);
    expect((await owner.client.delete(path)).status).toBe(404);
    expect(await auditChanges(api, 'User')).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ change: 'access_level', from: 'Guest', to: 'Reporter' }),
        expect.objectContaining({ remove: 'user_access' }),
      ]),
    );
  });

  it('include at least one owner, also if two step down at once', async () => {
    const fresh = await buildGroup(api, {}, owner.client);
    const path = `/groups/${fresh.id}/members`;
    expect((await owner.client.delete(`${path}/${owner.id}`)).status).toBe(403);
    expect((await api.root.put(`${path}/${owner.id}`, { access_level: 10 })).status).toBe(403);
    await buildMember(api, `groups/${fresh.id}`, user.id, 50);
    const statuses = (
      await Promise.all([
        api.root.put(`${path}/${owner.id}`, { access_level: 10 }),
        api.root.put(`${path}/${user.id}`, { access_level: 10 }),
      ])
    ).map(({ status }) => status);
    expect(statuses.sort()).toEqual([200, 403]);
  });

  it('are added once by two simultaneous requests', async () => {
    const fresh = await buildGroup(api, {}, owner.client);
    const add = (): Promise<{ status: number }> =>
      owner.client.post(`/groups/${fresh.id}/members`, { user_id: user.id, access_level: 20 });
    const statuses = (await Promise.all([add(), add(), add()])).map(({ status }) => status);
    expect(statuses.sort()).toEqual([201, 409, 409]);
  });

  it('are removed from all descendants as well', async () => {
    const top = await buildGroup(api, {}, owner.client);
    const child = await buildGroup(api, { parent_id: top.id }, owner.client);
    await buildMember(api, `groups/${top.id}`, user.id, 10);
    await buildMember(api, `groups/${child.id}`, user.id, 30);
    await owner.client.delete(`/groups/${top.id}/members/${user.id}?skip_subresources=true`);
    expect((await user.client.get(`/groups/${child.id}`)).status).toBe(200);
    await buildMember(api, `groups/${top.id}`, user.id, 10);
    await owner.client.delete(`/groups/${top.id}/members/${user.id}`);
    expect((await user.client.get(`/groups/${child.id}`)).status).toBe(404);
  });

  it('have no role once their membership expires, until it is renewed', async () => {
    const fresh = await buildGroup(api, {}, owner.client);
    await buildMember(api, `groups/${fresh.id}`, user.id, 30);
    await api.sql('update members set expires_at = current_date where user_id = $1 and source_id = $2', [
      user.id,
      fresh.id,
    ]);
    expect((await user.client.get(`/groups/${fresh.id}`)).status).toBe(404);
    expect((await owner.client.get(`/groups/${fresh.id}/members/${user.id}`)).status).toBe(404);
    expect((await owner.client.get<Member[]>(`/groups/${fresh.id}/members/all`)).body).toHaveLength(1);
    await buildMember(api, `groups/${fresh.id}`, user.id, 20);
    expect((await user.client.get(`/groups/${fresh.id}`)).status).toBe(200);
  });

  it('are removed with expired memberships and shares', async () => {
    const fresh = await buildGroup(api, {}, owner.client);
    const guests = await buildGroup(api, {}, owner.client);
    await buildMember(api, `groups/${fresh.id}`, user.id, 30);
    await owner.client.post(`/groups/${fresh.id}/share`, { group_id: guests.id, group_access: 10 });
    for (const table of ['members', 'group_links'])
      await api.sql(
        `update ${table} set expires_at = current_date - 1 where source_id = $1 and not ${
          table === 'members' ? `user_id = ${owner.id}` : 'false'
        }`,
        [fresh.id],
      );
    const context = { signal: new AbortController().signal } as JobContext;
    await api.app.get(PruneMembersProcessor, { strict: false }).process({}, context);
    await api.app.get(PruneGroupLinksProcessor, { strict: false }).process({}, context);
    const left = await api.sql('select 1 from members where source_id = $1', [fresh.id]);
    expect(left).toHaveLength(1);
    expect(await api.sql('select 1 from group_links where source_id = $1', [fresh.id])).toEqual([]);
  });

  it('cannot grant more than their own level in projects, and include the owner of the namespace', async () => {
    const team = await buildProjectTeam(api);
    const path = `/projects/${team.projectId}/members`;
    expect((await team.maintainer.post(path, { user_id: user.id, access_level: 50 })).status).toBe(403);
    expect((await team.maintainer.post(path, { user_id: user.id, access_level: 40 })).status).toBe(201);
    expect((await team.developer.post(path, { user_id: stranger.id, access_level: 10 })).status).toBe(403);
    const list = await team.guest.get<Member[]>(path);
    expect(list.body[0]).toMatchObject({ id: 1, access_level: 50 });
    expect((await team.maintainer.get(`${path}/1`)).body).toMatchObject({ access_level: 50 });
    expect((await team.maintainer.delete(`${path}/1`)).status).toBe(403);
    expect((await team.maintainer.put(`${path}/1`, { access_level: 10 })).status).toBe(403);
    expect((await team.maintainer.post(path, { user_id: 1, access_level: 40 })).status).toBe(409);
    expect((await team.stranger.get(path)).status).toBe(404);
  });

  it('have the minimal access level only in groups of the premium plan', async () => {
    const fresh = await buildGroup(api, {}, owner.client);
    const add = (id: number): Promise<{ status: number }> =>
      owner.client.post(`/groups/${fresh.id}/members`, { user_id: id, access_level: 5 });
    await api.root.put('/application/settings', { license_plan: 'free' });
    expect((await add(user.id)).status).toBe(400);
    await api.root.put('/application/settings', { license_plan: 'ultimate' });
    expect((await add(user.id)).status).toBe(201);
    const project = await buildProject(owner.client, { namespace_id: fresh.id });
    const members = await owner.client.get<Member[]>(`/projects/${project.id}/members/all`);
    expect(members.body.map(({ id }) => id)).toEqual([owner.id]);
    expect((await owner.client.get(`/projects/${project.id}/members/all/${user.id}`)).status).toBe(404);
  });
});
