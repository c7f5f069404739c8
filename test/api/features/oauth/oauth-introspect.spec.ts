import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Transactions } from '#kernel/database/transactions.js';
import { OauthTokensService } from '#core/oauth-tokens/oauth-tokens.service.js';
import type { TestApi } from '../../../support/api.js';
import type { Answer } from '../../../support/client.js';
import {
  basic,
  buildApplication,
  buildPair,
  inBody,
  postForm,
  type BuiltApplication,
} from '../../../support/builders/oauth.js';
import { addUser, type AddedUser } from '../../../support/builders/instance.js';
import { borrowApi } from '../../../support/shared-api.js';

type Body = Record<string, string>;

const INACTIVE = [200, { active: false }];

let api: TestApi;
let user: AddedUser;
let client: BuiltApplication;
let other: BuiltApplication;
beforeAll(async () => {
  api = await borrowApi();
  user = await addUser(api, 'mona');
  client = await buildApplication(api);
  other = await buildApplication(api);
});
afterAll(() => api.close());

const ask = (values: Body, headers: Body = {}): Promise<Answer> =>
  postForm<unknown>(api, '/oauth/introspect', values, headers);
const outcome = ({ status, body }: Answer): unknown => [status, body];
const bearer = (token: string): Body => ({ Authorization: `Bearer ${token}` });
const issue = async (userId: number): Promise<string> => {
  const tokens = api.app.get(OauthTokensService, { strict: false });
  const issued = await api.app
    .get(Transactions)
    .run((tx) => tokens.issue(tx, { userId, applicationId: null, scopes: ['api'] }));
  return issued?.accessToken ?? '';
};

describe('POST /oauth/introspect', () => {
  it('answers each of many simultaneous requests about its own token, for its own client', async () => {
    const pairs = await Promise.all(
      [0, 1, 2, 3].map((index) => buildPair(api, index % 2 ? other : client, user.id)),
    );
    const answers = await Promise.all(
      Array.from({ length: 60 }, async (_, index) => {
        const [own, asker] = [index % 4, index % 3 ? client : other];
        const secret = index % 5 ? asker.secret : 'wrong';
        const { status, body } = await ask({ token: pairs[own]?.access ?? '' }, basic(asker.uid, secret));
        const isOwn = asker === (own % 2 ? other : client);
        const { active, client_id: name } = body as { active?: boolean; client_id?: string };
        const seen = [status, active, name];
        const expected =
          index % 5 === 0 ? [401, undefined, undefined] : [200, isOwn, isOwn ? asker.uid : undefined];
        return { index, seen, expected };
      }),
    );
    for (const { index, seen, expected } of answers) expect([index, ...seen]).toEqual([index, ...expected]);
  });

  it("describes a client's own tokens", async () => {
    const { access, refresh } = await buildPair(api, client, user.id, ['api', 'read_user']);
    for (const answer of [
      await ask({ token: access }, basic(client.uid, client.secret)),
      await ask({ token: access, token_type_hint: 'refresh_token', ...inBody(client) }),
    ]) {
      expect(outcome(answer)).toEqual([
        200,
        {
          active: true,
          scope: 'api read_user',
          client_id: client.uid,
          token_type: 'Bearer',
          exp: expect.any(Number),
          iat: expect.any(Number),
        },
      ]);
      const { exp, iat } = answer.body as { exp: number; iat: number };
      expect(exp - iat).toBe(7200);
      expect(answer.headers.get('cache-control')).toBe('no-store');
      expect(answer.headers.get('content-type')).toBe('application/json');
    }
    const { body } = await ask({ token: refresh, ...inBody(client) });
    expect(body).toEqual({
      active: true,
      scope: 'api read_user',
      client_id: client.uid,
      token_type: 'Bearer',
      iat: expect.any(Number),
    });
  });

  it('reveals only that a token is not active', async () => {
    const expired = await buildPair(api, client, user.id);
    await api.sql('update oauth_tokens set expires_at = now() where id = $1', [expired.id]);
    const revoked = await buildPair(api, client, user.id);
    await api.sql('update oauth_tokens set revoked_at = now() where id = $1', [revoked.id]);
    const replaced = await buildPair(api, client, user.id);
    await api.sql('update oauth_tokens set refreshed_at = now() where id = $1', [replaced.id]);
    const foreign = await buildPair(api, other, user.id);
    const blocked = await addUser(api, 'blocked');
    const idle = await buildPair(api, client, blocked.id);
    await api.sql(`update users set state = 'blocked' where id = $1`, [blocked.id]);
    const outdated = await addUser(api, 'outdated');
    const waiting = await buildPair(api, client, outdated.id);
    await api.sql('update users set password_expires_at = now() where id = $1', [outdated.id]);
    const tokens = [
      waiting.access,
      waiting.refresh,
      expired.access,
      revoked.access,
      revoked.refresh,
      replaced.access,
      replaced.refresh,
      foreign.access,
      foreign.refresh,
      idle.access,
      idle.refresh,
      await issue(user.id),
      user.token,
      'f'.repeat(64),
      'unknown',
    ];
    for (const token of tokens) expect(outcome(await ask({ token, ...inBody(client) }))).toEqual(INACTIVE);
    expect((await ask({ token: expired.refresh, ...inBody(client) })).body).toMatchObject({ active: true });
  });

  it('accepts another token of the application instead of client credentials', async () => {
    const [caller, token] = [await buildPair(api, client, user.id), await buildPair(api, client, user.id)];
    const foreign = await buildPair(api, other, user.id);
    expect((await ask({ token: token.access }, bearer(caller.access))).body).toMatchObject({
      active: true,
      client_id: client.uid,
    });
    expect(outcome(await ask({ token: foreign.access }, bearer(caller.access)))).toEqual(INACTIVE);
    expect(outcome(await ask({ token: await issue(user.id) }, bearer(caller.access)))).toEqual(INACTIVE);
    const [own, second] = [await issue(user.id), await issue(user.id)];
    const somebody = await addUser(api, 'somebody');
    expect((await ask({ token: second }, bearer(own))).body).toMatchObject({ active: true, client_id: null });
    expect(outcome(await ask({ token: await issue(somebody.id) }, bearer(own)))).toEqual(INACTIVE);
  });

  it('refuses callers without valid credentials', async () => {
    const pair = await buildPair(api, client, user.id);
    const { access: token } = pair;
    const open = await buildApplication(api, { confidential: false });
    const nobody = await ask({ token });
    expect(outcome(nobody)).toEqual([
      400,
      {
        error: 'invalid_request',
        error_description:
          'Request need to be authorized. Required parameter for authorizing request is missing or invalid.',
      },
    ]);
    for (const values of [
      { ...inBody(client), client_secret: 'wrong' },
      { client_id: client.uid },
      { client_id: open.uid },
      { client_id: 'nobody', client_secret: client.secret },
    ]) {
      const answer = await ask({ token, ...values });
      expect([answer.status, (answer.body as Body)['error']]).toEqual([401, 'invalid_client']);
    }
    const basically = await ask({ token }, basic(client.uid, 'wrong'));
    expect([basically.status, basically.headers.get('www-authenticate')?.slice(0, 6)]).toEqual([
      401,
      'Basic ',
    ]);
    const dead = await buildPair(api, client, user.id);
    await api.sql('update oauth_tokens set revoked_at = now() where id = $1', [dead.id]);
    for (const secret of [token, dead.access, pair.refresh, user.token, 'unknown', 'two words']) {
      const answer = await ask({ token }, bearer(secret));
      expect(outcome(answer)).toEqual([
        401,
        {
          error: 'invalid_token',
          error_description: 'The access token is invalid',
          state: 'unauthorized',
        },
      ]);
      expect(answer.headers.get('www-authenticate')).toMatch(/^Bearer .*error="invalid_token"/);
    }
    const itself = await ask({ token: pair.refresh }, bearer(token));
    expect(itself.status).toBe(401);
    expect((await ask({ token, ...inBody(client) }, bearer(token))).status).toBe(400);
    expect((await ask({ token: '', ...inBody(client) })).status).toBe(400);
  });
});
