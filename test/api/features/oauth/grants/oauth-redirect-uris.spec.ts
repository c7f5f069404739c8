import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import type { TestApi } from '../../../../support/api.js';
import type { Answer } from '../../../../support/client.js';
import { addUser } from '../../../../support/builders/instance.js';
import { buildApplication, CALLBACK, type BuiltApplication } from '../../../../support/builders/oauth.js';
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
import { anyCharacter } from '../../../../support/any-text.js';
import { borrowApi } from '../../../../support/shared-api.js';
import { runs } from '../../../../support/runs.js';

let api: TestApi;
let browser: ConsentBrowser;
let application: BuiltApplication;
let open: BuiltApplication;
let trusted: BuiltApplication;
beforeAll(async () => {
  api = await borrowApi();
  browser = await ConsentBrowser.of(api, (await addUser(api, 'asked')).id);
  application = await buildApplication(api);
  open = await buildApplication(api, { confidential: false });
  trusted = await buildApplication(api, { trusted: true });
});
afterAll(() => api.close());

describe('redirect URIs', () => {
  it.each([
    `${CALLBACK}/`,
    `${CALLBACK}?x=1`,
    `${CALLBACK}?`,
    `${CALLBACK}#`,
    `${CALLBACK}#fragment`,
    `${CALLBACK}/../x`,
    `${CALLBACK}%0d%0aSet-Cookie:%20a=b`,
    `${CALLBACK}\r\nSet-Cookie: a=b`,
    `${CALLBACK}\t`,
    ` ${CALLBACK}`,
    `${CALLBACK} `,
    `${CALLBACK}\0`,
    `${CALLBACK} https://evil.example`,
    `${CALLBACK}\nhttps://evil.example`,
    'https://client.example.com/Callback',
    'https://CLIENT.example.com/callback',
    'HTTPS://client.example.com/callback',
    'http://client.example.com/callback',
    'https://client.example.com:443/callback',
    'https://client.example.com:8443/callback',
    'https://client.example.com./callback',
    'https://client.example.com.evil.example/callback',
    'https://client.example.com@evil.example/callback',
    'https://user:password@client.example.com/callback',
    'https://evil.example\\@client.example.com/callback',
    'https://client.example.com\\callback',
    'https:\\\\client.example.com/callback',
    '//client.example.com/callback',
    '/callback',
    'callback',
    'javascript:alert(1)',
    'data:text/html,x',
    'urn:ietf:wg:oauth:2.0:oob',
    'null',
    `https://client.example.com/${'a'.repeat(3000)}`,
  ])('must match exactly: %j is refused', async (uri) => {
    const request = goodRequest(application, { redirect_uri: uri });
    for (const [answer, status] of [
      [await browser.ask(request), 400],
      [await browser.send(request), 400],
    ] as const)
      expect([answer.status, answer.headers.get('location'), answer.headers.get('set-cookie')]).toEqual([
        status,
        null,
        null,
      ]);
  });

  it('may differ from the registered one only in the port of a loopback IP address', async () => {
    const one = await buildApplication(api, {
      trusted: true,
      redirectUris: ['http://127.0.0.1:8080/cb', 'http://[::1]/cb', 'http://localhost:8080/cb'],
    });
    const asked = (uri: string): Promise<Answer> => browser.ask(goodRequest(one, { redirect_uri: uri }));
    for (const uri of [
      'http://127.0.0.1:8080/cb',
      'http://127.0.0.1:51234/cb',
      'http://127.0.0.1/cb',
      'http://[::1]:51234/cb',
      'http://localhost:8080/cb',
    ])
      expect(locationOf(await asked(uri)).startsWith(`${uri}?code=`)).toBe(true);
    const [grant] = await api.sql<{ redirect_uri: string }>(
      `select redirect_uri from oauth_grants where redirect_uri like '%51234%' order by id limit 1`,
    );
    expect(grant?.redirect_uri).toBe('http://127.0.0.1:51234/cb');
    for (const uri of [
      'http://localhost:51234/cb',
      'http://127.0.0.2:8080/cb',
      'http://127.0.0.1:8080/other',
      'https://127.0.0.1:8080/cb',
      'http://127.0.0.1:8080@evil.example/cb',
      'http://127.0.0.1:8080.evil.example/cb',
      'http://127.0.0.1:/cb',
      'http://127.1:8080/cb',
      'http://2130706433:8080/cb',
      'http://[::ffff:127.0.0.1]:8080/cb',
    ])
      expect((await asked(uri)).status).toBe(400);
  });

  it('may have schemes of their own, and keep their query', async () => {
    for (const uri of [
      'custom://test',
      'com.example.app:/cb',
      'https://client.example.com/cb?tenant=1&x=%20',
      'https://client.example.com/cb?',
    ]) {
      const one = await buildApplication(api, { trusted: true, redirectUris: [uri] });
      const answer = await browser.ask(goodRequest(one, { redirect_uri: uri }));
      const sign = uri.includes('=') ? '&' : uri.endsWith('?') ? '' : '?';
      expect(locationOf(answer)).toMatch(
        new RegExp(`^${(uri + sign).replace(/[?.]/g, '\\$&')}code=[0-9a-f]{64}&state=a%20state$`),
      );
    }
  });
});
describe('the response', () => {
  it('is in the fragment if the client requests that', async () => {
    const answer = await browser.ask(goodRequest(trusted, { response_mode: 'fragment' }));
    expect(locationOf(answer)).toMatch(
      /^https:\/\/client\.example\.com\/callback#code=[0-9a-f]{64}&state=a%20state$/,
    );
    const refused = await browser.ask(goodRequest(trusted, { response_mode: 'fragment', scope: 'z' }));
    expect(locationOf(refused)).toMatch(/^https:\/\/client\.example\.com\/callback#error=invalid_scope/);
  });

  it('is sent by a form if the client requests that', async () => {
    const answer = await browser.ask(
      goodRequest(trusted, { response_mode: 'form_post', state: `"><script>` }),
    );
    expect([answer.status, answer.headers.get('location')]).toEqual([200, null]);
    expect(answer.text).toContain(`<form action="${CALLBACK}" method="post"`);
    expect(fieldsOf(answer.text, 'Continue')).toEqual({
      code: expect.stringMatching(/^[0-9a-f]{64}$/),
      state: '"><script>',
    });
    expect(answer.headers.get('content-security-policy')).toContain("form-action 'self' https:;");
    expect(answer.headers.get('cache-control')).toBe('no-store');
    expect(answer.headers.get('referrer-policy')).toBe('no-referrer');
  });

  it('has no state if none or an empty one was sent', async () => {
    for (const request of [without(goodRequest(trusted), 'state'), goodRequest(trusted, { state: '' })])
      expect(Object.keys(returned(await browser.ask(request)))).toEqual(['code']);
  });

  it('names its issuer if an identity is requested, and not otherwise (RFC 9207)', async () => {
    const identities = await buildApplication(api, {
      trusted: true,
      scopes: ['openid', 'read_user', 'email'],
    });
    const issuerOf = async (changes: Parameters): Promise<string | undefined> =>
      returned(await browser.ask(goodRequest(identities, changes)))['iss'];
    for (const changes of [{}, { prompt: 'none' }, { response_type: 'token' }, { state: '' }]) {
      for (const scope of ['openid', 'read_user openid', 'openid email'])
        expect([changes, scope, await issuerOf({ ...changes, scope })]).toEqual([
          changes,
          scope,
          'http://forgeplane.test',
        ]);
      for (const scope of ['read_user', 'email', 'openid2'])
        expect([changes, scope, await issuerOf({ ...changes, scope })]).toEqual([changes, scope, undefined]);
    }
    const request = goodRequest(identities, { scope: 'openid', response_mode: 'form_post' });
    expect(fieldsOf((await browser.ask(request)).text, 'Continue')).toHaveProperty(
      'iss',
      'http://forgeplane.test',
    );
  });

  it('returns the state unchanged, whatever it is', async () => {
    const state = fc
      .string({ unit: anyCharacter, minLength: 1, maxLength: 200 })
      .filter((text) => !text.includes('\0'));
    await fc.assert(
      fc.asyncProperty(state, fc.boolean(), async (text, isRefused) => {
        const request = goodRequest(trusted, { state: text, ...(isRefused ? { scope: 'z' } : {}) });
        const answer = await browser.ask(request);
        expect([answer.status, returned(answer)['state']]).toEqual([302, text]);
        expect(locationOf(answer)).toMatch(/^[\x21-\x7e]+$/);
      }),
      { numRuns: runs(60) },
    );
  });

  it('returns the state unchanged also after the consent page, including line ends', async () => {
    for (const text of [
      'a\r\nSet-Cookie: x=y',
      '\n\t',
      `'"<>&;%2B+ =`,
      'ünïcödé 🦊',
      'a[]=b',
      's'.repeat(2000),
    ]) {
      const page = await browser.ask(goodRequest(application, { state: text }));
      const answer = await browser.send(fieldsOf(page.text, 'Authorize'));
      expect([answer.status, returned(answer)['state']]).toEqual([302, text]);
      expect(answer.headers.get('set-cookie')).toBeNull();
      expect(returned(await browser.send(fieldsOf(page.text, 'Deny')))['state']).toBe(text);
    }
    const query = new URLSearchParams(without(goodRequest(trusted), 'state')).toString();
    expect(returned(await browser.ask(`${query}&state=a[]=b`))['state']).toBe('a[]=b');
  });

  it('binds the code to the challenge', async () => {
    const request = goodRequest(open, { code_challenge: CHALLENGE, code_challenge_method: 'S256' });
    expect(returned(await browser.decide(request, 'Authorize'))).toHaveProperty('code');
    const [grant] = await api.sql<{ code_challenge: string }>(
      'select code_challenge from oauth_grants order by id desc limit 1',
    );
    expect(grant?.code_challenge).toBe(CHALLENGE);
  });
});

describe('a denial', () => {
  it('is reported to the client, with its state', async () => {
    const answer = await browser.decide(goodRequest(application), 'Deny');
    expect(answer.status).toBe(302);
    expect(returned(answer)).toEqual({
      error: 'access_denied',
      error_description: 'The resource owner or authorization server denied the request.',
      state: 'a state',
    });
  });

  it('also works by DELETE, and never leads to an unregistered address', async () => {
    const headers = { 'X-CSRF-Token': browser.session.csrfToken };
    const query = new URLSearchParams(goodRequest(application)).toString();
    const cookie = { Cookie: `_service_session=${browser.session.secret}` };
    const answer = await api.anonymous.delete(`/oauth/authorize?${query}`, { ...headers, ...cookie });
    expect(returned(answer)).toMatchObject({ error: 'access_denied' });
    const elsewhere = await browser.decide(goodRequest(application), 'Deny', {
      redirect_uri: 'https://evil.example',
    });
    expect([elsewhere.status, elsewhere.headers.get('location')]).toEqual([400, null]);
    const unknown = await browser.decide(goodRequest(application), 'Deny', { client_id: 'unknown' });
    expect(unknown.status).toBe(401);
  });
});

describe('a code to copy', () => {
  const OOB = 'urn:ietf:wg:oauth:2.0:oob';

  it('is shown on its own page', async () => {
    const native = await buildApplication(api, { redirectUris: [OOB] });
    const page = await browser.ask(goodRequest(native));
    expect(page.text).toContain('shows you a code to copy');
    expect(page.headers.get('content-security-policy')).toContain("form-action 'self';");
    const answer = await browser.send(fieldsOf(page.text, 'Authorize'));
    const path = answer.headers.get('location') ?? '';
    expect([answer.status, path]).toEqual([
      302,
      expect.stringMatching(/^\/oauth\/authorize\/native\?code=[0-9a-f]{64}$/),
    ]);
    const shown = await browser.open(path);
    expect(shown.status).toBe(200);
    expect(shown.text).toContain(`value="${path.split('=')[1]}"`);
    expect(shown.headers.get('cache-control')).toBe('no-store');
    const refused = await browser.ask(goodRequest(native, { scope: 'invented' }));
    expect([refused.status, refused.headers.get('location')]).toEqual([400, null]);
    const denied = await browser.decide(goodRequest(native), 'Deny');
    expect([denied.status, denied.headers.get('location')]).toEqual([400, null]);
    expect(denied.text).toContain('You can close this page.');
  });

  it('is shown only if it is a code, and only to signed-in users', async () => {
    for (const code of ['', 'call+this+number', '<script>', 'a'.repeat(63), 'a'.repeat(65)])
      expect((await browser.open(`/oauth/authorize/native?code=${code}`)).status).toBe(404);
    expect((await browser.open('/oauth/authorize/native')).status).toBe(404);
    expect((await browser.open(`/oauth/authorize/native?code[]=${'a'.repeat(64)}`)).status).toBe(404);
    const anonymous = await api.anonymous.get(`/oauth/authorize/native?code=${'a'.repeat(64)}`);
    expect(anonymous.headers.get('location')).toBe('/users/sign_in');
  });
});
