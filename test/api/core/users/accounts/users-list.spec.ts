import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { TestApi } from '../../../../support/api.js';
import { buildIssue } from '../../../../support/builders/issue.js';
import { buildMergeRequestRow } from '../../../../support/builders/merge-request-row.js';
import { buildProject } from '../../../../support/builders/project.js';
import { createUser, type CreatedUser } from '../../../../support/builders/user.js';
import { type UserBody } from '../../../../support/builders/user-shapes.js';
import type { Answer, ApiClient } from '../../../../support/client.js';
import { borrowApi } from '../../../../support/shared-api.js';

const ids = (answer: Answer<UserBody[]>): number[] => answer.body.map(({ id }) => id);

describe('users', () => {
  let api: TestApi;
  let jane: CreatedUser;
  let zoe: CreatedUser;

  beforeAll(async () => {
    api = await borrowApi();
    jane = await createUser(api, { username: 'jane', name: 'Jane Doe', email: 'jane@example.com' });
    zoe = await createUser(api, { username: 'zoe', name: 'Zoe Roe', bio: 'about', public_email: '' });
  });
  afterAll(() => api.close());

  describe('listing', () => {
    it('filters', async () => {
      const outside = await createUser(api, { external: true, username: 'outsider' });
      const find = (query: string, client = api.root): Promise<number[]> =>
        client.get<UserBody[]>(`/users?per_page=100&${query}`).then(ids);
      expect(await find('username=Jane')).toEqual([jane.id]);
      expect(await find('search=ane%20D')).toEqual([jane.id]);
      expect(await find('search=%25')).toEqual([]);
      expect(await find('search=JANE@example.com')).toEqual([jane.id]);
      expect(await find('search=jane@example.com', zoe.client)).toEqual([]);
      expect(await find('external=true')).toEqual([outside.id]);
      expect(await find('exclude_external=true')).not.toContain(outside.id);
      expect(await find('admins=true')).toEqual([1]);
      expect(await find('external=true', zoe.client)).toContain(jane.id);
      expect(await find('created_after=2999-01-01')).toEqual([]);
      expect(await find('created_after=2999-01-01', zoe.client)).toContain(jane.id);
      expect(await find('created_before=2999-01-01T00:00:00Z')).toContain(jane.id);
      expect(await find('two_factor=enabled')).toEqual([]);
      expect(await find('two_factor=disabled')).toContain(jane.id);
      expect(await find('without_projects=true')).toContain(jane.id);
      expect(await find('humans=true')).toContain(jane.id);
      expect(await find('exclude_humans=true')).toEqual([]);
      expect(await find('active=true&blocked=false')).toContain(jane.id);
      await api.root.post(`/users/${outside.id}/block`);
      expect(await find('blocked=true')).toEqual([outside.id]);
      expect(await find('exclude_active=true')).toEqual([outside.id]);
      expect(await find('active=true')).not.toContain(outside.id);
    });

    it('orders by id in descending order, and as administrators request', async () => {
      const all = ids(await jane.client.get<UserBody[]>('/users?per_page=100'));
      expect(all).toEqual([...all].sort((a, b) => b - a));
      for (const column of ['id', 'name', 'username', 'created_at', 'updated_at'])
        for (const sort of ['asc', 'desc'])
          expect((await api.root.get(`/users?order_by=${column}&sort=${sort}`)).status).toBe(200);
      const names = await api.root.get<UserBody[]>('/users?order_by=username&sort=asc&per_page=100');
      const usernames = names.body.map(({ username }) => username);
      const [expected] = await api.sql<{ list: string[] }>(
        'select array_agg(username order by username) as list from users where not pending_delete',
      );
      expect(usernames).toEqual(expected?.list);
      expect(
        ids(await jane.client.get<UserBody[]>('/users?order_by=username&sort=asc&per_page=100')),
      ).toEqual(all);
    });

    it('lists the best match first', async () => {
      await createUser(api, { username: 'xxbestxx', name: 'A' });
      await createUser(api, { username: 'bestial', name: 'B' });
      await createUser(api, { username: 'best', name: 'C' });
      for (const client of [api.root, jane.client]) {
        const found = await client.get<UserBody[]>('/users?search=best');
        expect(found.body.map(({ username }) => username)).toEqual(['best', 'bestial', 'xxbestxx']);
        expect(found.headers.get('x-total')).toBe('3');
      }
    });

    it('paginates by offset and by keyset', async () => {
      const first = await jane.client.get<UserBody[]>('/users?per_page=2');
      expect(first.body).toHaveLength(2);
      expect(first.headers.get('x-next-page')).toBe('2');
      const seen: number[] = [];
      let path: string | null = '/users?pagination=keyset&order_by=id&sort=asc&per_page=3';
      while (path !== null) {
        const page: Answer<UserBody[]> = await api.root.get<UserBody[]>(path);
        expect(page.status).toBe(200);
        seen.push(...ids(page));
        const link: string | null = page.headers.get('link');
        path = link === null ? null : (/<[^>]*\/api\/v4([^>]+)>; rel="next"/.exec(link)?.[1] ?? null);
      }
      const all = ids(await api.root.get<UserBody[]>('/users?per_page=100'));
      expect(seen).toEqual([...all].sort((a, b) => a - b));
    });

    it('refuses parameters of the wrong type', async () => {
      const queries = [
        'active=x',
        'two_factor=yes',
        'created_after=yesterday',
        'order_by=password_digest',
        'sort=up',
        'search[]=a',
        'username[a]=b',
        'external[]=1',
        'per_page=0',
        'extern_uid=1',
        'provider=ldap',
      ];
      for (const query of queries)
        expect([query, (await api.root.get(`/users?${query}`)).status]).toEqual([query, 400]);
    });
  });

  describe('the signed-in user', () => {
    it('sets and clears a status', async () => {
      expect((await jane.client.get('/user/status')).body).toEqual({
        emoji: null,
        message: null,
        availability: null,
        message_html: '',
        clear_status_at: null,
      });
      const set = await jane.client.put('/user/status', {
        emoji: 'coffee',
        message: '<b>out</b>',
        availability: 'busy',
        clear_status_after: '30_minutes',
      });
      expect(set.status).toBe(200);
      expect(set.body).toMatchObject({
        emoji: 'coffee',
        message_html: '&lt;b&gt;out&lt;/b&gt;',
        availability: 'busy',
      });
      for (const path of [`/users/${jane.id}/status`, '/users/JANE/status'])
        expect((await zoe.client.get(path)).body).toEqual(set.body);
      for (const body of [
        { availability: 'away' },
        { clear_status_after: '1_year' },
        { message: 'x'.repeat(101) },
      ])
        expect((await jane.client.put('/user/status', body)).status).toBe(400);
      expect((await jane.client.put('/user/status', {})).body['message']).toBeNull();
    });

    it('counts open work', async () => {
      const answer = await jane.client.get('/user_counts');
      expect(answer.body).toEqual({
        merge_requests: 0,
        assigned_issues: 0,
        assigned_merge_requests: 0,
        review_requested_merge_requests: 0,
        todos: 0,
      });
    });

    it('counts open work only while it can be read', async () => {
      const project = await buildProject(api.root, { visibility: 'private' });
      const members = `/projects/${project.id}/members`;
      await api.root.post(members, { user_id: jane.id, access_level: 30 });
      await buildIssue(api.root, project.id, { assignee_ids: [jane.id] });
      const request = await buildMergeRequestRow(api, project.id, { sourceBranch: 'work' });
      const people = { assignee_ids: [jane.id], reviewer_ids: [jane.id] };
      await api.root.put(`/projects/${project.id}/merge_requests/${request.iid}`, people);
      const count = async (): Promise<unknown> => (await jane.client.get('/user_counts')).body;
      const assigned = { merge_requests: 1, assigned_merge_requests: 1, assigned_issues: 1 };
      expect(await count()).toMatchObject({ ...assigned, review_requested_merge_requests: 1 });
      // A guest of a private project reads its issues, but not its merge requests.
      await api.root.put(`${members}/${jane.id}`, { access_level: 10 });
      const nothing = { merge_requests: 0, assigned_merge_requests: 0, review_requested_merge_requests: 0 };
      expect(await count()).toMatchObject({ ...nothing, assigned_issues: 1 });
      await api.root.delete(`${members}/${jane.id}`);
      expect(await count()).toMatchObject({ ...nothing, assigned_issues: 0 });
    });

    it('follows others', async () => {
      expect((await jane.client.post(`/users/${jane.id}/follow`)).status).toBe(400);
      expect((await jane.client.post(`/users/${zoe.id}/follow`)).status).toBe(201);
      expect((await jane.client.post(`/users/${zoe.id}/follow`)).status).toBe(304);
      const seen = await jane.client.get(`/users/${zoe.id}`);
      expect(seen.body).toMatchObject({ followers: 1, following: 0, is_followed: true });
      expect((await api.root.get(`/users/${zoe.id}`)).body['is_followed']).toBe(false);
      expect(ids(await zoe.client.get<UserBody[]>(`/users/${zoe.id}/followers`))).toEqual([jane.id]);
      expect(ids(await zoe.client.get<UserBody[]>(`/users/${jane.id}/following`))).toEqual([zoe.id]);
      expect((await jane.client.post(`/users/${zoe.id}/unfollow`)).status).toBe(201);
      expect((await jane.client.post(`/users/${zoe.id}/unfollow`)).status).toBe(304);
    });

    it('show a private profile only to itself, its followed or followers, and administrators', async () => {
      const hidden = await createUser(api, { private_profile: true });
      await hidden.client.post(`/users/${zoe.id}/follow`);
      await zoe.client.post(`/users/${hidden.id}/follow`);
      for (const list of ['followers', 'following']) {
        const seenBy = async (client: ApiClient): Promise<number[]> =>
          ids(await client.get<UserBody[]>(`/users/${zoe.id}/${list}`));
        expect([list, await seenBy(jane.client)]).toEqual([list, []]);
        for (const client of [hidden.client, zoe.client, api.root])
          expect([list, await seenBy(client)]).toEqual([list, [hidden.id]]);
      }
      for (const [client, count] of [
        [jane.client, 0],
        [hidden.client, 1],
        [zoe.client, 1],
        [api.root, 1],
      ] as const)
        expect((await client.get(`/users/${zoe.id}`)).body).toMatchObject({
          followers: count,
          following: count,
        });
    });
  });

  it('lists memberships for administrators', async () => {
    const [group] = await api.sql<{ id: number }>(
      `insert into namespaces (type, name, path, full_path, full_name, traversal_ids)
       values ('Group', 'Team', 'team', 'team', 'Team', '{}') returning id`,
    );
    await api.sql(
      `insert into members (source_type, source_id, user_id, access_level) values ('Namespace', $1, $2, 30)`,
      [group?.id, zoe.id],
    );
    const all = await api.root.get(`/users/${zoe.id}/memberships`);
    expect(all.body).toEqual([
      { source_id: group?.id, source_name: 'Team', source_type: 'Namespace', access_level: 30 },
    ]);
    expect((await api.root.get(`/users/${zoe.id}/memberships?type=Project`)).body).toEqual([]);
    expect((await api.root.get(`/users/${zoe.id}/memberships?type=Thing`)).status).toBe(400);
    expect((await api.root.get(`/users/${zoe.id}`)).body['highest_role']).toBe(30);
  });
});
