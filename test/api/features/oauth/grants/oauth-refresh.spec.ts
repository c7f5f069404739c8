import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { AuthorizedApplicationsService } from '#core/oauth-tokens/applications/authorized-applications.service.js';
import type { TestApi } from '../../../../support/api.js';
import type { Answer } from '../../../../support/client.js';
import {
  basic,
  buildApplication,
  buildPair,
  CALLBACK,
  inBody,
  postForm,
  type BuiltApplication,
} from '../../../../support/builders/oauth.js';
import { addUser, type AddedUser } from '../../../../support/builders/instance.js';
import { borrowApi } from '../../../../support/shared-api.js';
import {
  askToken,
  INVALID_CLIENT,
  INVALID_GRANT,
  outcome,
  type TokenBody,
} from '../../../../support/token-endpoint.js';
import { postTogether } from '../../../../support/post-together.js';

let api: TestApi;
let user: AddedUser;
let client: BuiltApplication;
beforeAll(async () => {
  api = await borrowApi();
  user = await addUser(api, 'mona');
  client = await buildApplication(api);
});
afterAll(() => api.close());

const refresh = (
  token: string,
  values: TokenBody = inBody(client),
  headers?: TokenBody,
): Promise<Answer<TokenBody>> =>
  askToken(api, { grant_type: 'refresh_token', refresh_token: token, ...values }, headers);
const statusOf = async (access: string | undefined): Promise<number> =>
  (await api.anonymous.get('/user', { Authorization: `Bearer ${access ?? ''}` })).status;

describe('a refresh', () => {
  it('replaces both tokens, and keeps the user, the scopes and the lifetime', async () => {
    const pair = await buildPair(api, client, user.id, ['api', 'read_user']);
    await api.sql('update oauth_tokens set expires_in = 600 where id = $1', [pair.id]);
    const answer = await refresh(pair.refresh);
    expect(answer.status).toBe(200);
    expect(answer.body).toEqual({
      access_token: expect.stringMatching(/^[0-9a-f]{64}$/),
      token_type: 'bearer',
      expires_in: 600,
      refresh_token: expect.stringMatching(/^[0-9a-f]{64}$/),
      scope: 'api read_user',
      created_at: expect.any(Number),
    });
    expect(answer.headers.get('cache-control')).toBe('no-store');
    expect(answer.body['access_token']).not.toBe(pair.access);
    expect(answer.body['refresh_token']).not.toBe(pair.refresh);
    expect([await statusOf(pair.access), await statusOf(answer.body['access_token'])]).toEqual([401, 200]);
    const old = await api.anonymous.get('/user', { Authorization: `Bearer ${pair.access}` });
    expect(old.body).toEqual({
      error: 'invalid_token',
      error_description: 'Token was revoked. You have to re-authorize from the user.',
    });
  });

  it('works after the access token has expired', async () => {
    const pair = await buildPair(api, client, user.id);
    await api.sql(`update oauth_tokens set expires_at = now() - interval '90 days' where id = $1`, [pair.id]);
    expect((await refresh(pair.refresh, {}, basic(client.uid, client.secret))).status).toBe(200);
  });

  it('refuses missing and unknown tokens, and those of other clients', async () => {
    const other = await buildApplication(api);
    const { refresh: token, access } = await buildPair(api, client, user.id);
    expect((await refresh('')).body).toEqual({
      error: 'invalid_request',
      error_description: 'Missing required parameter: refresh_token.',
    });
    expect(outcome(await refresh('f'.repeat(64)))).toEqual(INVALID_GRANT);
    expect(outcome(await refresh(access))).toEqual(INVALID_GRANT);
    expect(outcome(await refresh(token, {}))).toEqual(INVALID_GRANT);
    expect(outcome(await refresh(token, inBody(other)))).toEqual(INVALID_GRANT);
    expect(outcome(await refresh(token, { client_id: client.uid }))).toEqual(INVALID_CLIENT);
    expect(outcome(await refresh(token, { ...inBody(client), client_secret: 'x' }))).toEqual(INVALID_CLIENT);
    expect(outcome(await refresh(token, { ...inBody(client), client_id: 'x' }))).toEqual(INVALID_CLIENT);
    expect(await statusOf(access)).toBe(200);
    expect((await refresh(token)).status).toBe(200);
  });

  it('needs no secret of a public client', async () => {
    const open = await buildApplication(api, { confidential: false });
    const { refresh: token } = await buildPair(api, open, user.id);
    expect(outcome(await refresh(token, {}))).toEqual(INVALID_GRANT);
    expect((await refresh(token, { client_id: open.uid })).status).toBe(200);
  });

  it('accepts the redirect URI and a verifier, but not another URI', async () => {
    const { refresh: token } = await buildPair(api, client, user.id);
    const uri = (redirect_uri: string): Promise<Answer<TokenBody>> =>
      refresh(token, { ...inBody(client), redirect_uri, code_verifier: 'anything' });
    expect(outcome(await uri('https://evil.example.com'))).toEqual(INVALID_GRANT);
    const { status, body } = await uri(CALLBACK);
    expect(status).toBe(200);
    await api.sql('delete from oauth_grants');
    const forgotten = (redirect_uri: string): Promise<Answer<TokenBody>> =>
      refresh(String(body['refresh_token']), { ...inBody(client), redirect_uri });
    expect(outcome(await forgotten('https://evil.example.com'))).toEqual(INVALID_GRANT);
    expect((await forgotten(CALLBACK)).status).toBe(200);
  });

  it('narrows scopes for one access token, and never widens them', async () => {
    const { refresh: token } = await buildPair(api, client, user.id, ['read_user', 'api']);
    for (const scope of ['sudo', 'api sudo', 'read_api', 'invented', 'api\nread_user'])
      expect(outcome(await refresh(token, { ...inBody(client), scope }))).toEqual([400, 'invalid_scope']);
    const narrow = await refresh(token, { ...inBody(client), scope: 'read_user' });
    expect(narrow.body['scope']).toBe('read_user');
    const bearer = { Authorization: `Bearer ${narrow.body['access_token']}` };
    expect((await api.anonymous.get('/projects', bearer)).status).toBe(403);
    const whole = await refresh(String(narrow.body['refresh_token']));
    expect(whole.body['scope']).toBe('read_user api');
  });

  it('is refused to users who may not act, and works again afterwards', async () => {
    const { refresh: token } = await buildPair(api, client, user.id);
    for (const state of ['blocked', 'deactivated', 'blocked_pending_approval']) {
      await api.sql('update users set state = $2 where id = $1', [user.id, state]);
      expect(outcome(await refresh(token))).toEqual(INVALID_GRANT);
    }
    await api.sql(`update users set state = 'active', password_expires_at = now() where id = $1`, [user.id]);
    expect(outcome(await refresh(token))).toEqual(INVALID_GRANT);
    await api.sql('update users set password_expires_at = null where id = $1', [user.id]);
    expect((await refresh(token)).status).toBe(200);
  });

  it('is refused after the user revoked the permission', async () => {
    const { refresh: token } = await buildPair(api, client, user.id);
    const authorized = api.app.get(AuthorizedApplicationsService, { strict: false });
    const { id } = client;
    expect(await authorized.hasConsent(user.id, id, ['api'])).toBe(true);
    const take = (): Promise<boolean> =>
      authorized.revoke(user.id, { id, name: 'Client' }, { id: user.id, name: 'mona' });
    expect([await take(), await take()]).toEqual([true, false]);
    expect(outcome(await refresh(token))).toEqual(INVALID_GRANT);
    expect(await authorized.hasConsent(user.id, id, ['api'])).toBe(false);
  });
});

describe('a refresh token used again', () => {
  it('is refused, and revokes everything that was issued from it', async () => {
    const pair = await buildPair(api, client, user.id);
    const bystander = await buildPair(api, client, user.id);
    const second = await refresh(pair.refresh);
    const third = await refresh(String(second.body['refresh_token']));
    expect(await statusOf(third.body['access_token'])).toBe(200);
    const other = await buildApplication(api);
    await refresh(pair.refresh, inBody(other));
    await refresh(pair.refresh, {});
    expect(await statusOf(third.body['access_token'])).toBe(200);
    expect(outcome(await refresh(pair.refresh))).toEqual(INVALID_GRANT);
    expect(await statusOf(third.body['access_token'])).toBe(401);
    expect(outcome(await refresh(String(third.body['refresh_token'])))).toEqual(INVALID_GRANT);
    expect(await statusOf(bystander.access)).toBe(200);
    const events = await api.sql(
      `select 1 from audit_events where details->>'custom_message' like 'Revoked the tokens of OAuth application%a refresh token was used again'`,
    );
    expect(events).toHaveLength(1);
  });

  it('also revokes them if it was revoked after its exchange', async () => {
    const pair = await buildPair(api, client, user.id);
    const second = await refresh(pair.refresh);
    await postForm(api, '/oauth/revoke', { token: pair.refresh, ...inBody(client) });
    expect(await statusOf(second.body['access_token'])).toBe(200);
    expect(outcome(await refresh(pair.refresh))).toEqual(INVALID_GRANT);
    expect(await statusOf(second.body['access_token'])).toBe(401);
  });

  it('succeeds once with simultaneous requests, and the winner keeps its tokens', async () => {
    for (let round = 0; round < 5; round += 1) {
      const pair = await buildPair(api, client, user.id);
      const values = { grant_type: 'refresh_token', refresh_token: pair.refresh, ...inBody(client) };
      const answers = await postTogether(api, '/oauth/token', values, 5);
      const [won, ...more] = answers.filter(({ status }) => status === 200);
      expect(more).toEqual([]);
      for (const answer of answers.filter((one) => one !== won))
        expect([answer.status, answer.body['error']]).toEqual(INVALID_GRANT);
      expect(await statusOf(won?.body['access_token'])).toBe(200);
    }
  });

  it('is accepted within the grace period of its application', async () => {
    const patient = await buildApplication(api, { refreshGracePeriodSeconds: 60 });
    const pair = await buildPair(api, patient, user.id);
    const answers = await Promise.all([1, 2, 3].map(() => refresh(pair.refresh, inBody(patient))));
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
    const tokens = answers.map(({ body }) => String(body['access_token']));
    expect(new Set(tokens).size).toBe(3);
    expect(await Promise.all(tokens.map(statusOf))).toEqual([200, 200, 200]);
    expect(await statusOf(pair.access)).toBe(401);
    await api.sql(
      `update oauth_tokens set refreshed_at = refreshed_at - interval '61 seconds', settled_at = settled_at - interval '61 seconds' where id = $1`,
      [pair.id],
    );
    expect(outcome(await refresh(pair.refresh, inBody(patient)))).toEqual(INVALID_GRANT);
    expect(await Promise.all(tokens.map(statusOf))).toEqual([401, 401, 401]);
  });

  it('has no grace period once the tokens are revoked', async () => {
    const patient = await buildApplication(api, { refreshGracePeriodSeconds: 60 });
    const pair = await buildPair(api, patient, user.id);
    const next = await refresh(pair.refresh, inBody(patient));
    await postForm(api, '/oauth/revoke', { token: String(next.body['refresh_token']), ...inBody(patient) });
    expect(outcome(await refresh(pair.refresh, inBody(patient)))).toEqual(INVALID_GRANT);
  });

  it('leaves no valid token if the permission is revoked at the same time', async () => {
    const authorized = api.app.get(AuthorizedApplicationsService, { strict: false });
    for (let round = 0; round < 5; round += 1) {
      const pair = await buildPair(api, client, user.id);
      const [answer] = await Promise.all([
        refresh(pair.refresh),
        authorized.revoke(user.id, { id: client.id, name: 'Client' }, null),
      ]);
      if (answer.status === 200) {
        // Either the refresh came first and its pair was revoked too, or it came too late.
        expect(await statusOf(answer.body['access_token'])).toBe(401);
      } else expect(outcome(answer)).toEqual(INVALID_GRANT);
    }
  });
});
