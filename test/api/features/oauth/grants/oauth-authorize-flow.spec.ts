import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { TestApi } from '../../../../support/api.js';
import type { Answer } from '../../../../support/client.js';
import { addUser, type AddedUser } from '../../../../support/builders/instance.js';
import { buildApplication, buildPair, type BuiltApplication } from '../../../../support/builders/oauth.js';
import {
  CHALLENGE,
  ConsentBrowser,
  fieldsOf,
  goodRequest,
  locationOf,
  returned,
  without,
  type Parameters,
} from '../../../../support/consent.js';
import { borrowApi } from '../../../../support/shared-api.js';

let api: TestApi;
let user: AddedUser;
let browser: ConsentBrowser;
let application: BuiltApplication;
let trusted: BuiltApplication;
beforeAll(async () => {
  api = await borrowApi();
  user = await addUser(api, 'asked');
  browser = await ConsentBrowser.of(api, user.id);
  application = await buildApplication(api, { scopes: ['api', 'read_user', 'sudo', 'admin_mode'] });
  trusted = await buildApplication(api, { trusted: true });
});
afterAll(() => api.close());

/** Path that the visitor comes back to after signing in. */
function returnPath(answer: Answer): string {
  const line = answer.headers.getSetCookie().find((one) => one.startsWith('_service_return_to=')) ?? '';
  return decodeURIComponent((line.split(';', 1)[0] ?? '').slice('_service_return_to='.length));
}

describe('scopes', () => {
  it('default to the default scopes, or to invalid_request if there are none', async () => {
    const { text } = await browser.ask(without(goodRequest(application), 'scope'));
    expect(text).toContain('<code>api</code>');
    const narrow = await buildApplication(api, { scopes: ['read_user'] });
    expect(returned(await browser.ask(without(goodRequest(narrow), 'scope')))).toMatchObject({
      error: 'invalid_request',
      error_description: 'Missing required parameter: scope.',
    });
  });

  it('work for an administrator who grants sudo', async () => {
    const admin = await ConsentBrowser.of(api, 1);
    const answer = await admin.ask(goodRequest(application, { scope: 'sudo admin_mode' }));
    expect([answer.status, answer.text.includes('Act as any user')]).toEqual([200, true]);
  });

  it('are reduced to read_user by gl_auth_type=login', async () => {
    const one = await buildApplication(api, { scopes: ['api'], trusted: true });
    const request = goodRequest(one, { scope: 'api', gl_auth_type: 'login' });
    expect(returned(await browser.ask(request))).toHaveProperty('code');
    const [grant] = await api.sql<{ scopes: string[] }>(
      'select scopes from oauth_grants order by id desc limit 1',
    );
    expect(grant?.scopes).toEqual(['read_user']);
    const narrow = await buildApplication(api, { scopes: ['openid'] });
    const refused = await browser.ask(goodRequest(narrow, { scope: 'openid', gl_auth_type: 'login' }));
    expect(returned(refused)).toMatchObject({ error: 'invalid_scope' });
  });
});

describe('consent', () => {
  const isAsked = async (request: Parameters, who = browser): Promise<boolean> => {
    const answer = await who.ask(request);
    if (answer.status === 302) expect(returned(answer)).toHaveProperty('code');
    else expect(answer.status).toBe(200);
    return answer.status === 200;
  };
  const challenged = { code_challenge: CHALLENGE, code_challenge_method: 'S256' };

  it('is skipped for trusted applications', async () => {
    expect(await isAsked(goodRequest(trusted))).toBe(false);
    const publicOne = await buildApplication(api, { trusted: true, confidential: false });
    expect(await isAsked(goodRequest(publicOne, challenged))).toBe(false);
  });

  it('is not skipped for a HEAD, which creates no code', async () => {
    const path = `/oauth/authorize?${new URLSearchParams(goodRequest(trusted)).toString()}`;
    const cookie = { Cookie: `_service_session=${browser.session.secret}` };
    const codes = (): Promise<object[]> => api.sql('select count(*) from oauth_grants');
    const before = await codes();
    const answer = await api.anonymous.send('HEAD', path, undefined, cookie);
    expect([answer.status, answer.text, answer.headers.get('location')]).toEqual([200, '', null]);
    expect(await codes()).toEqual(before);
  });

  it('is skipped for exactly the scopes that the user has allowed a confidential application before', async () => {
    const one = await buildApplication(api);
    const both = goodRequest(one, { scope: 'read_user api' });
    expect(await isAsked(both)).toBe(true);
    const pair = await buildPair(api, one, user.id, ['api', 'read_user']);
    expect(await isAsked(both)).toBe(false);
    expect(await isAsked(goodRequest(one, { scope: 'read_user' }))).toBe(true);
    expect(await isAsked(both, await ConsentBrowser.of(api, (await addUser(api, 'another')).id))).toBe(true);
    await api.sql(`update oauth_tokens set expires_at = now() - interval '1 day' where id = $1`, [pair.id]);
    expect(await isAsked(both)).toBe(false);
    await api.sql('update oauth_tokens set revoked_at = now() where id = $1', [pair.id]);
    expect(await isAsked(both)).toBe(true);
  });

  it('is never skipped for a public application that the user has allowed before', async () => {
    const one = await buildApplication(api, { confidential: false });
    await buildPair(api, one, user.id, ['read_user']);
    expect(await isAsked(goodRequest(one, challenged))).toBe(true);
  });

  it('is requested if the client wants it', async () => {
    expect(await isAsked(goodRequest(trusted, { prompt: 'consent' }))).toBe(true);
    const answer = await browser.decide(goodRequest(trusted, { prompt: 'consent' }), 'Authorize');
    expect(returned(answer)).toHaveProperty('code');
  });

  it('cannot be given with prompt=none, which allows no page', async () => {
    for (const prompt of ['none', 'none none', ' none'])
      expect(returned(await browser.ask(goodRequest(application, { prompt })))).toMatchObject({
        error: 'consent_required',
        state: 'a state',
      });
    expect(returned(await browser.ask(goodRequest(trusted, { prompt: 'none' })))).toHaveProperty('code');
  });
});

describe('signing in', () => {
  const anonymous = (request: Parameters): Promise<Answer> =>
    api.anonymous.get(`/oauth/authorize?${new URLSearchParams(request).toString()}`);

  it('comes first, and leads back', async () => {
    const answer = await anonymous(goodRequest(application, { state: 'später\n&=' }));
    expect([answer.status, locationOf(answer)]).toEqual([302, '/users/sign_in']);
    const path = returnPath(answer);
    expect(path.startsWith('/oauth/authorize?')).toBe(true);
    const page = await browser.open(path);
    expect(page.status).toBe(200);
    expect(returned(await browser.send(fieldsOf(page.text, 'Authorize')))['state']).toBe('später\n&=');
  });

  it('comes before any response to a client (RFC 9700 4.11.2), except with prompt=none', async () => {
    expect(locationOf(await anonymous(goodRequest(application, { scope: 'z' })))).toBe('/users/sign_in');
    expect(returned(await anonymous(goodRequest(application, { prompt: 'none' })))).toEqual({
      error: 'login_required',
      error_description: 'The authorization server requires end-user authentication.',
      state: 'a state',
    });
    expect(returned(await anonymous(goodRequest(application, { prompt: 'none', scope: 'z' })))).toMatchObject(
      {
        error: 'invalid_scope',
      },
    );
  });

  it('reports requests that are too long for a cookie to lead back to', async () => {
    for (const state of ['%'.repeat(1_300), 's'.repeat(4_000)]) {
      const answer = await anonymous(goodRequest(application, { state }));
      expect([answer.status, answer.headers.get('location')]).toEqual([400, null]);
      expect(answer.text).toContain('<a href="/users/sign_in">Sign in</a>');
      expect((await browser.ask(goodRequest(application, { state }))).status).toBe(200);
    }
  });

  it('allows the forms of its pages to redirect to the client', async () => {
    const answer = await anonymous(goodRequest(trusted));
    const cookie = answer.headers.getSetCookie().join('; ');
    const policyOf = async (cookies: string): Promise<string> => {
      const page = await fetch(`${api.url}/users/sign_in`, { headers: { Cookie: cookies } });
      return page.headers.get('content-security-policy') ?? '';
    };
    expect(await policyOf(cookie)).toContain("form-action 'self' https:;");
    const bad = encodeURIComponent('/oauth/authorize?redirect_uri=javascript:alert(1)');
    for (const other of ['', '_service_return_to=/x', `_service_return_to=${bad}`])
      expect(await policyOf(other)).toContain("form-action 'self';");
  });

  it('does not accept a token as a session', async () => {
    const answer = await api.root.get(
      `/oauth/authorize?${new URLSearchParams(goodRequest(trusted)).toString()}`,
    );
    expect(locationOf(answer)).toBe('/users/sign_in');
  });

  const age = (who: ConsentBrowser, seconds: number): Promise<unknown> =>
    api.sql(`update sessions set authenticated_at = now() - make_interval(secs => $2) where id = $1`, [
      who.session.id,
      seconds,
    ]);

  it.each(['login', 'select_account', 'login consent'])('comes again with prompt=%s', async (prompt) => {
    const who = await ConsentBrowser.of(api, user.id);
    await age(who, 5);
    const answer = await who.ask(goodRequest(application, { prompt }));
    expect([answer.status, locationOf(answer)]).toEqual([302, '/users/sign_in']);
    expect(locationOf(await who.send(goodRequest(trusted, { prompt })))).toBe('/users/sign_in');
    const path = returnPath(answer);
    expect(locationOf(await who.open(path))).toBe('/users/sign_in');
    await age(who, -1);
    expect((await who.open(path)).status).toBe(200);
  });

  it('comes again when it is older than max_age', async () => {
    const who = await ConsentBrowser.of(api, user.id);
    await age(who, 100);
    expect((await who.ask(goodRequest(application, { max_age: '200' }))).status).toBe(200);
    const answer = await who.ask(goodRequest(application, { max_age: '50' }));
    expect(locationOf(answer)).toBe('/users/sign_in');
    expect(returned(await who.ask(goodRequest(trusted, { max_age: '50', prompt: 'none' })))).toMatchObject({
      error: 'login_required',
    });
    expect(locationOf(await who.ask(goodRequest(trusted, { max_age: '0' })))).toBe('/users/sign_in');
    await age(who, -1);
    expect((await who.open(returnPath(answer))).status).toBe(200);
    const [grant] = await (async () => {
      await who.ask(goodRequest(trusted));
      return api.sql<{ same: boolean }>(
        `select g.auth_time = date_trunc('milliseconds', s.authenticated_at) as same from oauth_grants g, sessions s
         where s.id = $1 order by g.id desc limit 1`,
        [who.session.id],
      );
    })();
    expect(grant?.same).toBe(true);
  });
});

describe('users who cannot authorize', () => {
  it('have not confirmed their address', async () => {
    const person = await addUser(api, 'unconfirmed');
    const who = await ConsentBrowser.of(api, person.id);
    const page = await who.ask(goodRequest(application));
    await api.sql('update users set confirmed_at = null where id = $1', [person.id]);
    for (const answer of [
      await who.ask(goodRequest(trusted)),
      await who.send(fieldsOf(page.text, 'Authorize')),
    ]) {
      expect(answer.status).toBe(403);
      expect(answer.text).toContain('confirm your e-mail address');
    }
    expect(returned(await who.ask(goodRequest(trusted, { prompt: 'none' })))).toMatchObject({
      error: 'interaction_required',
    });
  });

  it('are administrators, if the instance setting denies it to them', async () => {
    const admin = await ConsentBrowser.of(api, 1);
    const harmless = await buildApplication(api, { scopes: ['openid', 'read_user'] });
    await api.root.put('/application/settings', { disable_admin_oauth_scopes: true });
    expect((await admin.ask(goodRequest(application))).status).toBe(403);
    expect((await admin.ask(goodRequest(harmless))).status).toBe(200);
    expect((await admin.ask(goodRequest(trusted))).status).toBe(302);
    expect((await browser.ask(goodRequest(application))).status).toBe(200);
    await api.root.put('/application/settings', { disable_admin_oauth_scopes: false });
    expect((await admin.ask(goodRequest(application))).status).toBe(200);
  });

  it('have yet to set up a required second factor, or a new password', async () => {
    const settings = (on: boolean): Promise<Answer> =>
      api.root.put('/application/settings', {
        require_two_factor_authentication: on,
        two_factor_grace_period: 0,
      });
    await settings(true);
    const answer = await browser.ask(goodRequest(trusted));
    expect([answer.status, locationOf(answer)]).toEqual([302, '/-/profile/two_factor_auth']);
    expect(returnPath(answer)).toContain(trusted.uid);
    expect(returned(await browser.ask(goodRequest(trusted, { prompt: 'none' })))).toMatchObject({
      error: 'interaction_required',
    });
    expect((await browser.send(goodRequest(trusted))).status).toBe(302);
    expect(locationOf(await browser.send(goodRequest(trusted)))).toBe('/-/profile/two_factor_auth');
    await settings(false);
    await api.sql('update users set password_expires_at = now() where id = $1', [user.id]);
    expect(locationOf(await browser.ask(goodRequest(trusted)))).toBe('/-/profile/password/new');
    await api.sql('update users set password_expires_at = null where id = $1', [user.id]);
  });

  it('sign in once for a request with prompt=login, if a step follows the sign-in', async () => {
    const person = await addUser(api, 'stepping');
    const who = await ConsentBrowser.of(api, person.id);
    const signIn = await who.ask(goodRequest(trusted, { prompt: 'login' }));
    expect(locationOf(signIn)).toBe('/users/sign_in');
    await api.sql('update sessions set authenticated_at = now() where id = $1', [who.session.id]);
    await api.sql('update users set password_expires_at = now() where id = $1', [person.id]);
    const step = await who.open(returnPath(signIn));
    expect(locationOf(step)).toBe('/-/profile/password/new');
    await api.sql('update users set password_expires_at = null where id = $1', [person.id]);
    expect(returned(await who.open(returnPath(step)))).toHaveProperty('code');
  });

  it('are blocked', async () => {
    const person = await addUser(api, 'shut-out');
    const who = await ConsentBrowser.of(api, person.id);
    await api.sql(`update users set state = 'blocked' where id = $1`, [person.id]);
    expect(locationOf(await who.ask(goodRequest(trusted)))).toBe('/users/sign_in');
  });
});
