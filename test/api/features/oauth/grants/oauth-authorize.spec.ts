import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { TestApi } from '../../../../support/api.js';
import { addUser } from '../../../../support/builders/instance.js';
import { buildApplication, CALLBACK, type BuiltApplication } from '../../../../support/builders/oauth.js';
import {
  CHALLENGE,
  ConsentBrowser,
  goodRequest,
  locationOf,
  returned,
  without,
  type Parameters,
} from '../../../../support/consent.js';
import { borrowApi } from '../../../../support/shared-api.js';

let api: TestApi;
let browser: ConsentBrowser;
let application: BuiltApplication;
let open: BuiltApplication;
beforeAll(async () => {
  api = await borrowApi();
  browser = await ConsentBrowser.of(api, (await addUser(api, 'asked')).id);
  application = await buildApplication(api, { scopes: ['api', 'read_user', 'sudo', 'admin_mode'] });
  open = await buildApplication(api, { confidential: false });
});
afterAll(() => api.close());

const INVALID_REQUEST =
  'The request is missing a required parameter, includes an unsupported parameter value, or is otherwise malformed.';

describe('an unknown client or redirect URI', () => {
  const rows: [string, (good: Parameters) => Parameters, number, string, string][] = [
    [
      'no client_id',
      (good) => without(good, 'client_id'),
      400,
      'invalid_request',
      'Missing required parameter: client_id.',
    ],
    [
      'an empty client_id',
      (good) => ({ ...good, client_id: '' }),
      400,
      'invalid_request',
      'Missing required parameter: client_id.',
    ],
    [
      'an unknown client',
      (good) => ({ ...good, client_id: 'unknown' }),
      401,
      'invalid_client',
      'Client authentication failed due to unknown client',
    ],
    [
      'an unknown client and a bad response type',
      (good) => ({ ...good, client_id: 'x', response_type: 'token' }),
      401,
      'invalid_client',
      '',
    ],
    [
      'no redirect_uri',
      (good) => without(good, 'redirect_uri'),
      400,
      'invalid_redirect_uri',
      'The redirect URI included is not valid.',
    ],
    [
      'another redirect_uri',
      (good) => ({ ...good, redirect_uri: 'https://evil.example/' }),
      400,
      'invalid_redirect_uri',
      'The redirect URI included is not valid.',
    ],
  ];

  it.each(rows)(
    '%s: GET returns a page, POST returns JSON, and neither redirects',
    async (_name, change, status, error, text) => {
      const request = change(goodRequest(application));
      for (const answer of [
        await browser.ask(request),
        await api.anonymous.get(`/oauth/authorize?${new URLSearchParams(request).toString()}`),
      ]) {
        expect([answer.status, answer.headers.get('location')]).toEqual([400, null]);
        expect(answer.headers.get('content-type')).toBe('text/html; charset=utf-8');
        expect(answer.text).toContain(text);
        expect(answer.text).toContain(`<code>${error}</code>`);
      }
      const posted = await browser.send(request);
      expect([posted.status, posted.headers.get('location')]).toEqual([status, null]);
      expect(posted.headers.get('content-type')).toBe('application/json');
      expect(posted.body).toEqual({ error, error_description: expect.stringContaining(text) });
      expect((await browser.send({ ...request, _method: 'delete' })).status).toBe(status);
    },
  );

  it('an application that was registered without redirect URIs may not use codes', async () => {
    const one = await buildApplication(api);
    await api.sql(`update oauth_applications set redirect_uris = '{}' where id = $1`, [one.id]);
    expect((await browser.ask(goodRequest(one))).text).toContain('<code>unauthorized_client</code>');
    expect((await browser.send(goodRequest(one))).status).toBe(401);
  });

  it.each(['client_id', 'redirect_uri'])('a %s that is sent twice or as a list is invalid', async (name) => {
    const good = new URLSearchParams(goodRequest(application)).toString();
    const value = encodeURIComponent(goodRequest(application)[name] ?? '');
    for (const query of [
      `${good}&${name}=${value}`,
      `${good}&${name}[]=${value}`,
      `${good}&${name}[a]=${value}`,
    ])
      expect((await browser.ask(query)).status).toBe(400);
    const token = `authenticity_token=${browser.session.csrfToken}`;
    expect((await browser.send(`${good}&${name}=${value}&${token}`)).status).toBe(400);
  });
});

describe('errors reported to the client', () => {
  const rows: [string, (good: Parameters) => Parameters, string, string | null][] = [
    [
      'no response_type',
      (good) => without(good, 'response_type'),
      'invalid_request',
      'Missing required parameter: response_type.',
    ],
    [
      'an empty response_type',
      (good) => ({ ...good, response_type: '' }),
      'invalid_request',
      'Missing required parameter: response_type.',
    ],
    [
      'response_type token',
      (good) => ({ ...good, response_type: 'token' }),
      'unsupported_response_type',
      null,
    ],
    [
      'response_type code token',
      (good) => ({ ...good, response_type: 'code token' }),
      'unsupported_response_type',
      null,
    ],
    [
      'a bad type before a bad mode',
      (good) => ({ ...good, response_type: 'x', response_mode: 'y' }),
      'unsupported_response_type',
      null,
    ],
    [
      'another response_mode',
      (good) => ({ ...good, response_mode: 'jwt' }),
      'unsupported_response_mode',
      null,
    ],
    [
      'a bad mode before a bad scope',
      (good) => ({ ...good, response_mode: 'y', scope: 'z' }),
      'unsupported_response_mode',
      null,
    ],
    ['a request object', (good) => ({ ...good, request: 'e30.e30.' }), 'request_not_supported', null],
    [
      'a request object by reference',
      (good) => ({ ...good, request_uri: 'https://x.example' }),
      'request_uri_not_supported',
      null,
    ],
    ['an invented scope', (good) => ({ ...good, scope: 'read_user all' }), 'invalid_scope', null],
    ['a scope that the application has not', (good) => ({ ...good, scope: 'email' }), 'invalid_scope', null],
    ['a scope with a line end', (good) => ({ ...good, scope: 'read_user\napi' }), 'invalid_scope', null],
    ['a scope with a tab', (good) => ({ ...good, scope: 'read_user\tapi' }), 'invalid_scope', null],
    ['blanks for a scope', (good) => ({ ...good, scope: '  ' }), 'invalid_scope', null],
    ['sudo of a user', (good) => ({ ...good, scope: 'api sudo' }), 'invalid_scope', null],
    ['admin_mode of a user', (good) => ({ ...good, scope: 'admin_mode' }), 'invalid_scope', null],
    [
      'a bad scope before a bad challenge',
      (good) => ({ ...good, scope: 'z', code_challenge: 'x' }),
      'invalid_scope',
      null,
    ],
    [
      'a challenge without method',
      (good) => ({ ...good, code_challenge: CHALLENGE }),
      'invalid_code_challenge_method',
      'The code challenge method must be S256.',
    ],
    [
      'a plain challenge',
      (good) => ({ ...good, code_challenge: CHALLENGE, code_challenge_method: 'plain' }),
      'invalid_code_challenge_method',
      null,
    ],
    [
      'method s256',
      (good) => ({ ...good, code_challenge: CHALLENGE, code_challenge_method: 's256' }),
      'invalid_code_challenge_method',
      null,
    ],
    [
      'a method without challenge',
      (good) => ({ ...good, code_challenge_method: 'S256' }),
      'invalid_request',
      'Missing required parameter: code_challenge.',
    ],
    [
      'a challenge that is no digest',
      (good) => ({ ...good, code_challenge: 'short', code_challenge_method: 'S256' }),
      'invalid_request',
      null,
    ],
    [
      'a public client without challenge',
      (good) => ({ ...good, client_id: open.uid }),
      'invalid_request',
      'Missing required parameter: code_challenge.',
    ],
    ['an unknown prompt', (good) => ({ ...good, prompt: 'dance' }), 'invalid_request', null],
    ['prompt none with another', (good) => ({ ...good, prompt: 'none login' }), 'invalid_request', null],
    ['a max_age that is no number', (good) => ({ ...good, max_age: '-1' }), 'invalid_request', null],
  ];

  it.each(rows)('%s', async (_name, change, error, description) => {
    const request = change(goodRequest(application));
    for (const answer of [await browser.ask(request), await browser.send(request)]) {
      expect(answer.status).toBe(302);
      expect(locationOf(answer).startsWith(`${CALLBACK}?error=`)).toBe(true);
      expect(answer.headers.get('referrer-policy')).toBe('no-referrer');
      expect(returned(answer)).toEqual({
        error,
        error_description: description ?? expect.any(String),
        state: 'a state',
      });
    }
  });

  it('include repeated, list, unreadable and overlong parameters', async () => {
    const good = new URLSearchParams(goodRequest(application)).toString();
    const invalid = {
      error: 'invalid_request',
      error_description: INVALID_REQUEST,
    };
    for (const extra of [
      'scope=api',
      'scope[]=api',
      'nonce=a&nonce=a',
      'prompt[none]=1',
      'nonce=%ff',
      'nonce=%00',
    ])
      expect(returned(await browser.ask(`${good}&${extra}`))).toEqual({ ...invalid, state: 'a state' });
    for (const extra of ['state=b', 'state[]=b'])
      expect(returned(await browser.ask(`${good}&${extra}`))).toEqual(invalid);
    const stateless = new URLSearchParams(without(goodRequest(application), 'state')).toString();
    for (const state of ['%ff', '%c3', '%ed%a0%80', '%00'])
      expect(returned(await browser.ask(`${stateless}&state=${state}`))).toEqual(invalid);
    expect(returned(await browser.send({ ...goodRequest(application), state: 's'.repeat(65_536) }))).toEqual(
      invalid,
    );
    expect((await browser.ask(`${stateless}&state=${'s'.repeat(9_000)}`)).status).toBe(414);
    const json = { 'Content-Type': 'application/json', 'X-CSRF-Token': browser.session.csrfToken };
    const body = JSON.stringify({ ...goodRequest(application), state: ['b'], nonce: { a: 1 }, max_age: 1 });
    expect(returned(await browser.send(body, 'POST', json))).toEqual(invalid);
    const surrogate = JSON.stringify({ ...goodRequest(application), state: 'x' }).replace('"x"', '"\\ud800"');
    expect(returned(await browser.send(surrogate, 'POST', json))).toEqual(invalid);
  });

  it('include a parameter in both the query and the body', async () => {
    const answer = await api.anonymous.post(
      '/oauth/authorize?scope=read_user',
      new URLSearchParams({
        ...goodRequest(application),
        authenticity_token: browser.session.csrfToken,
      }).toString(),
      {
        'Content-Type': 'application/x-www-form-urlencoded',
        Cookie: `_service_session=${browser.session.secret}`,
      },
    );
    expect(returned(answer)).toMatchObject({ error: 'invalid_request' });
  });
});
