import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { TestApi } from '../../../support/api.js';
import { buildGroup } from '../../../support/builders/group.js';
import { addProject } from '../../../support/builders/instance.js';
import { buildMember } from '../../../support/builders/member.js';
import { buildProject } from '../../../support/builders/project.js';
import { createUser, type CreatedUser } from '../../../support/builders/user.js';
import { borrowApi } from '../../../support/shared-api.js';

describe('transfer, sharing and deletion of groups', () => {
  let api: TestApi;
  let owner: CreatedUser;
  beforeAll(async () => {
    api = await borrowApi();
    owner = await createUser(api);
  });
  afterAll(() => api.close());

  it('moves a whole tree, and refuses cycles', async () => {
    const target = await buildGroup(api, {}, owner.client);
    const moving = await buildGroup(api, { visibility: 'public' }, owner.client);
    const child = await buildGroup(api, { parent_id: moving.id, visibility: 'public' }, owner.client);
    const projectId = await addProject(api, child.id, `${child.full_path}/code`);
    const moved = await owner.client.post(`/groups/${moving.id}/transfer`, { group_id: target.id });
    expect(moved.status).toBe(201);
    expect(moved.body).toMatchObject({
      full_path: `${target.path}/${moving.path}`,
      parent_id: target.id,
      visibility: 'private',
    });
    const [row] = await api.sql<{ full_path: string; traversal_ids: number[]; visibility: string }>(
      `select p.full_path, n.traversal_ids, n.visibility from projects p join namespaces n on n.id = p.namespace_id where p.id = $1`,
      [projectId],
    );
    expect(row).toEqual({
      full_path: `${target.path}/${moving.path}/${child.path}/code`,
      traversal_ids: [target.id, moving.id, child.id],
      visibility: 'private',
    });
    expect((await owner.client.get(`/groups/${encodeURIComponent(child.full_path)}`)).status).toBe(200);
    const circle = await owner.client.post(`/groups/${target.id}/transfer`, { group_id: child.id });
    expect(circle.status).toBe(400);
    expect(circle.body).toEqual({
      message: 'Transfer failed: Cannot transfer group to one of its subgroup.',
    });
    const same = await owner.client.post(`/groups/${moving.id}/transfer`, { group_id: target.id });
    expect(same.status).toBe(400);
    const back = await owner.client.post(`/groups/${moving.id}/transfer`);
    expect(back.body).toMatchObject({ full_path: moving.path, parent_id: null });
    const other = await createUser(api);
    const foreign = await buildGroup(api, {}, other.client);
    expect((await owner.client.post(`/groups/${moving.id}/transfer`, { group_id: foreign.id })).status).toBe(
      404,
    );
  });

  it('never creates a cycle by two simultaneous moves', async () => {
    const [one, two] = [await buildGroup(api), await buildGroup(api)];
    const statuses = (
      await Promise.all([
        api.root.post(`/groups/${one.id}/transfer`, { group_id: two.id }),
        api.root.post(`/groups/${two.id}/transfer`, { group_id: one.id }),
      ])
    ).map(({ status }) => status);
    expect(statuses.sort()).toEqual([201, 400]);
  });

  it('shares a group, whose members get a role, and ends the share', async () => {
    const shared = await buildGroup(api, {}, owner.client);
    const guests = await buildGroup(api);
    const guest = await createUser(api);
    await buildMember(api, `groups/${guests.id}`, guest.id, 40);
    const hidden = await owner.client.post(`/groups/${shared.id}/share`, {
      group_id: guests.id,
      group_access: 30,
    });
    expect(hidden.status).toBe(404);
    await buildMember(api, `groups/${guests.id}`, owner.id, 10);
    const done = await owner.client.post(`/groups/${shared.id}/share`, {
      group_id: guests.id,
      group_access: 30,
    });
    expect(done.status).toBe(201);
    expect(done.body['shared_with_groups']).toEqual([
      {
        group_id: guests.id,
        group_name: guests.name,
        group_full_path: guests.full_path,
        group_access_level: 30,
        expires_at: null,
      },
    ]);
    expect((await guest.client.get(`/groups/${shared.id}`)).status).toBe(200);
    const all = await owner.client.get<Record<string, unknown>[]>(`/groups/${shared.id}/members/all`);
    expect(all.body.find(({ id }) => id === guest.id)).toMatchObject({ access_level: 30 });
    const again = await owner.client.post(`/groups/${shared.id}/share`, {
      group_id: guests.id,
      group_access: 30,
    });
    expect(again.status).toBe(409);
    expect((await owner.client.delete(`/groups/${shared.id}/share/${guests.id}`)).status).toBe(204);
    expect((await guest.client.get(`/groups/${shared.id}`)).status).toBe(404);
    const gone = await owner.client.delete(`/groups/${shared.id}/share/${guests.id}`);
    expect(gone.body).toEqual({ message: '404 Group Link Not Found' });
  });

  it('gives those whom a share invites the epics and the runners of the group', async () => {
    const invited = await createUser(api);
    const shared = await buildGroup(api);
    const group = await buildGroup(api, {}, invited.client);
    const project = await buildProject(api.root, { namespace_id: shared.id });
    const epic = await api.root.post<{ id: number }>(`/groups/${shared.id}/epics`, { title: 'Epic' });
    await api.root.post(`/projects/${project.id}/issues`, { title: 'Issue', epic_id: epic.body.id });
    await api.root.post(`/groups/${shared.id}/share`, { group_id: group.id, group_access: 50 });
    const issue = await invited.client.get(`/projects/${project.id}/issues/1`);
    expect(issue.body).toMatchObject({ epic: { id: epic.body.id } });
    const runner = { runner_type: 'group_type', group_id: shared.id };
    expect((await invited.client.post('/user/runners', runner)).status).toBe(201);
  });

  it('hides a tree immediately, and deletes it in a job', async () => {
    const group = await buildGroup(api, {}, owner.client);
    const child = await buildGroup(api, { parent_id: group.id }, owner.client);
    await addProject(api, child.id, `${child.full_path}/code`);
    const old = await owner.client.delete(`/groups/${group.id}`, {
      'If-Unmodified-Since': 'Sat, 01 Jan 2000 00:00:00 GMT',
    });
    expect(old.status).toBe(412);
    const answer = await owner.client.delete(`/groups/${group.id}`);
    expect(answer.status).toBe(202);
    expect(answer.body).toEqual({ message: '202 Accepted' });
    for (const id of [group.id, child.id]) expect((await owner.client.get(`/groups/${id}`)).status).toBe(404);
    await buildGroup(api, { name: group.name, path: group.path }, owner.client);
    const left = async (): Promise<number> =>
      (await api.sql('select 1 from namespaces where id = any($1)', [[group.id, child.id]])).length;
    for (let tries = 0; tries < 100 && (await left()) > 0; tries += 1)
      await new Promise((resolve) => setTimeout(resolve, 100));
    expect(await left()).toBe(0);
  });

  it('keeps deleted groups for the configured number of days', async () => {
    const group = await buildGroup(api, {}, owner.client);
    expect((await owner.client.post(`/groups/${group.id}/restore`)).status).toBe(404);
    await api.root.put('/application/settings', { deletion_adjourned_period: 7 });
    expect((await owner.client.delete(`/groups/${group.id}`)).status).toBe(202);
    const marked = await owner.client.get(`/groups/${group.id}`);
    expect(marked.body['marked_for_deletion_on']).toMatch(/^\d{4}-\d\d-\d\d$/);
    expect((await owner.client.delete(`/groups/${group.id}`)).status).toBe(400);
    const restored = await owner.client.post(`/groups/${group.id}/restore`);
    expect(restored.status).toBe(201);
    expect(restored.body['marked_for_deletion_on']).toBeNull();
    await api.root.put('/application/settings', { deletion_adjourned_period: 0 });
  });
});

describe('groups and their content', () => {
  let api: TestApi;
  let owner: CreatedUser;
  beforeAll(async () => {
    api = await borrowApi();
    owner = await createUser(api);
  });
  afterAll(() => api.close());

  it('includes projects according to their visibility', async () => {
    const group = await buildGroup(api, { visibility: 'public' }, owner.client);
    const project = await owner.client.post('/projects', {
      name: 'open',
      namespace_id: group.id,
      visibility: 'public',
    });
    expect(project.status).toBe(201);
    await owner.client.post('/projects', { name: 'closed', namespace_id: group.id });
    const shown = await api.anonymous.get<{ projects: object[] }>(`/groups/${group.id}`);
    expect(shown.body.projects).toMatchObject([{ name: 'open' }]);
    const all = await owner.client.get<{ projects: object[] }>(`/groups/${group.id}`);
    expect(all.body.projects).toHaveLength(2);
    const bare = await owner.client.get(`/groups/${group.id}?with_projects=false`);
    expect(bare.body).not.toHaveProperty('projects');
    const narrower = await owner.client.put(`/groups/${group.id}`, { visibility: 'private' });
    expect(narrower.body).toEqual({
      message: {
        visibility_level: [
          'private is not allowed since this group contains projects with higher visibility.',
        ],
      },
    });
  });

  it('refuses members in projects of a group with membership lock', async () => {
    const group = await buildGroup(api, { membership_lock: true }, owner.client);
    const project = await owner.client.post('/projects', { name: 'locked', namespace_id: group.id });
    const body = { user_id: 1, access_level: 30 };
    const answer = await owner.client.post(`/projects/${String(project.body['id'])}/members`, body);
    expect(answer.status).toBe(405);
  });

  it('leaves nothing behind if projects are created while a group is deleted', async () => {
    const group = await buildGroup(api, {}, owner.client);
    const fill = (path: string): Promise<{ status: number }> =>
      owner.client.post('/groups', { name: path, path, parent_id: group.id });
    const statuses = await Promise.all([
      ...['a', 'b', 'c', 'd'].map(fill),
      owner.client.delete(`/groups/${group.id}`),
      ...['e', 'f', 'g', 'h'].map(fill),
    ]);
    for (const { status } of statuses) expect([201, 202, 403, 404]).toContain(status);
    const left = async (): Promise<number> =>
      (await api.sql(`select 1 from namespaces where traversal_ids @> array[$1::bigint]`, [group.id])).length;
    for (let tries = 0; tries < 100 && (await left()) > 0; tries += 1)
      await new Promise((resolve) => setTimeout(resolve, 100));
    expect(await left()).toBe(0);
    const routes = await api.sql('select 1 from routes where path like $1', [`${group.path}%`]);
    expect(routes).toEqual([]);
  });

  it('removes the namespace and the groups of a user who is deleted permanently', async () => {
    const leaving = await createUser(api);
    const group = await buildGroup(api, {}, leaving.client);
    await leaving.client.post('/projects', { name: 'own' });
    const refused = await api.root.delete(`/users/${leaving.id}`);
    expect(refused.status).toBe(409);
    expect((await api.root.delete(`/users/${leaving.id}?hard_delete=true`)).status).toBe(204);
    const left = async (): Promise<number> =>
      (await api.sql('select 1 from namespaces where owner_id = $1 or id = $2', [leaving.id, group.id]))
        .length;
    for (let tries = 0; tries < 150 && (await left()) > 0; tries += 1)
      await new Promise((resolve) => setTimeout(resolve, 100));
    expect(await left()).toBe(0);
  });
});
