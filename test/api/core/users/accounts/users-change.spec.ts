import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { TestApi } from '../../../../support/api.js';
import { createUser } from '../../../../support/builders/user.js';
import { type UserBody } from '../../../../support/builders/user-shapes.js';
import { borrowApi } from '../../../../support/shared-api.js';

describe('users', () => {
  let api: TestApi;

  beforeAll(async () => {
    api = await borrowApi();
    await createUser(api, { username: 'jane', email: 'jane@example.com' });
  });
  afterAll(() => api.close());
  const auditsOf = (id: number): Promise<{ details: Record<string, unknown> }[]> =>
    api.sql(`select details from audit_events where entity_type = 'User' and entity_id = $1 order by id`, [
      id,
    ]);

  describe('changes', () => {
    it('rename the user and the namespace', async () => {
      const user = await createUser(api);
      const answer = await api.root.put<UserBody>(`/users/${user.id}`, {
        username: 'renamed',
        name: 'New Name',
      });
      expect(answer.status).toBe(200);
      expect(answer.body).toMatchObject({ username: 'renamed', name: 'New Name' });
      const [namespace] = await api.sql('select path, name from namespaces where owner_id = $1', [user.id]);
      expect(namespace).toEqual({ path: 'renamed', name: 'New Name' });
      expect((await api.root.put(`/users/${user.id}`, { username: 'jane' })).status).toBe(409);
      expect((await api.root.put(`/users/${user.id}`, { email: 'jane@example.com' })).status).toBe(409);
      expect((await api.root.put(`/users/${user.id}`, { username: '' })).status).toBe(400);
      expect((await api.root.put(`/users/${user.id}`, { username: 'RENAMED' })).body['username']).toBe(
        'RENAMED',
      );
      expect((await api.root.put(`/users/${user.id}`)).status).toBe(200);
    });

    it('give a username to one of two simultaneous requests', async () => {
      const pair = await Promise.all([createUser(api), createUser(api)]);
      const answers = await Promise.all(
        pair.map(({ id }) =>
          api.root.put(`/users/${id}`, { username: 'wanted', email: 'wanted@example.com' }),
        ),
      );
      expect(answers.map(({ status }) => status).sort()).toEqual([200, 409]);
    });

    it('of the password end sessions and require the user to choose another', async () => {
      const user = await createUser(api);
      await api.sql(
        `insert into sessions (user_id, digest, csrf_digest, expires_at) values ($1, 'a', 'b', now() + interval '1 day')`,
        [user.id],
      );
      expect((await api.root.put(`/users/${user.id}`, { password: 'another-password' })).status).toBe(200);
      expect(await api.sql('select 1 from sessions where user_id = $1', [user.id])).toEqual([]);
      const [row] = await api.sql<{ password_expires_at: Date | null; password_digest: string }>(
        'select password_expires_at, password_digest from users where id = $1',
        [user.id],
      );
      expect(row?.password_expires_at).not.toBeNull();
      expect(row?.password_digest).toMatch(/^\$argon2id\$/);
      expect(await auditsOf(user.id)).toContainEqual({
        details: expect.objectContaining({ custom_message: 'Changed password' }) as unknown,
      });
    });

    it('of an identity, with which others could sign in as the user, are audited', async () => {
      const user = await createUser(api);
      for (const uid of ['first', 'first', 'second'])
        await api.root.put(`/users/${user.id}`, { provider: 'saml', extern_uid: uid });
      const details = (await auditsOf(user.id)).filter(
        ({ details: { change } }) => change === 'identity of saml',
      );
      expect(details.map(({ details: { from, to } }) => [from, to])).toEqual([
        [null, 'first'],
        ['first', 'second'],
      ]);
    });

    it('are audited if they affect permissions', async () => {
      const user = await createUser(api);
      await api.root.put(`/users/${user.id}`, { admin: true, external: true });
      const changes = (await auditsOf(user.id)).map(({ details }) => details['change']);
      expect(changes).toEqual(expect.arrayContaining(['admin status', 'external status']));
      expect((await api.root.get(`/users/${user.id}`)).body).toMatchObject({
        is_admin: true,
        external: true,
        can_create_group: false,
        projects_limit: 0,
        can_create_project: false,
      });
    });

    it('keep at least one active administrator', async () => {
      await api.sql(`update users set admin = false where id <> 1`);
      expect((await api.root.put('/users/1', { admin: false })).status).toBe(403);
      expect((await api.root.delete('/users/1')).status).toBe(403);
      expect((await api.root.get('/user')).body['is_admin']).toBe(true);
    });
  });

  describe('states', () => {
    const act = async (id: number, action: string): Promise<[number, unknown]> => {
      const answer = await api.root.post(`/users/${id}/${action}`);
      return [answer.status, answer.body];
    };

    it('block and unblock', async () => {
      const user = await createUser(api);
      expect(await act(user.id, 'block')).toEqual([201, true]);
      expect(await act(user.id, 'block')).toEqual([201, null]);
      const refused = await user.client.get('/user');
      expect(refused.status).toBe(403);
      expect(refused.body).toEqual({ message: '403 Forbidden - Your account has been blocked.' });
      expect((await api.root.get(`/users/${user.id}`)).body['state']).toBe('blocked');
      expect(await act(user.id, 'deactivate')).toEqual([
        403,
        { message: '403 Forbidden - A blocked user cannot be deactivated by the API' },
      ]);
      expect(await act(user.id, 'activate')).toEqual([
        403,
        { message: '403 Forbidden - A blocked user must be unblocked to be activated' },
      ]);
      expect(await act(user.id, 'ban')).toEqual([403, { message: 'You cannot ban blocked users.' }]);
      expect(await act(user.id, 'unblock')).toEqual([201, true]);
      expect((await user.client.get('/user')).status).toBe(200);
      expect(await act(1, 'block')).toEqual([
        403,
        { message: '403 Forbidden - The API initiating user cannot be blocked by the API' },
      ]);
      const states = (await auditsOf(user.id)).map(({ details }) => [details['from'], details['to']]);
      expect(states).toEqual(
        expect.arrayContaining([
          ['active', 'blocked'],
          ['blocked', 'active'],
        ]),
      );
    });

    it('deactivate anyone except the caller', async () => {
      const user = await createUser(api);
      expect(await act(user.id, 'deactivate')).toEqual([201, true]);
      expect(await act(user.id, 'deactivate')).toEqual([201, null]);
      expect((await user.client.get('/user')).body['message']).toMatch(/has been deactivated/);
      expect(await act(user.id, 'unblock')).toEqual([
        403,
        { message: '403 Forbidden - Deactivated users cannot be unblocked by the API' },
      ]);
      expect(await act(user.id, 'activate')).toEqual([201, true]);
      const [status, body] = await act(1, 'deactivate');
      expect(status).toBe(403);
      expect(body).toEqual({
        message: '403 Forbidden - The API initiating user cannot be deactivated by the API',
      });
    });

    it('ban and unban', async () => {
      const user = await createUser(api);
      expect(await act(user.id, 'unban')).toEqual([403, { message: 'You cannot unban active users.' }]);
      expect(await act(user.id, 'ban')).toEqual([201, true]);
      expect((await user.client.get('/user')).status).toBe(403);
      expect(await act(user.id, 'unban')).toEqual([201, true]);
    });

    it('approve and reject', async () => {
      const user = await createUser(api);
      expect((await act(user.id, 'approve'))[0]).toBe(409);
      expect((await act(user.id, 'reject'))[0]).toBe(409);
      await api.sql(`update users set state = 'blocked_pending_approval' where id = $1`, [user.id]);
      expect((await user.client.get('/user')).body['message']).toMatch(/pending approval/);
      expect(await act(user.id, 'approve')).toEqual([201, { message: 'Success' }]);
      await api.sql(`update users set state = 'blocked_pending_approval' where id = $1`, [user.id]);
      expect(await act(user.id, 'reject')).toEqual([201, { message: 'Success' }]);
      expect((await api.root.get(`/users/${user.id}`)).status).toBe(404);
    });
  });
});
