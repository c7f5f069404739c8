import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startApi, type TestApi } from '../../../../support/api.js';
import type { Answer } from '../../../../support/client.js';
import {
  buildApplication,
  buildCode,
  CALLBACK,
  inBody,
  postForm,
  type BuiltApplication,
} from '../../../../support/builders/oauth.js';
import { addUser, type AddedUser } from '../../../../support/builders/instance.js';
import {
  askToken,
  exchangeCode,
  INVALID_CLIENT,
  INVALID_GRANT,
  INVALID_REQUEST,
  outcome,
  VERIFIER,
  VERIFIER_CHALLENGE,
  type TokenBody,
} from '../../../../support/token-endpoint.js';
import { postTogether } from '../../../../support/post-together.js';

const HEX = /^[0-9a-f]{64}$/;

let api: TestApi;
let user: AddedUser;
let client: BuiltApplication;
beforeAll(async () => {
  api = await startApi();
  user = await addUser(api, 'mona');
  client = await buildApplication(api);
});
afterAll(() => api.close());

const ask = (values: TokenBody, headers?: TokenBody): Promise<Answer<TokenBody>> =>
  askToken(api, values, headers);
const exchange = (
  code: string,
  values: TokenBody = inBody(client),
  headers?: TokenBody,
): Promise<Answer<TokenBody>> => exchangeCode(api, code, values, headers);

describe('POST /oauth/token', () => {
  it('refuses a missing or unknown grant type', async () => {
    for (const values of [{}, { grant_type: '' }]) {
      const answer = await ask(values);
      expect(answer.status).toBe(400);
      expect(answer.body).toEqual({
        error: 'invalid_request',
        error_description: 'Missing required parameter: grant_type.',
      });
    }
    for (const type of ['client_credentials', 'implicit', 'urn:ietf:params:oauth:grant-type:device_code']) {
      const answer = await ask({ grant_type: type, ...inBody(client) });
      expect(answer.status).toBe(400);
      expect(answer.body).toEqual({
        error: 'unsupported_grant_type',
        error_description: 'The authorization grant type is not supported by the authorization server.',
      });
      expect(answer.headers.get('content-type')).toBe('application/json');
      expect(answer.headers.get('cache-control')).toBe('no-store');
      expect(answer.headers.get('pragma')).toBe('no-cache');
      expect(answer.headers.get('www-authenticate')).toBe(
        'Bearer realm="Forgeplane", error="unsupported_grant_type", error_description="The authorization grant type is not supported by the authorization server."',
      );
    }
  });

  it('supports only POST, with parameters of the body only', async () => {
    const code = await buildCode(api, client, user.id);
    const query = new URLSearchParams({
      grant_type: 'authorization_code',
      code,
      redirect_uri: CALLBACK,
    }).toString();
    const read = await api.anonymous.get(`/oauth/token?${query}`);
    expect([read.status, read.headers.get('allow')]).toEqual([405, 'POST']);
    const secretInUrl = new URLSearchParams(inBody(client)).toString();
    const refused = await postForm<Record<string, string>>(api, `/oauth/token?${secretInUrl}`, query);
    expect(outcome(refused)).toEqual(INVALID_CLIENT);
    expect((await exchange(code)).status).toBe(200);
  });

  it('refuses repeated parameters, lists, hashes and unreadable values', async () => {
    const form = new URLSearchParams({ grant_type: 'password', ...inBody(client) }).toString();
    for (const more of [
      '&grant_type=password',
      '&username[]=a',
      '&username[a]=b',
      '&password=a&password=b',
      '&username=%00',
    ])
      expect(outcome(await postForm(api, '/oauth/token', form + more))).toEqual(INVALID_REQUEST);
    for (const username of [['mona'], { a: 'b' }, 7, true]) {
      const answer = await api.anonymous.post<Record<string, string>>('/oauth/token', {
        grant_type: 'password',
        username,
        password: 'x',
      });
      expect(outcome(answer)).toEqual(INVALID_REQUEST);
    }
    for (const body of ['[]', '"text"', '7', 'null', '[{"grant_type":"password"}]']) {
      const answer = await api.anonymous.post<Record<string, string>>('/oauth/token', body, {
        'Content-Type': 'application/json',
      });
      expect(outcome(answer)).toEqual(INVALID_REQUEST);
    }
  });

  it('reports unreadable requests as OAuth errors', async () => {
    const json = { 'Content-Type': 'application/json' };
    for (const path of ['/oauth/token', '/oauth/revoke', '/oauth/introspect', '/oauth/token/'])
      for (const [body, headers] of [
        ['{"grant_type":', json],
        ['{"grant_type":', { ...json, Accept: 'text/html' }],
        ['['.repeat(500), json],
        ['a=b&'.repeat(3000), { 'Content-Type': 'application/x-www-form-urlencoded' }],
        ['--X\r\nfoo', { 'Content-Type': 'multipart/form-data; boundary=X' }],
      ] as const) {
        const answer = await api.anonymous.post<Record<string, string>>(path, body, headers);
        expect([path, answer.status, answer.body]).toEqual([
          path,
          400,
          { error: 'invalid_request', error_description: expect.stringContaining('malformed') },
        ]);
        expect(answer.headers.get('content-type')).toBe('application/json');
        expect(answer.headers.get('cache-control')).toBe('no-store');
        expect(answer.headers.get('www-authenticate')).toMatch(/^Bearer .*error="invalid_request"/);
      }
    const elsewhere = await api.anonymous.post('/oauth/userinfo', '{', json);
    expect(elsewhere.body).toEqual({ message: '400 Bad request - malformed JSON' });
  });

  it('reports the general rate limits as OAuth errors', async () => {
    const general = 'throttle_unauthenticated_web';
    await api.root.put('/application/settings', {
      [`${general}_enabled`]: true,
      [`${general}_requests_per_period`]: 1,
      [`${general}_period_in_seconds`]: 600,
    });
    await ask({});
    const answer = await ask({});
    await api.root.put('/application/settings', { [`${general}_enabled`]: false });
    expect([answer.status, answer.body]).toEqual([
      429,
      { error: 'temporarily_unavailable', error_description: 'Too many requests. Try again later.' },
    ]);
    expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0);
    expect(answer.headers.get('ratelimit-name')).toBe(general);
  });

  it('also reads JSON, and ignores unknown and empty parameters', async () => {
    const code = await buildCode(api, client, user.id);
    const answer = await api.anonymous.post('/oauth/token', {
      grant_type: 'authorization_code',
      code,
      redirect_uri: CALLBACK,
      code_verifier: '',
      scope: null,
      resource: ['a', 'b'],
      sudo: ['root'],
      ...inBody(client),
    });
    expect(answer.status).toBe(200);
  });
});

describe('an exchange of a code', () => {
  it('creates a pair of tokens', async () => {
    const before = Math.floor(Date.now() / 1000);
    const code = await buildCode(api, client, user.id, { scopes: ['api', 'read_user'] });
    expect(code).toMatch(HEX);
    const answer = await exchange(code);
    expect(answer.status).toBe(200);
    expect(answer.body).toEqual({
      access_token: expect.stringMatching(HEX),
      token_type: 'bearer',
      expires_in: 7200,
      refresh_token: expect.stringMatching(HEX),
      scope: 'api read_user',
      created_at: expect.any(Number),
    });
    expect(Number(answer.body['created_at'])).toBeGreaterThanOrEqual(before);
    expect(answer.headers.get('content-type')).toBe('application/json');
    expect(answer.headers.get('cache-control')).toBe('no-store');
    expect(answer.headers.get('pragma')).toBe('no-cache');
    const stored = await api.sql<{ shown: boolean }>(
      `select bool_or(t::text like '%' || $1 || '%' or t::text like '%' || $2 || '%') as shown from oauth_tokens t`,
      [answer.body['access_token'], answer.body['refresh_token']],
    );
    expect(stored).toEqual([{ shown: false }]);
    const again = await exchange(await buildCode(api, client, user.id));
    expect(again.body['access_token']).not.toBe(answer.body['access_token']);
  });

  it('refuses missing parameters, before it checks the client', async () => {
    const code = await buildCode(api, client, user.id, { codeChallenge: VERIFIER_CHALLENGE });
    const description = async (values: Record<string, string>): Promise<string | undefined> =>
      (await ask({ grant_type: 'authorization_code', ...values })).body['error_description'];
    expect(await description({})).toBe('Missing required parameter: code.');
    expect(await description({ code })).toBe('Missing required parameter: code_verifier.');
    expect(await description({ code, code_verifier: VERIFIER })).toBe(
      'Missing required parameter: redirect_uri.',
    );
    expect(outcome(await exchange(code, { code_verifier: VERIFIER }))).toEqual(INVALID_CLIENT);
  });

  it('is limited to one client, redirect URI and period', async () => {
    const other = await buildApplication(api);
    const code = await buildCode(api, client, user.id);
    expect(outcome(await exchange(code, inBody(other)))).toEqual(INVALID_GRANT);
    expect(outcome(await exchange('unknown'))).toEqual(INVALID_GRANT);
    for (const uri of [`${CALLBACK}/`, `${CALLBACK}?a=b`, 'https://evil.example.com'])
      expect(outcome(await exchange(code, { ...inBody(client), redirect_uri: uri }))).toEqual(INVALID_GRANT);
    expect((await exchange(code)).status).toBe(200);
    const late = await buildCode(api, client, user.id);
    await api.sql(`update oauth_grants set expires_at = now() where used_at is null`);
    expect(outcome(await exchange(late))).toEqual(INVALID_GRANT);
  });

  it('is refused to users who may not act', async () => {
    const code = await buildCode(api, client, user.id);
    await api.sql(`update users set state = 'blocked' where id = $1`, [user.id]);
    expect(outcome(await exchange(code))).toEqual(INVALID_GRANT);
    await api.sql(`update users set state = 'active' where id = $1`, [user.id]);
    expect((await exchange(code)).status).toBe(200);
  });

  it('works once, and a second exchange revokes the tokens of the first', async () => {
    const code = await buildCode(api, client, user.id);
    const first = await exchange(code);
    const token = String(first.body['access_token']);
    const refreshed = await ask({
      grant_type: 'refresh_token',
      refresh_token: String(first.body['refresh_token']),
      ...inBody(client),
    });
    const bearer = { Authorization: `Bearer ${String(refreshed.body['access_token'])}` };
    expect((await api.anonymous.get('/user', bearer)).status).toBe(200);
    const other = await buildApplication(api);
    expect(outcome(await exchange(code, inBody(other)))).toEqual(INVALID_GRANT);
    expect(outcome(await exchange(code, { ...inBody(client), client_secret: 'wrong' }))).toEqual(
      INVALID_CLIENT,
    );
    expect((await api.anonymous.get('/user', bearer)).status).toBe(200);
    expect(outcome(await exchange(code))).toEqual(INVALID_GRANT);
    expect((await api.anonymous.get('/user', bearer)).status).toBe(401);
    expect((await api.anonymous.get(`/user?access_token=${token}`)).status).toBe(401);
    const events = await api.sql(
      `select 1 from audit_events where details->>'custom_message' like 'Revoked the tokens of OAuth application%its code was used again'`,
    );
    expect(events).toHaveLength(1);
  });

  it('succeeds for one of several simultaneous requests, whose tokens remain valid', async () => {
    const code = await buildCode(api, client, user.id);
    const values = {
      grant_type: 'authorization_code',
      code,
      redirect_uri: CALLBACK,
      ...inBody(client),
    };
    const answers = await postTogether(api, '/oauth/token', values, 5);
    const won = answers.filter(({ status }) => status === 200);
    expect(won).toHaveLength(1);
    for (const answer of answers.filter(({ status }) => status !== 200))
      expect([answer.status, answer.body['error']]).toEqual(INVALID_GRANT);
    const bearer = { Authorization: `Bearer ${String(won[0]?.body['access_token'])}` };
    expect((await api.anonymous.get('/user', bearer)).status).toBe(200);
  });
});
