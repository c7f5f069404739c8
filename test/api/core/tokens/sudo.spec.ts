import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { TestApi } from '../../../support/api.js';
import { addGroup, addProject, addUser, type AddedUser } from '../../../support/builders/instance.js';
import { createUser } from '../../../support/builders/user.js';
import { addSecondFactor } from '../../../support/builders/second-factor.js';
import { buildImpersonationToken, buildToken } from '../../../support/builders/token.js';
import { borrowApi } from '../../../support/shared-api.js';

/** Path of the tokens of the user in whose name a request runs. */
const WHO = '/personal_access_tokens?per_page=1';

let api: TestApi;
let user: AddedUser;
beforeAll(async () => {
  api = await borrowApi();
  user = await addUser(api, 'Sudoee');
});
afterAll(() => api.close());

const actorOf = async (path: string, headers: Record<string, string> = {}): Promise<unknown> => {
  const answer = await api.root.get<{ user_id: number }[]>(path, headers);
  expect(answer.status).toBe(200);
  return answer.body[0]?.user_id;
};

const forbidden = (reason: string): [number, unknown] => [403, { message: `403 Forbidden - ${reason}` }];
const insufficient = (scope: string): [number, unknown] => [
  403,
  {
    error: 'insufficient_scope',
    error_description: 'The request requires higher privileges than provided by the access token.',
    scope,
  },
];

describe('sudo', () => {
  it('names the user by id or by name in any case, as parameter or header', async () => {
    for (const value of [String(user.id), 'sudoee', 'SUDOEE']) {
      expect(await actorOf(`${WHO}&sudo=${value}`)).toBe(user.id);
      expect(await actorOf(WHO, { Sudo: value })).toBe(user.id);
    }
    expect(await actorOf(WHO)).toBe(1);
    expect(await actorOf(`${WHO}&sudo=root`)).toBe(1);
    const body = { name: 'x', scopes: ['api'], sudo: 'sudoee' };
    expect((await api.root.post(`/users/${user.id}/personal_access_tokens`, body)).status).toBe(403);
  });

  it('uses the parameter if the header names another user', async () => {
    const other = await addUser(api, 'header-user');
    expect(await actorOf(`${WHO}&sudo=${user.id}`, { Sudo: other.username })).toBe(user.id);
  });

  it('1: requires a signed-in caller', async () => {
    const answer = await api.anonymous.get('/version', { Sudo: 'sudoee' });
    expect([answer.status, answer.body]).toEqual([401, { message: '401 Unauthorized' }]);
  });

  it('2: requires an administrator, whatever the scopes of the token', async () => {
    const small = await buildToken(api, user.id, { scopes: ['read_user'] });
    for (const token of [user.token, small.token]) {
      for (const value of ['root', 'sudoee', 'nobody']) {
        const answer = await api.as(token).get('/version', { Sudo: value });
        expect([answer.status, answer.body]).toEqual(forbidden('Must be admin to use sudo'));
      }
    }
  });

  it('4: requires the scope sudo', async () => {
    const plain = await buildToken(api, 1, { scopes: ['api'] });
    const small = await buildToken(api, 1, { scopes: ['read_user'] });
    for (const { token } of [plain, small]) {
      for (const value of ['sudoee', 'root', 'nobody']) {
        const answer = await api.as(token).get(WHO, { Sudo: value });
        expect([answer.status, answer.body]).toEqual(insufficient('sudo'));
      }
    }
  });

  it('5: requires an existing user', async () => {
    for (const value of ['nobody', '999999', '0', '99999999999999999999', "x'--", 'a%00b']) {
      const answer = await api.root.get(`${WHO}&sudo=${encodeURIComponent(value)}`);
      expect([answer.status, answer.body]).toEqual([
        404,
        { message: `404 User with ID or username '${value}' Not Found` },
      ]);
    }
    const blank = await api.root.get(`${WHO}&sudo=`);
    expect([blank.status, blank.body]).toEqual([
      404,
      { message: "404 User with ID or username '' Not Found" },
    ]);
    expect((await api.root.get(`${WHO}&sudo[]=sudoee`)).status).toBe(400);
    expect((await api.root.get(`${WHO}&sudo[a]=sudoee`)).status).toBe(400);
  });

  it('6: needs only the scope sudo if it names another user', async () => {
    const only = await buildToken(api, 1, { scopes: ['sudo'] });
    const client = api.as(only.token);
    expect((await client.get(WHO, { Sudo: 'sudoee' })).status).toBe(200);
    for (const answer of [await client.get(WHO), await client.get(WHO, { Sudo: 'root' })]) {
      expect([answer.status, answer.body]).toEqual(insufficient('api read_api'));
    }
  });

  it('grants the permissions of the other user, not those of the administrator', async () => {
    const group = await addGroup(api, 'sudo-group');
    const project = await addProject(api, group, 'sudo-group/hidden');
    const path = `/projects/${project}/access_tokens`;
    expect((await api.root.get(path)).status).toBe(200);
    expect((await api.root.get(path, { Sudo: 'sudoee' })).status).toBe(404);
    expect((await api.root.get('/deploy_tokens', { Sudo: 'sudoee' })).status).toBe(403);
  });

  it('allows blocked users, but not users that are being removed', async () => {
    const blocked = await addUser(api, 'blocked-target');
    await api.sql(`update users set state = 'blocked' where id = $1`, [blocked.id]);
    expect(await actorOf(WHO, { Sudo: blocked.username })).toBe(blocked.id);
    await api.sql(`update users set pending_delete = true where id = $1`, [blocked.id]);
    expect((await api.root.get(WHO, { Sudo: blocked.username })).status).toBe(404);
  });

  it('works with an impersonation token of an administrator', async () => {
    const { token } = await buildImpersonationToken(api, 1, { scopes: ['api', 'sudo'] });
    expect((await api.as(token).get(WHO, { Sudo: 'sudoee' })).status).toBe(200);
  });

  it('ends with the permissions of the administrator', async () => {
    const admin = await addUser(api, 'short-admin', ['api', 'sudo']);
    const client = api.as(admin.token);
    await api.sql('update users set admin = true where id = $1', [admin.id]);
    expect((await client.get(WHO, { Sudo: 'sudoee' })).status).toBe(200);
    await api.sql('update users set admin = false where id = $1', [admin.id]);
    const answer = await client.get(WHO, { Sudo: 'sudoee' });
    expect([answer.status, answer.body]).toEqual(forbidden('Must be admin to use sudo'));
  });

  it('audits every write with both users', async () => {
    const own = await buildToken(api, user.id);
    const answer = await api.root.delete(`/personal_access_tokens/${own.id}`, { Sudo: 'sudoee' });
    expect(answer.status).toBe(204);
    const events = await api.sql<{ author_id: number; entity_id: number; text: string }>(
      `select author_id, entity_id, details->>'custom_message' as text from audit_events
       where details->>'custom_message' like 'acted as%'
       and (details->>'custom_message') like '%DELETE%' order by id desc limit 1`,
    );
    expect(events).toEqual([
      {
        author_id: 1,
        entity_id: user.id,
        text: 'acted as Sudoee: DELETE /api/v4/personal_access_tokens/:id',
      },
    ]);
  });

  it('makes a password one that somebody else has set, which must be changed', async () => {
    const admin = await createUser(api, { admin: true });
    const acting = { Sudo: admin.username };
    const change = { password: 'known to the other one' };
    expect((await api.root.put(`/users/${admin.id}`, change, acting)).status).toBe(200);
    const [row] = await api.sql('select password_expires_at from users where id = $1', [admin.id]);
    expect(row).toEqual({ password_expires_at: expect.any(Date) });
  });

  it('does not let a token disable the second factor of its owner', async () => {
    const admin = await createUser(api, { admin: true });
    await addSecondFactor(api, 1);
    const answer = await api.root.send('PATCH', '/users/1/disable_two_factor', undefined, {
      Sudo: admin.username,
    });
    const [row] = await api.sql('select two_factor_enabled from users where id = 1');
    expect([answer.status, row]).toEqual([403, { two_factor_enabled: true }]);
  });
});
