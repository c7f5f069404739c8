import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { TestApi } from '../../../../support/api.js';
import type { Answer } from '../../../../support/client.js';
import {
  basic,
  buildApplication,
  buildPair,
  inBody,
  postForm,
  type BuiltApplication,
  type BuiltPair,
} from '../../../../support/builders/oauth.js';
import { addUser, type AddedUser } from '../../../../support/builders/instance.js';
import { borrowApi } from '../../../../support/shared-api.js';

type Body = Record<string, string>;

const REFUSED = {
  error: 'unauthorized_client',
  error_description: 'You are not authorized to revoke this token',
};

let api: TestApi;
let user: AddedUser;
let client: BuiltApplication;
let other: BuiltApplication;
let open: BuiltApplication;
beforeAll(async () => {
  api = await borrowApi();
  user = await addUser(api, 'mona');
  client = await buildApplication(api);
  other = await buildApplication(api);
  open = await buildApplication(api, { confidential: false });
});
afterAll(() => api.close());

const revoke = (values: Body, headers: Body = {}): Promise<Answer> =>
  postForm<unknown>(api, '/oauth/revoke', values, headers);
const answerOf = async (access: string): Promise<Answer> =>
  api.anonymous.get<unknown>('/user', { Authorization: `Bearer ${access}` });
const isAlive = async ({ access }: BuiltPair): Promise<boolean> => (await answerOf(access)).status === 200;
const done = (answer: Answer): void => {
  expect([answer.status, answer.text]).toEqual([200, '{}']);
  expect(answer.headers.get('content-type')).toBe('application/json');
};
const refused = (answer: Answer): void => expect([answer.status, answer.body]).toEqual([403, REFUSED]);

describe('POST /oauth/revoke', () => {
  it('revokes both tokens of a pair, whichever is sent', async () => {
    for (const half of ['access', 'refresh'] as const) {
      for (const hint of ['', 'access_token', 'refresh_token', 'nonsense']) {
        const pair = await buildPair(api, client, user.id);
        const form = { token: pair[half], token_type_hint: hint };
        done(await revoke(form, basic(client.uid, client.secret)));
        const isFound = half === 'refresh' || hint !== 'refresh_token';
        expect(await isAlive(pair)).toBe(!isFound);
        if (!isFound) continue;
        const answer = await answerOf(pair.access);
        expect([answer.status, answer.body]).toEqual([
          401,
          {
            error: 'invalid_token',
            error_description: 'Token was revoked. You have to re-authorize from the user.',
          },
        ]);
        expect(answer.headers.get('www-authenticate')).toMatch(/^Bearer realm=.*error="invalid_token"/);
        const refreshed = await postForm(api, '/oauth/token', {
          grant_type: 'refresh_token',
          refresh_token: pair.refresh,
          ...inBody(client),
        });
        expect([refreshed.status, refreshed.body['error']]).toEqual([400, 'invalid_grant']);
        done(await revoke(form, basic(client.uid, client.secret)));
      }
    }
  });

  it('is recorded', async () => {
    const { id, access } = await buildPair(api, client, user.id);
    await revoke({ token: access, ...inBody(client) });
    await revoke({ token: access, ...inBody(client) });
    const events = await api.sql<{ message: string }>(
      `select details->>'custom_message' as message from audit_events where details->>'target_type' = 'OauthToken'
       and details->>'target_id' = $1 and entity_type = 'User' and entity_id = $2`,
      [String(id), user.id],
    );
    expect(events).toEqual([{ message: `Revoked OAuth token with id ${id}` }]);
  });

  it('gives the same response for unknown tokens', async () => {
    done(await revoke({ token: 'f'.repeat(64), ...inBody(client) }));
    done(await revoke({ token: 'unknown' }));
    const missing = await revoke({ token: '', ...inBody(client) });
    expect([missing.status, missing.body]).toEqual([
      400,
      { error: 'invalid_request', error_description: 'Missing required parameter: token.' },
    ]);
  });

  it('accepts tokens of a confidential client only from that client', async () => {
    const pair = await buildPair(api, client, user.id);
    const { access: token } = pair;
    refused(await revoke({ token }));
    refused(await revoke({ token, client_id: client.uid }));
    refused(await revoke({ token, ...inBody(client), client_secret: 'wrong' }));
    refused(await revoke({ token, ...inBody(other) }));
    refused(await revoke({ token, client_id: open.uid }));
    refused(await revoke({ token: pair.refresh }, basic(other.uid, other.secret)));
    const twice = await revoke({ token, ...inBody(client) }, basic(client.uid, client.secret));
    expect(twice.status).toBe(400);
    expect((await revoke({ token: token, 'token[]': 'x' })).status).not.toBe(200);
    expect(await isAlive(pair)).toBe(true);
  });

  it('accepts the token itself as proof if there is no secret and the instance allows it', async () => {
    const settings = { password_grant_without_client: false };
    const [first, second, third] = await Promise.all([1, 2, 3].map(() => buildPair(api, open, user.id)));
    if (!first || !second || !third) throw new Error('No tokens');
    refused(await revoke({ token: first.access, ...inBody(other) }));
    done(await revoke({ token: first.access }));
    expect(await isAlive(first)).toBe(false);
    await api.root.put('/application/settings', settings);
    refused(await revoke({ token: second.access }));
    done(await revoke({ token: third.refresh, client_id: open.uid }));
    await api.root.put('/application/settings', { password_grant_without_client: true });
    expect([await isAlive(second), await isAlive(third)]).toEqual([true, false]);
  });

  it('does not affect the successor of a replaced pair', async () => {
    const pair = await buildPair(api, client, user.id);
    const next = await postForm<Body>(api, '/oauth/token', {
      grant_type: 'refresh_token',
      refresh_token: pair.refresh,
      ...inBody(client),
    });
    done(await revoke({ token: pair.access, ...inBody(client) }));
    expect((await answerOf(String(next.body['access_token']))).status).toBe(200);
  });

  it('leaves no valid token, or only that of a simultaneous refresh', async () => {
    for (let round = 0; round < 5; round += 1) {
      const pair = await buildPair(api, client, user.id);
      const [answer] = await Promise.all([
        postForm<Body>(api, '/oauth/token', {
          grant_type: 'refresh_token',
          refresh_token: pair.refresh,
          ...inBody(client),
        }),
        revoke({ token: pair.refresh, ...inBody(client) }),
      ]);
      expect(await isAlive(pair)).toBe(false);
      expect([200, 400]).toContain(answer.status);
    }
  });

  it('supports only POST', async () => {
    const answer = await api.anonymous.get('/oauth/revoke');
    expect([answer.status, answer.headers.get('allow')]).toEqual([405, 'POST']);
  });
});
