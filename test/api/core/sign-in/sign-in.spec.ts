import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { argon2id, hash } from 'argon2';
import { isPasswordOutdated } from '#kernel/crypto/passwords.js';
import { startApi, type TestApi } from '../../../support/api.js';
import { PASSWORD } from '../../../support/builders/person.js';
import { isWrong, sessionLine, SignInDesk } from '../../../support/builders/sign-in-desk.js';
import { PageClient } from '../../../support/page-client.js';

let api: TestApi;
let desk: SignInDesk;
beforeAll(async () => {
  api = await startApi({ LOG_LEVEL: 'silent' });
  desk = new SignInDesk(api);
  await desk.put({ throttle_protected_paths_enabled: false });
});
afterAll(() => api.close());

describe('signing in', () => {
  it('starts a session with a new secret', async () => {
    const user = await desk.person();
    const client = desk.visitor();
    await client.get('/users/sign_in');
    const before = client.jar.get('_service_session');
    const answer = await client.signIn(user.username, PASSWORD);
    expect([answer.status, answer.location]).toEqual([303, '/-/profile']);
    expect(sessionLine(answer)).toMatch(/^_service_session=[\w-]{43}; Path=\/; HttpOnly; SameSite=Lax$/);
    const after = client.jar.get('_service_session');
    expect(after).not.toBe(before);
    const cookie = { Cookie: `_service_session=${after ?? ''}` };
    expect((await api.anonymous.get('/user', cookie)).body['username']).toBe(user.username);
    expect((await api.anonymous.get('/user', { Cookie: `_service_session=${before ?? ''}` })).status).toBe(
      401,
    );
    const [session] = await api.sql<{ remembered: boolean; days: number; fresh: boolean }>(
      `select remembered, round(extract(epoch from expires_at - now()) / 86400)::int as days,
       authenticated_at > now() - interval '1 minute' as fresh from sessions where user_id = $1`,
      [user.id],
    );
    expect(session).toEqual({ remembered: false, days: 7, fresh: true });
  });

  it('ignores a session secret planted in the browser', async () => {
    const user = await desk.person();
    const client = desk.visitor();
    const planted = 'x'.repeat(43);
    client.jar.set('_service_session', planted);
    await client.signIn(user.username, PASSWORD);
    expect(client.jar.get('_service_session')).not.toBe(planted);
    expect((await api.anonymous.get('/user', { Cookie: `_service_session=${planted}` })).status).toBe(401);
  });

  it('ends the session that the browser had before', async () => {
    const user = await desk.person();
    const client = desk.visitor();
    await client.signIn(user.username, PASSWORD);
    client.jar.set('_service_return_to', encodeURIComponent('/-/profile'));
    const shown = await client.get('/users/sign_in');
    expect([shown.status, shown.text.includes(`value="${user.username}"`)]).toEqual([200, true]);
    const former = client.jar.get('_service_session') ?? '';
    expect((await client.signIn(user.username, PASSWORD)).status).toBe(303);
    expect((await api.anonymous.get('/user', { Cookie: `_service_session=${former}` })).status).toBe(401);
    expect(await api.sql('select id from sessions where user_id = $1', [user.id])).toHaveLength(1);
  });

  it('ends it also if its user must first change the password or set up a second factor', async () => {
    const user = await desk.person();
    const client = desk.visitor();
    const steps = [
      [{}, 'now()', '/-/profile/password/new'],
      [
        { require_two_factor_authentication: true, two_factor_grace_period: 0 },
        'null',
        '/-/profile/two_factor_auth',
      ],
    ] as const;
    for (const [settings, expiry, step] of steps) {
      await desk.put(settings);
      await api.sql(`update users set password_expires_at = ${expiry} where id = $1`, [user.id]);
      for (let times = 0; times < 2; times += 1) {
        await client.get('/-/profile');
        expect((await client.signIn(user.username, PASSWORD)).location).toBe('/-/profile');
      }
      expect(await api.sql('select id from sessions where user_id = $1', [user.id])).toHaveLength(1);
      expect((await client.get('/')).location).toBe('/-/profile');
      expect((await client.get('/users/sign_in')).location).toBe('/-/profile');
      expect((await client.get('/-/profile')).location).toBe(step);
    }
    await desk.put({ require_two_factor_authentication: false });
  });

  it('accepts usernames and confirmed addresses, in any case', async () => {
    const user = await desk.person();
    await api.sql(
      `insert into user_emails (user_id, email, confirmed_at) values ($1, $2, now()), ($1, $3, null)`,
      [user.id, `${user.username}@second.test`, `${user.username}@claimed.test`],
    );
    const [{ email }] = (await api.sql<{ email: string }>('select email from users where id = $1', [
      user.id,
    ])) as [{ email: string }];
    for (const login of [
      user.username.toUpperCase(),
      ` ${user.username} `,
      email.toUpperCase(),
      `${user.username}@Second.TEST`,
    ])
      expect([login, (await desk.visitor().signIn(login, PASSWORD)).status]).toEqual([login, 303]);
    expect(isWrong(await desk.visitor().signIn(`${user.username}@claimed.test`, PASSWORD))).toBe(true);
  });

  it('keeps the browser signed in for two weeks on request', async () => {
    const user = await desk.person();
    const client = desk.visitor();
    const answer = await client.signIn(user.username, PASSWORD, { 'user[remember_me]': '1' });
    expect(sessionLine(answer)).toMatch(/; Path=\/; Max-Age=1209600; HttpOnly; SameSite=Lax$/);
    const days = async (): Promise<number> =>
      (
        await api.sql<{ days: number }>(
          `select round(extract(epoch from expires_at - now()) / 86400)::int as days from sessions where user_id = $1`,
          [user.id],
        )
      )[0]?.days ?? 0;
    expect(await days()).toBe(14);
    // Use of the session extends it, and never shortens it.
    await api.sql(`update sessions set updated_at = now() - interval '1 hour' where user_id = $1`, [user.id]);
    await client.get('/-/profile');
    await new Promise((resolve) => setTimeout(resolve, 100));
    expect(await days()).toBe(14);
  });

  it('records the time and the address', async () => {
    const user = await desk.person();
    await desk.visitor().signIn(user.username, PASSWORD);
    const first = await desk.rowOf(user.id);
    expect(first).toMatchObject({ sign_in_count: 1, current_sign_in_ip: '127.0.0.1' });
    expect(first.last_sign_in_at).toEqual(first.current_sign_in_at);
    await desk.visitor().signIn(user.username, PASSWORD);
    const second = await desk.rowOf(user.id);
    expect(second.sign_in_count).toBe(2);
    expect(second.last_sign_in_at).toEqual(first.current_sign_in_at);
  });

  it('renews a hash made with a lower cost', async () => {
    const user = await desk.person();
    const weak = await hash(PASSWORD, { type: argon2id, memoryCost: 1024, timeCost: 1, parallelism: 1 });
    await api.sql('update users set password_digest = $2 where id = $1', [user.id, weak]);
    expect(isWrong(await desk.visitor().signIn(user.username, 'wrong'))).toBe(true);
    expect((await desk.visitor().signIn(user.username, PASSWORD)).status).toBe(303);
    const [row] = await api.sql<{ digest: string }>(
      'select password_digest as digest from users where id = $1',
      [user.id],
    );
    expect([row?.digest === weak, isPasswordOutdated(row?.digest ?? '')]).toEqual([false, false]);
    expect((await desk.visitor().signIn(user.username, PASSWORD)).status).toBe(303);
  });

  it('returns to the requested page, and never leaves the site', async () => {
    const user = await desk.person();
    const returning = desk.visitor();
    await returning.get('/-/profile/personal_access_tokens?page=2');
    const answer = await returning.signIn(user.username, PASSWORD);
    expect(answer.location).toBe('/-/profile/personal_access_tokens?page=2');
    expect(returning.jar.has('_service_return_to')).toBe(false);
    for (const target of [
      '//evil.test',
      '/\\evil.test',
      '\\\\evil.test',
      'https://evil.test/',
      'javascript:alert(1)',
      '/\t/evil.test',
      '/\r\nSet-Cookie: a=b',
      'evil.test',
      '',
      '/%',
    ]) {
      const client = desk.visitor();
      await client.get('/users/sign_in');
      client.jar.set('_service_return_to', target === '/%' ? '%' : encodeURIComponent(target));
      const { location } = await client.signIn(user.username, PASSWORD);
      expect([target, location]).toEqual([target, '/-/profile']);
    }
    // Parameters of the page do not redirect.
    const client = desk.visitor();
    await client.get('/users/sign_in?return_to=//evil.test');
    const given = await client.submit('/users/sign_in?return_to=//evil.test', {
      'user[login]': user.username,
      'user[password]': PASSWORD,
      return_to: 'https://evil.test',
    });
    expect(given.location).toBe('/-/profile');
  });

  it('is refused without the token of the form', async () => {
    const user = await desk.person();
    const client = desk.visitor();
    await client.get('/users/sign_in');
    client.formToken = '';
    const fields = { 'user[login]': user.username, 'user[password]': PASSWORD };
    expect((await client.submit('/users/sign_in', fields)).status).toBe(422);
    expect(await api.sql('select id from sessions where user_id = $1', [user.id])).toEqual([]);
  });

  it('determines where the start page redirects', async () => {
    const user = await desk.person();
    const client = desk.visitor();
    expect((await client.get('/')).location).toBe('/users/sign_in');
    await client.signIn(user.username, PASSWORD);
    expect((await client.get('/')).location).toBe('/-/profile');
    expect((await client.get('/users/sign_in')).location).toBe('/-/profile');
  });
});

describe('behind TLS', () => {
  it('sends cookies over TLS only', async () => {
    const secure = await startApi({ EXTERNAL_URL: 'https://forgeplane.test', LOG_LEVEL: 'silent' });
    try {
      const client = new PageClient(secure.url);
      const answer = await client.signIn('root', PASSWORD);
      expect(answer.status).toBe(303);
      expect(answer.cookies.length).toBeGreaterThan(0);
      for (const line of answer.cookies) expect(line).toMatch(/; HttpOnly; SameSite=Lax; Secure$/);
    } finally {
      await secure.close();
    }
  });
});
