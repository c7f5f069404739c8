import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { DataSource } from 'typeorm';
import { startApi, type TestApi } from '../../../../support/api.js';
import { clientOf, createUser, type CreatedUser } from '../../../../support/builders/user.js';
import {
  ADMIN,
  BASIC,
  CURRENT,
  DETAIL,
  keysOf,
  PROFILE,
  sorted,
  validUser,
  type UserBody,
} from '../../../../support/builders/user-shapes.js';
import { deadlocksOf, untilBlocking } from '../../../../support/lock-waits.js';

describe('users', () => {
  let api: TestApi;
  let jane: CreatedUser;
  let zoe: CreatedUser;

  beforeAll(async () => {
    api = await startApi();
    jane = await createUser(api, { username: 'jane', name: 'Jane Doe', email: 'jane@example.com' });
    zoe = await createUser(api, { username: 'zoe', name: 'Zoe Roe', bio: 'about', public_email: '' });
  });
  afterAll(() => api.close());

  it('can follow each other at the same time without a deadlock', async () => {
    const [ann, ben] = [await createUser(api), await createUser(api)];
    const before = await deadlocksOf(api);
    const holder = api.app.get(DataSource).createQueryRunner();
    await holder.startTransaction();
    await holder.query('select 1 from users where id in ($1, $2) for update', [ann.id, ben.id]);
    const answers = [ann.client.post(`/users/${ben.id}/follow`), ben.client.post(`/users/${ann.id}/follow`)];
    await untilBlocking(api, holder, () => false, 2);
    await holder.rollbackTransaction();
    await holder.release();
    expect((await Promise.all(answers)).map(({ status }) => status)).toEqual([201, 201]);
    expect(await deadlocksOf(api)).toBe(before);
  });

  describe('records', () => {
    it('are basic in lists, a profile for others, complete for administrators', async () => {
      const list = await jane.client.get<UserBody[]>('/users');
      expect(list.status).toBe(200);
      for (const one of list.body) expect(keysOf(one)).toEqual(BASIC);
      const single = await jane.client.get<UserBody>(`/users/${zoe.id}`);
      expect(keysOf(single.body)).toEqual(sorted(PROFILE));
      expect(single.body).toMatchObject({
        bio: 'about',
        public_email: '',
        work_information: null,
        bot: false,
      });
      const own = await jane.client.get<UserBody>('/user');
      expect(keysOf(own.body)).toEqual(sorted(CURRENT));
      expect(own.body).toMatchObject({ email: 'jane@example.com', commit_email: 'jane@example.com' });
      const admins = await api.root.get<UserBody[]>('/users');
      for (const one of admins.body) expect(keysOf(one)).toEqual(sorted(ADMIN));
      const detail = await api.root.get<UserBody>(`/users/${jane.id}`);
      expect(keysOf(detail.body)).toEqual(sorted(DETAIL));
      expect(detail.body).toMatchObject({
        is_admin: false,
        highest_role: 0,
        created_by: { id: 1, username: 'root' },
      });
      expect(keysOf((await api.root.get('/user')).body)).toEqual(sorted(ADMIN));
    });

    it('contain the namespace of the user', async () => {
      const [row] = await api.sql<{ id: number }>('select id from namespaces where owner_id = $1', [jane.id]);
      const detail = await api.root.get<UserBody>(`/users/${jane.id}`);
      expect(detail.body['namespace_id']).toBe(row?.id);
      expect(row?.id).toBeGreaterThan(0);
    });

    it('hide a private profile from strangers', async () => {
      const hidden = await createUser(api, { private_profile: true, bio: 'secret' });
      const seen = await jane.client.get(`/users/${hidden.id}`);
      expect(keysOf(seen.body)).toEqual(BASIC);
      expect(keysOf((await hidden.client.get(`/users/${hidden.id}`)).body)).toEqual(sorted(PROFILE));
      expect((await api.root.get(`/users/${hidden.id}`)).body['bio']).toBe('secret');
    });

    it('combine job title and organization', async () => {
      await api.root.put(`/users/${zoe.id}`, { job_title: 'Engineer', organization: 'ACME' });
      const answer = await jane.client.get(`/users/${zoe.id}`);
      expect(answer.body['work_information']).toBe('Engineer at ACME');
    });
  });

  describe('access', () => {
    it('requires signing in, except for one exact username', async () => {
      for (const path of [
        '/users',
        '/users?username=',
        '/users?search=j',
        `/users/${jane.id}`,
        '/user',
        '/user/keys',
      ])
        expect((await api.anonymous.get(path)).status).toBe(401);
      const answer = await api.anonymous.get<UserBody[]>('/users?username=JANE');
      expect(answer.body.map(({ username }) => username)).toEqual(['jane']);
      expect(keysOf(answer.body[0])).toEqual(BASIC);
    });

    it('is only for signed-in users while the public level is restricted', async () => {
      await api.root.put('/application/settings', { restricted_visibility_levels: ['public'] });
      expect((await api.anonymous.get('/users?username=jane')).status).toBe(401);
      expect((await zoe.client.get<UserBody[]>('/users?username=jane')).body).toHaveLength(1);
      await api.root.put('/application/settings', { restricted_visibility_levels: [] });
      expect((await api.anonymous.get('/users?username=jane')).status).toBe(200);
    });

    it('accepts read_user for reading, not for writing', async () => {
      const reader = await clientOf(api, jane.id, ['read_user']);
      for (const path of [
        '/user',
        '/users',
        `/users/${zoe.id}`,
        '/user/keys',
        '/user/status',
        '/user_counts',
      ])
        expect([path, (await reader.get(path)).status]).toEqual([path, 200]);
      expect((await reader.put('/user/status', { message: 'x' })).status).toBe(403);
      const other = await clientOf(api, jane.id, ['read_repository']);
      const refused = await other.get('/user');
      expect(refused.status).toBe(403);
      expect(refused.body['scope']).toBe('read_user api read_api');
    });

    it('limits changes to administrators, after validating parameters', async () => {
      expect((await jane.client.post('/users', validUser('nope'))).status).toBe(403);
      expect((await jane.client.put(`/users/${zoe.id}`, { name: 'x' })).status).toBe(403);
      expect((await jane.client.delete(`/users/${zoe.id}`)).status).toBe(403);
      for (const action of [
        'block',
        'unblock',
        'activate',
        'deactivate',
        'ban',
        'unban',
        'approve',
        'reject',
      ])
        expect((await jane.client.post(`/users/${zoe.id}/${action}`)).status).toBe(403);
      expect((await jane.client.get(`/users/${zoe.id}/memberships`)).status).toBe(403);
      expect((await jane.client.post(`/users/${zoe.id}/keys`, { title: 't', key: 'k' })).status).toBe(403);
      expect((await api.anonymous.post('/users', {})).status).toBe(401);
    });

    it('returns 404 for unknown users and 400 for invalid ids', async () => {
      const calls = [
        ['GET', ''],
        ['PUT', ''],
        ['DELETE', ''],
        ['POST', '/block'],
        ['POST', '/unblock'],
        ['POST', '/deactivate'],
        ['POST', '/activate'],
        ['POST', '/ban'],
        ['POST', '/unban'],
        ['POST', '/approve'],
        ['POST', '/reject'],
        ['GET', '/memberships'],
        ['GET', '/followers'],
        ['POST', '/follow'],
      ];
      for (const [method = '', path = ''] of calls) {
        const unknown = await api.root.send(method, `/users/999999${path}`);
        expect([method, path, unknown.status, unknown.body]).toEqual([
          method,
          path,
          404,
          { message: '404 User Not Found' },
        ]);
        const wrong = await api.root.send(method, `/users/1x${path}`);
        expect([method, path, wrong.status, wrong.body]).toEqual([
          method,
          path,
          ...(method + path === 'GET'
            ? [404, { message: '404 User Not Found' }]
            : [400, { message: { id: ['is invalid'] } }]),
        ]);
      }
      for (const name of ['nobody-here', 'root', '0', '-1', '%20', 'a%2Fb', '9'.repeat(30)])
        expect([name, (await jane.client.get(`/users/${name}`)).status]).toEqual([
          name,
          /^9/.test(name) ? 400 : 404,
        ]);
      expect((await api.root.get('/users/nobody-here/status')).status).toBe(404);
      expect((await api.root.get('/users/nobody-here/keys')).status).toBe(404);
    });

    it('rate-limits requests by id, except those of administrators', async () => {
      await api.sql(
        `update application_settings set values = values || '{"users_get_by_id_limit": 2}', version = version + 1`,
      );
      const reader = await createUser(api);
      const first = await reader.client.get(`/users/${zoe.id}`);
      expect(first.headers.get('ratelimit-remaining')).toBe('1');
      await reader.client.get(`/users/${zoe.id}`);
      const refused = await reader.client.get(`/users/${zoe.id}`);
      expect(refused.status).toBe(429);
      expect(refused.body).toEqual({ message: '429 Too Many Requests' });
      for (const name of ['name', 'limit', 'observed', 'remaining', 'reset', 'resettime'])
        expect(refused.headers.get(`ratelimit-${name}`)).not.toBeNull();
      expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
      for (let i = 0; i < 4; i += 1) expect((await api.root.get(`/users/${zoe.id}`)).status).toBe(200);
      await api.sql(
        `update application_settings set values = values - 'users_get_by_id_limit', version = version + 1`,
      );
    });
  });
});
