import { request } from 'node:http';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startApi, type TestApi } from '../../../support/api.js';
import { addGroup, addProject, addUser, type AddedUser } from '../../../support/builders/instance.js';
import { buildToken } from '../../../support/builders/token.js';

const UNAUTHORIZED = { message: '401 Unauthorized' };

let api: TestApi;
let user: AddedUser;
beforeAll(async () => {
  api = await startApi();
  user = await addUser(api, 'somebody', ['api', 'read_user']);
});
afterAll(() => api.close());

const status = async (path: string, headers: Record<string, string> = {}): Promise<number> =>
  (await api.anonymous.get(path, headers)).status;

/** Sends header lines as they are, including repeated ones. */
const rawStatus = (path: string, headers: readonly string[]): Promise<number> =>
  new Promise((resolve, reject) => {
    const lines = ['Host', 'localhost', ...headers];
    const sent = request(`${api.url}/api/v4${path}`, { headers: lines }, (answer) => {
      answer.resume();
      resolve(answer.statusCode ?? 0);
    });
    sent.on('error', reject).end();
  });

describe('transports of a token', () => {
  it('are header, bearer and parameters', async () => {
    const { token } = user;
    expect(await status('/version', { 'PRIVATE-TOKEN': token })).toBe(200);
    expect(await status('/version', { Authorization: `Bearer ${token}` })).toBe(200);
    expect(await status('/version', { Authorization: `bearer ${token}` })).toBe(200);
    for (const name of ['private_token', 'access_token', 'bearer_token']) {
      expect(await status(`/version?${name}=${token}`)).toBe(200);
    }
    const body = { private_token: token, expires_at: '2030-01-01' };
    const spare = await buildToken(api, user.id);
    const rotated = await api.anonymous.post(`/personal_access_tokens/${spare.id}/rotate`, body);
    expect(rotated.status).toBe(200);
  });

  it('cannot be combined', async () => {
    const answer = await api.anonymous.get(`/version?access_token=${user.token}`, {
      Authorization: `Bearer ${user.token}`,
    });
    expect([answer.status, answer.body]).toEqual([
      400,
      {
        error: 'invalid_request',
        error_description: 'Both Authorization header and payload includes access token.',
      },
    ]);
    const bearer = ['Authorization', `Bearer ${user.token}`];
    expect(await rawStatus('/version', bearer)).toBe(200);
    expect(await rawStatus('/version', [...bearer, ...bearer])).toBe(400);
    expect(await rawStatus('/version', [...bearer, 'authorization', 'Basic eDp5'])).toBe(400);
    const header = ['PRIVATE-TOKEN', user.token];
    expect(await rawStatus('/version', [...header, ...header])).toBe(401);
  });

  it('accept a text only', async () => {
    const { token } = user;
    for (const query of [
      `private_token[]=${token}`,
      `private_token[a]=${token}`,
      `access_token[]=${token}`,
      'private_token=',
      'access_token=',
      `private_token=${token}%20${token}`,
      'private_token=%00',
      `private_token=${'x'.repeat(5000)}`,
    ]) {
      const answer = await api.anonymous.get(`/version?${query}`);
      expect([query, answer.status, answer.body]).toEqual([query, 401, UNAUTHORIZED]);
    }
    for (const value of ['Bearer', 'Bearer ', `Bearer ${token} x`, `Token ${token}`, 'Basic eDp5']) {
      expect(await status('/version', { Authorization: value })).toBe(401);
    }
  });

  it('never fall back to anonymous access, even for public data', async () => {
    const group = await addGroup(api, 'open', 'public');
    const path = `/groups/${group}`;
    const unknown = await api.as('glpat-unknown').get(path);
    expect([unknown.status, unknown.body]).toEqual([401, UNAUTHORIZED]);
    expect(unknown.headers.get('WWW-Authenticate')).toContain('Bearer realm=');
    expect(await status(path)).toBe(200);
  });
});

describe('an invalid but known token', () => {
  const invalid = (description: string): [number, unknown] => [
    401,
    { error: 'invalid_token', error_description: description },
  ];
  const EXPIRED = 'Token is expired. You can either do re-authorization or token refresh.';
  const REVOKED = 'Token was revoked. You have to re-authorize from the user.';

  it('is expired from the start of its expiry date on', async () => {
    const today = new Date().toISOString().slice(0, 10);
    const expired = await buildToken(api, user.id, { expires_at: today });
    const answer = await api.as(expired.token).get('/version');
    expect([answer.status, answer.body]).toEqual(invalid(EXPIRED));
    expect(answer.headers.get('WWW-Authenticate')).toBe(
      `Bearer realm="Protected by OAuth 2.0", error="invalid_token", error_description="${EXPIRED}"`,
    );
    const tomorrow = new Date(Date.now() + 86_400_000).toISOString().slice(0, 10);
    const good = await buildToken(api, user.id, { expires_at: tomorrow });
    expect((await api.as(good.token).get('/version')).status).toBe(200);
  });

  it('is revoked', async () => {
    const token = await buildToken(api, user.id);
    await api.root.delete(`/personal_access_tokens/${token.id}`);
    for (const headers of [{ 'PRIVATE-TOKEN': token.token }, { Authorization: `Bearer ${token.token}` }]) {
      const answer = await api.anonymous.get('/version', headers);
      expect([answer.status, answer.body]).toEqual(invalid(REVOKED));
      expect(answer.headers.get('WWW-Authenticate')).toContain(`error_description="${REVOKED}"`);
    }
  });

  it('has insufficient scopes', async () => {
    const project = await addProject(api, await addGroup(api, 'scoped'), 'scoped/project');
    const small = api.as((await buildToken(api, 1, { scopes: ['read_user'] })).token);
    const answer = await small.get(`/projects/${project}/access_tokens`);
    expect([answer.status, answer.body]).toEqual([
      403,
      {
        error: 'insufficient_scope',
        error_description: 'The request requires higher privileges than provided by the access token.',
        scope: 'api read_api',
      },
    ]);
    expect(answer.headers.get('WWW-Authenticate')).toContain('error="insufficient_scope"');
    expect((await small.get('/version')).status).toBe(200);
    const reader = api.as((await buildToken(api, 1, { scopes: ['read_api'] })).token);
    expect((await reader.get(`/projects/${project}/access_tokens`)).status).toBe(200);
    const body = { name: 'x', scopes: ['api'] };
    for (const headers of [{}, { 'X-HTTP-Method-Override': 'GET' }, { 'X-HTTP-Method': 'GET' }]) {
      const refused = await reader.post(`/projects/${project}/access_tokens?_method=GET`, body, headers);
      expect([refused.status, refused.body]).toMatchObject([403, { error: 'insufficient_scope' }]);
    }
    const repository = api.as((await buildToken(api, 1, { scopes: ['read_repository'] })).token);
    const version = await repository.get('/version');
    expect(version.body['scope']).toBe('read_user api read_api');
  });

  it('belongs to an account that may not act, from the next request on', async () => {
    const account = await addUser(api, 'account');
    const client = api.as(account.token);
    const texts = {
      blocked: 'Your account has been blocked.',
      ldap_blocked: 'Your account has been blocked.',
      banned: 'Your account has been blocked.',
      deactivated:
        'Your account has been deactivated by your administrator. Please log back in from a web browser to reactivate your account at http://forgeplane.test',
      blocked_pending_approval: 'Your account is pending approval from your administrator and hence blocked.',
    };
    for (const [state, text] of Object.entries(texts)) {
      await api.sql('update users set state = $2 where id = $1', [account.id, state]);
      const answer = await client.get('/version');
      expect([answer.status, answer.body]).toEqual([403, { message: `403 Forbidden - ${text}` }]);
    }
    await api.sql(`update users set state = 'active', password_expires_at = now() where id = $1`, [
      account.id,
    ]);
    const expired = await client.get('/version');
    expect(expired.body).toEqual({
      message:
        '403 Forbidden - Your password expired. Please access Forgeplane from a web browser to update your password.',
    });
    await api.sql(`update users set password_expires_at = null where id = $1`, [account.id]);
    expect((await client.get('/version')).status).toBe(200);
    await api.sql('delete from users where id = $1', [account.id]);
    expect((await client.get('/version')).status).toBe(401);
  });

  it('loses administrator permissions with the next request', async () => {
    const admin = await addUser(api, 'demoted');
    await api.sql('update users set admin = true where id = $1', [admin.id]);
    expect((await api.as(admin.token).get('/deploy_tokens')).status).toBe(200);
    await api.sql('update users set admin = false where id = $1', [admin.id]);
    expect((await api.as(admin.token).get('/deploy_tokens')).status).toBe(403);
  });

  it('requires the scope admin_mode while the setting is on', async () => {
    const plain = api.as((await buildToken(api, 1, { scopes: ['api'] })).token);
    const scoped = api.as((await buildToken(api, 1, { scopes: ['api', 'admin_mode'] })).token);
    await api.root.put('/application/settings', { admin_mode: true });
    try {
      expect((await plain.get('/deploy_tokens')).status).toBe(403);
      expect((await plain.get('/personal_access_tokens?user_id=999999')).status).toBe(403);
      expect((await plain.get('/version')).status).toBe(200);
      expect((await scoped.get('/deploy_tokens')).status).toBe(200);
    } finally {
      await api.root.put('/application/settings', { admin_mode: false });
    }
    expect((await plain.get('/deploy_tokens')).status).toBe(200);
  });
});

describe('the last use of a token', () => {
  const lastUse = async (id: number): Promise<Date | null> => {
    await new Promise((resolve) => setTimeout(resolve, 100));
    const [row] = await api.sql<{ last_used_at: Date | null }>(
      'select last_used_at from personal_access_tokens where id = $1',
      [id],
    );
    return row?.last_used_at ?? null;
  };

  it('is updated every ten minutes at most', async () => {
    const { id, token } = await buildToken(api, user.id);
    expect(await lastUse(id)).toBeNull();
    await api.as(token).get('/version');
    const first = await lastUse(id);
    expect(first).not.toBeNull();
    await api.as(token).get('/version');
    expect(await lastUse(id)).toEqual(first);
    const set = `update personal_access_tokens set last_used_at = now() - interval '11 minutes' where id = $1`;
    await api.sql(set, [id]);
    await api.as(token).get('/version');
    expect((await lastUse(id))?.getTime()).toBeGreaterThanOrEqual(first?.getTime() ?? Infinity);
  });
});
