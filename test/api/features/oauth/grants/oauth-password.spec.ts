import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { hashPassword } from '#kernel/crypto/passwords.js';
import { PasswordCheckService } from '#core/sign-in/password-check.service.js';
import { startApi, type TestApi } from '../../../../support/api.js';
import type { Answer } from '../../../../support/client.js';
import {
  basic,
  buildApplication,
  inBody,
  postForm,
  type BuiltApplication,
} from '../../../../support/builders/oauth.js';
import { addUser } from '../../../../support/builders/instance.js';
import {
  askToken,
  INVALID_CLIENT,
  INVALID_GRANT,
  INVALID_SCOPE,
  outcome,
  type TokenBody,
} from '../../../../support/token-endpoint.js';

const PASSWORD = 'a passphrase of tests';

let api: TestApi;
let client: BuiltApplication;
let digest: string;
beforeAll(async () => {
  api = await startApi();
  client = await buildApplication(api, { scopes: ['api', 'read_user', 'openid', 'sudo'] });
  digest = await hashPassword(PASSWORD);
  await set({ throttle_protected_paths_enabled: false });
});
afterAll(() => api.close());

const set = async (values: object): Promise<void> => {
  expect((await api.root.put('/application/settings', values)).status).toBe(200);
};
const addPerson = async (username: string, changes = ''): Promise<number> => {
  const { id } = await addUser(api, username);
  await api.sql(`update users set password_digest = $2 ${changes} where id = $1`, [id, digest]);
  return id;
};
const ask = (values: TokenBody, headers?: TokenBody): Promise<Answer<TokenBody>> =>
  askToken(api, { grant_type: 'password', password: PASSWORD, ...values }, headers);
const failures = async (id: number): Promise<number | undefined> =>
  (await api.sql<{ failed_attempts: number }>('select failed_attempts from users where id = $1', [id]))[0]
    ?.failed_attempts;

describe('the password grant', () => {
  it('returns an access token without a refresh token', async () => {
    const id = await addPerson('nina');
    for (const [values, headers] of [
      [inBody(client), {}],
      [{}, basic(client.uid, client.secret)],
      [{}, {}],
    ] as const) {
      const answer = await ask({ username: 'nina', ...values }, headers);
      expect(answer.status).toBe(200);
      expect(answer.body).toEqual({
        access_token: expect.stringMatching(/^[0-9a-f]{64}$/),
        token_type: 'bearer',
        expires_in: 7200,
        scope: 'api',
        created_at: expect.any(Number),
      });
      const bearer = { Authorization: `Bearer ${String(answer.body['access_token'])}` };
      expect((await api.anonymous.get('/user', bearer)).body).toMatchObject({ id });
    }
    expect((await ask({ username: 'NINA@example.com' })).status).toBe(200);
  });

  it('refuses clients without valid credentials', async () => {
    expect(outcome(await ask({ username: 'nina', ...inBody(client), client_secret: 'x' }))).toEqual(
      INVALID_CLIENT,
    );
    expect(outcome(await ask({ username: 'nina', client_id: client.uid }))).toEqual(INVALID_CLIENT);
    expect(outcome(await ask({ username: 'nina', client_id: 'nobody' }))).toEqual(INVALID_CLIENT);
    await set({ password_grant_without_client: false });
    expect(outcome(await ask({ username: 'nina' }))).toEqual(INVALID_CLIENT);
    expect((await ask({ username: 'nina', ...inBody(client) })).status).toBe(200);
    await set({ password_grant_without_client: true });
  });

  it('refuses wrong and missing passwords in the same way, and counts them', async () => {
    const id = await addPerson('oskar');
    for (const values of [
      { username: 'nobody' },
      { username: 'oskar', password: 'wrong' },
      { username: 'oskar', password: '' },
      { username: '' },
    ])
      expect(outcome(await ask(values))).toEqual(INVALID_GRANT);
    expect(await failures(id)).toBe(1);
    expect((await ask({ username: 'oskar' })).status).toBe(200);
    expect(await failures(id)).toBe(0);
  });

  it('locks after ten wrong passwords', async () => {
    await addPerson('paul');
    for (let attempt = 0; attempt < 10; attempt += 1)
      expect(outcome(await ask({ username: 'paul', password: 'wrong' }))).toEqual(INVALID_GRANT);
    expect(outcome(await ask({ username: 'paul' }))).toEqual(INVALID_GRANT);
  });

  it('is refused to inactive users and users with a second factor or no password, without counting', async () => {
    const shapes = {
      second: ', two_factor_enabled = true',
      blocked: `, state = 'blocked'`,
      ldap: `, state = 'ldap_blocked'`,
      gone: `, state = 'deactivated'`,
      pending: `, state = 'blocked_pending_approval'`,
      unconfirmed: ', confirmed_at = null',
    };
    for (const [username, changes] of Object.entries(shapes)) {
      const id = await addPerson(username, changes);
      expect(outcome(await ask({ username }))).toEqual(INVALID_GRANT);
      expect(outcome(await ask({ username, password: 'wrong' }))).toEqual(INVALID_GRANT);
      expect(await failures(id)).toBe(0);
    }
    await addUser(api, 'passwordless');
    expect(outcome(await ask({ username: 'passwordless' }))).toEqual(INVALID_GRANT);
  });

  it('is refused if a password is not sufficient', async () => {
    await set({ require_two_factor_authentication: true });
    expect(outcome(await ask({ username: 'nina' }))).toEqual(INVALID_GRANT);
    await set({ require_two_factor_authentication: false, password_authentication_enabled_for_git: false });
    expect(outcome(await ask({ username: 'nina' }))).toEqual(INVALID_GRANT);
    await set({ password_authentication_enabled_for_git: true });
  });

  it('grants the requested scopes, at most those of the client and the user', async () => {
    expect((await ask({ username: 'nina', scope: 'read_user' })).body['scope']).toBe('read_user');
    const openid = await ask({ username: 'nina', scope: 'openid api', ...inBody(client) });
    expect(openid.body['id_token']).toMatch(/^[\w-]+\.[\w-]+\.[\w-]+$/);
    expect((await ask({ username: 'nina', scope: 'openid' })).body).not.toHaveProperty('id_token');
    for (const scope of ['invented', 'api\nread_user', 'api\tread_user', 'read_repository', 'sudo'])
      expect(outcome(await ask({ username: 'nina', scope, ...inBody(client) }))).toEqual(INVALID_SCOPE);
    for (const scope of ['sudo', 'admin_mode'])
      expect(outcome(await ask({ username: 'nina', scope }))).toEqual(INVALID_SCOPE);
    await addPerson('chief', ', admin = true');
    expect((await ask({ username: 'chief', scope: 'sudo api' })).status).toBe(200);
    const narrow = await buildApplication(api, { scopes: ['read_user'] });
    expect(outcome(await ask({ username: 'nina', ...inBody(narrow) }))).toEqual(INVALID_SCOPE);
  });

  it('is refused if the user or application is removed or loses the right while the password is checked', async () => {
    const passwords = api.app.get(PasswordCheckService, { strict: false });
    const judge = passwords.verify.bind(passwords);
    const [going, narrowed] = [await buildApplication(api), await buildApplication(api)];
    const blocked = await addPerson('blocked-now');
    const removed = await addPerson('removed-now');
    for (const [statement, username, id] of [
      ['delete from oauth_applications where id = $1', 'nina', going.id],
      [`update oauth_applications set scopes = '{read_user}' where id = $1`, 'nina', narrowed.id],
      [`update users set state = 'blocked' where id = $1`, 'blocked-now', blocked],
      ['delete from users where id = $1', 'removed-now', removed],
    ] as const) {
      jest.spyOn(passwords, 'verify').mockImplementationOnce(async (...login) => {
        const verdict = await judge(...login);
        await api.sql(statement, [id]);
        return verdict;
      });
      const own = [going, narrowed].find((one) => username === 'nina' && one.id === id);
      const answer = await ask({ username, ...(own ? inBody(own) : {}) });
      expect([statement, ...(outcome(answer) as unknown[])]).toEqual([statement, ...INVALID_GRANT]);
    }
    jest.restoreAllMocks();
  });

  it('is rate-limited by IP address', async () => {
    await set({
      throttle_protected_paths_enabled: true,
      throttle_protected_paths_requests_per_period: 2,
      throttle_protected_paths_period_in_seconds: 600,
    });
    for (const username of ['a', 'b']) expect(outcome(await ask({ username }))).toEqual(INVALID_GRANT);
    const answer = await ask({ username: 'nina' });
    expect(answer.status).toBe(429);
    expect(answer.body).toEqual({
      error: 'temporarily_unavailable',
      error_description: 'Too many requests. Try again later.',
    });
    expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0);
    expect(answer.headers.get('ratelimit-name')).toBe('throttle_protected_paths');
    const refresh = await postForm(api, '/oauth/token', { grant_type: 'refresh_token', refresh_token: 'x' });
    expect(refresh.status).toBe(400);
    await set({ throttle_protected_paths_enabled: false });
  });
});
