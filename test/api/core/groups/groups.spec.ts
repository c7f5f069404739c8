import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { TestApi } from '../../../support/api.js';
import { buildGroup } from '../../../support/builders/group.js';
import { addProject, auditChanges } from '../../../support/builders/instance.js';
import { buildMember } from '../../../support/builders/member.js';
import { createUser, type CreatedUser } from '../../../support/builders/user.js';
import { borrowApi } from '../../../support/shared-api.js';

interface Group extends Record<string, unknown> {
  readonly id: number;
  readonly name: string;
  readonly full_path: string;
}

describe('groups', () => {
  let api: TestApi;
  let owner: CreatedUser;
  let stranger: CreatedUser;
  beforeAll(async () => {
    api = await borrowApi();
    owner = await createUser(api);
    stranger = await createUser(api);
  });
  afterAll(() => api.close());

  const names = (groups: readonly Group[]): string[] => groups.map(({ name }) => name);

  it('makes the creator the owner of a group', async () => {
    const answer = await owner.client.post('/groups', { name: 'Alpha', path: 'alpha', description: 'One' });
    expect(answer.status).toBe(201);
    expect(answer.body).toMatchObject({
      name: 'Alpha',
      path: 'alpha',
      full_path: 'alpha',
      full_name: 'Alpha',
      visibility: 'private',
      description: 'One',
      parent_id: null,
      project_creation_level: 'developer',
      subgroup_creation_level: 'maintainer',
      two_factor_grace_period: 48,
      shared_runners_setting: 'enabled',
      web_url: 'http://forgeplane.test/groups/alpha',
      projects: [],
      shared_projects: [],
      shared_with_groups: [],
    });
    expect(answer.body['runners_token']).toMatch(/^GR1348941/);
    const again = await owner.client.get('/groups/alpha');
    expect(again.body['runners_token']).toBe(answer.body['runners_token']);
    const members = await owner.client.get<Group[]>('/groups/ALPHA/members');
    expect(members.body).toMatchObject([{ id: owner.id, access_level: 50 }]);
    const stored = await api.sql<{ runners_token: string }>(
      `select runners_token from namespaces where full_path = 'alpha'`,
    );
    expect(stored[0]?.runners_token).not.toContain('GR1348941');
  });

  it('refuses taken, reserved and malformed names with the texts that clients expect', async () => {
    const path = await owner.client.post('/groups', { name: 'Alpha two', path: 'ALPHA' });
    expect(path.status).toBe(400);
    expect(path.body).toEqual({ message: { path: ['has already been taken'] } });
    const name = await owner.client.post('/groups', { name: 'alpha', path: 'alpha-2' });
    expect(name.body).toEqual({ message: { name: ['has already been taken'] } });
    const username = await owner.client.post('/groups', { name: 'x', path: stranger.username });
    expect(username.body).toEqual({ message: { path: ['has already been taken'] } });
    for (const bad of ['api', '-x', 'x.git', 'a b', 'x.', 'ü', '42'])
      expect((await owner.client.post('/groups', { name: 'bad', path: bad })).status).toBe(400);
    const missing = await owner.client.post('/groups', { path: 'x' });
    expect(missing.body).toEqual({ message: '400 (Bad request) "name" not given' });
    const visibility = await owner.client.post('/groups', { name: 'x', path: 'x', visibility: 'secret' });
    expect(visibility.body).toEqual({ message: { visibility: ['does not have a valid value'] } });
  });

  it('creates top-level groups only for users who may create them', async () => {
    const { client } = await createUser(api, { can_create_group: false });
    expect((await client.post('/groups', { name: 'no', path: 'no-1' })).status).toBe(403);
    expect((await api.anonymous.post('/groups', { name: 'no', path: 'no-2' })).status).toBe(401);
  });

  it('hides private groups and shows public ones to everyone', async () => {
    const hidden = await buildGroup(api, {}, owner.client);
    const open = await buildGroup(api, { visibility: 'public' }, owner.client);
    const inside = await buildGroup(api, { visibility: 'internal' }, owner.client);
    const statuses = async (id: number): Promise<number[]> =>
      Promise.all(
        [api.anonymous, stranger.client, owner.client].map(
          async (client) => (await client.get(`/groups/${id}`)).status,
        ),
      );
    expect(await statuses(hidden.id)).toEqual([404, 404, 200]);
    expect(await statuses(inside.id)).toEqual([404, 200, 200]);
    expect(await statuses(open.id)).toEqual([200, 200, 200]);
    const seen = await stranger.client.get(`/groups/${open.id}`);
    expect(seen.body).not.toHaveProperty('runners_token');
    expect((await stranger.client.put(`/groups/${open.id}`, { name: 'mine' })).status).toBe(403);
    expect((await stranger.client.delete(`/groups/${hidden.id}`)).status).toBe(404);
  });

  it('lists the groups that the caller may see, by name', async () => {
    const mine = await createUser(api);
    const prefix = 'list-rule';
    for (const [name, visibility] of [
      ['c', 'private'],
      ['a', 'public'],
      ['b', 'internal'],
    ])
      await buildGroup(
        api,
        { name: `${prefix}-${name ?? ''}`, path: `${prefix}-${name ?? ''}`, visibility },
        mine.client,
      );
    const list = async (client: TestApi['root'], query = ''): Promise<string[]> =>
      names((await client.get<Group[]>(`/groups?search=${prefix}&${query}`)).body);
    expect(await list(api.anonymous)).toEqual([`${prefix}-a`]);
    expect(await list(stranger.client)).toEqual([]);
    expect(await list(stranger.client, 'all_available=true')).toEqual([`${prefix}-a`, `${prefix}-b`]);
    expect(await list(mine.client)).toEqual(['a', 'b', 'c'].map((name) => `${prefix}-${name}`));
    expect(await list(mine.client, 'sort=desc')).toEqual(['c', 'b', 'a'].map((name) => `${prefix}-${name}`));
    expect(await list(mine.client, 'visibility=internal')).toEqual([`${prefix}-b`]);
    expect(await list(mine.client, 'owned=true')).toHaveLength(3);
    expect(await list(stranger.client, 'owned=true')).toEqual([]);
    expect(await list(mine.client, 'min_access_level=40')).toHaveLength(3);
    expect(await list(api.root)).toHaveLength(3);
    expect(await list(api.root, 'all_available=false')).toEqual([]);
    const external = await createUser(api, { external: true });
    expect(await list(external.client, 'all_available=true')).toEqual([`${prefix}-a`]);
    const similar = await mine.client.get<Group[]>(`/groups?search=${prefix}-b&order_by=similarity`);
    expect(names(similar.body)[0]).toBe(`${prefix}-b`);
    const bad = await mine.client.get('/groups?order_by=color');
    expect(bad.body).toEqual({ message: { order_by: ['does not have a valid value'] } });
  });

  it('skips groups and adds statistics for administrators', async () => {
    const { id } = await buildGroup(api, { name: 'skipped-one', path: 'skipped-one', visibility: 'public' });
    const list = await api.root.get<Group[]>(`/groups?search=skipped-one&skip_groups[]=${id}`);
    expect(list.body).toEqual([]);
    const sized = await api.root.get<Group[]>('/groups?search=skipped-one&statistics=true');
    expect(sized.body[0]?.['statistics']).toMatchObject({ storage_size: 0, job_artifacts_size: 0 });
    const plain = await owner.client.get<Group[]>(
      '/groups?search=skipped-one&statistics=true&all_available=true',
    );
    expect(plain.body[0]).not.toHaveProperty('statistics');
  });

  it('paginates by keyset, for signed-in callers too', async () => {
    for (const name of ['k1', 'k2', 'k3'])
      await buildGroup(api, { name: `walk-${name}`, path: `walk-${name}`, visibility: 'public' });
    for (const client of [api.anonymous, owner.client]) {
      let next: string | undefined =
        '/groups?pagination=keyset&order_by=name&sort=asc&per_page=2&all_available=true&search=walk-k';
      const found: string[] = [];
      while (next !== undefined) {
        const answer: Awaited<ReturnType<typeof client.get<Group[]>>> = await client.get<Group[]>(next);
        found.push(...names(answer.body));
        next = /<http:\/\/forgeplane.test\/api\/v4([^>]+)>; rel="next"/.exec(
          answer.headers.get('link') ?? '',
        )?.[1];
      }
      expect(found).toEqual(['walk-k1', 'walk-k2', 'walk-k3']);
    }
    const missing = await owner.client.get('/groups?pagination=keyset');
    expect(missing.body).toEqual({ message: '400 (Bad request) "order_by" not given' });
    expect((await owner.client.get('/groups?pagination=keyset&order_by=path&sort=asc')).status).toBe(405);
  });

  it('keeps subgroups within the visibility of their parents', async () => {
    const parent = await buildGroup(api, { visibility: 'internal' }, owner.client);
    const create = (visibility: string): Promise<{ status: number; body: Record<string, unknown> }> =>
      owner.client.post('/groups', { name: visibility, path: visibility, parent_id: parent.id, visibility });
    const wider = await create('public');
    expect(wider.status).toBe(400);
    expect(wider.body['message']).toEqual({
      visibility_level: ['public is not allowed since the parent group has a internal visibility.'],
    });
    expect((await create('internal')).status).toBe(201);
    const narrower = await owner.client.put(`/groups/${parent.id}`, { visibility: 'private' });
    expect(narrower.status).toBe(400);
    expect(narrower.body).toEqual({
      message: {
        visibility_level: ['private is not allowed since there are sub-groups with higher visibility.'],
      },
    });
    await api.root.put('/application/settings', { restricted_visibility_levels: ['public'] });
    expect((await owner.client.put(`/groups/${parent.id}`, { visibility: 'public' })).status).toBe(400);
    await api.root.put('/application/settings', { restricted_visibility_levels: [] });
    expect((await owner.client.put(`/groups/${parent.id}`, { visibility: 'public' })).status).toBe(200);
  });

  it('lists subgroups and descendants', async () => {
    const top = await buildGroup(api, { visibility: 'public' }, owner.client);
    const middle = await buildGroup(
      api,
      { parent_id: top.id, visibility: 'public', name: 'middle' },
      owner.client,
    );
    const low = await buildGroup(api, { parent_id: middle.id, name: 'low' }, owner.client);
    expect(low.full_path).toBe(`${middle.full_path}/${low.path}`);
    const list = async (client: TestApi['root'], path: string): Promise<string[]> =>
      names((await client.get<Group[]>(`/groups/${top.id}/${path}`)).body);
    expect(await list(owner.client, 'subgroups')).toEqual(['middle']);
    expect(await list(owner.client, 'descendant_groups')).toEqual(['low', 'middle']);
    expect(await list(api.anonymous, 'descendant_groups')).toEqual(['middle']);
    expect(await list(stranger.client, 'descendant_groups')).toEqual([]);
    expect(await list(stranger.client, 'descendant_groups?all_available=true')).toEqual(['middle']);
    const tops = await owner.client.get<Group[]>('/groups?top_level_only=true&per_page=100');
    expect(names(tops.body)).not.toContain('middle');
    const encoded = await owner.client.get(`/groups/${encodeURIComponent(low.full_path)}`);
    expect(encoded.body['id']).toBe(low.id);
  });

  it('lets maintainers create subgroups unless only owners may', async () => {
    const parent = await buildGroup(api, {}, owner.client);
    const other = await createUser(api);
    const create = (path: string): Promise<{ status: number }> =>
      other.client.post('/groups', { name: path, path, parent_id: parent.id });
    expect((await create('s1')).status).toBe(404);
    await buildMember(api, `groups/${parent.id}`, other.id, 30);
    expect((await create('s1')).status).toBe(403);
    await owner.client.put(`/groups/${parent.id}/members/${other.id}`, { access_level: 40 });
    expect((await create('s1')).status).toBe(201);
    await owner.client.put(`/groups/${parent.id}`, { subgroup_creation_level: 'owner' });
    expect((await create('s2')).status).toBe(403);
  });

  it('changes settings and names, and redirects from the former path', async () => {
    const group = await buildGroup(api, {}, owner.client);
    const child = await buildGroup(api, { parent_id: group.id, path: 'child' }, owner.client);
    const projectId = await addProject(api, child.id, `${child.full_path}/thing`);
    const path = `${group.path}-new`;
    const changed = await owner.client.put(`/groups/${group.id}`, {
      path,
      name: 'New name',
      description: 'Changed',
      emails_enabled: false,
      default_branch_protection: 0,
      membership_lock: true,
    });
    expect(changed.status).toBe(200);
    expect(changed.body).toMatchObject({
      path,
      full_path: path,
      full_name: 'New name',
      description: 'Changed',
      emails_disabled: true,
      emails_enabled: false,
      default_branch_protection: 0,
      membership_lock: true,
    });
    const [project] = await api.sql<{ full_path: string; full_name: string }>(
      'select full_path, full_name from projects where id = $1',
      [projectId],
    );
    expect(project).toEqual({
      full_path: `${path}/child/thing`,
      full_name: `New name / ${child.name} / thing`,
    });
    const old = await owner.client.get(`/groups/${encodeURIComponent(child.full_path)}`);
    expect(old.body['full_path']).toBe(`${path}/child`);
    const taken = await owner.client.put(`/groups/${group.id}`, { path: 'alpha' });
    expect(taken.status).toBe(400);
    expect(taken.body).toEqual({ message: { path: ['has already been taken'] } });
    const changes = await auditChanges(api, 'Group');
    expect(changes).toContainEqual(expect.objectContaining({ change: 'path', from: group.path, to: path }));
  });

  it('nests groups up to twenty levels deep', async () => {
    let parentId: number | undefined;
    for (let depth = 1; depth <= 20; depth += 1)
      parentId = (
        await buildGroup(
          api,
          { path: 'd', ...(parentId ? { parent_id: parentId } : { path: 'deep' }) },
          owner.client,
        )
      ).id;
    const answer = await owner.client.post('/groups', { name: 'd', path: 'd', parent_id: parentId });
    expect(answer.status).toBe(400);
    expect(answer.body).toEqual({
      message: { parent_id: ['has too deep level of nesting'] },
    });
  });

  it('gives a path to only one of two simultaneous requests', async () => {
    const create = (): Promise<{ status: number }> =>
      owner.client.post('/groups', { name: 'raced', path: 'raced' });
    const statuses = (await Promise.all([create(), create(), create()])).map(({ status }) => status);
    expect(statuses.sort()).toEqual([201, 400, 400]);
  });
});
