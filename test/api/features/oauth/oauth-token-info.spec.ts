import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Transactions } from '#kernel/database/transactions.js';
import { OauthTokensService } from '#core/oauth-tokens/oauth-tokens.service.js';
import type { TestApi } from '../../../support/api.js';
import type { Answer } from '../../../support/client.js';
import { buildApplication, buildPair, type BuiltApplication } from '../../../support/builders/oauth.js';
import { addUser, type AddedUser } from '../../../support/builders/instance.js';
import { borrowApi } from '../../../support/shared-api.js';

let api: TestApi;
let user: AddedUser;
let client: BuiltApplication;
beforeAll(async () => {
  api = await borrowApi();
  user = await addUser(api, 'mona');
  client = await buildApplication(api);
});
afterAll(() => api.close());

const bearer = (token: string): Record<string, string> => ({ Authorization: `Bearer ${token}` });
const ask = (query = '', headers: Record<string, string> = {}): Promise<Answer> =>
  api.anonymous.get<unknown>(`/oauth/token/info${query}`, headers);

describe('GET /oauth/token/info', () => {
  it('returns seven attributes of the token, however it is sent', async () => {
    const { id, access } = await buildPair(api, client, user.id, ['api', 'read_user']);
    for (const answer of [
      await ask('', bearer(access)),
      await ask(`?access_token=${access}`),
      await ask(`?bearer_token=${access}`),
    ]) {
      expect(answer.status).toBe(200);
      expect(answer.body).toEqual({
        resource_owner_id: user.id,
        scope: ['api', 'read_user'],
        expires_in: expect.any(Number),
        application: { uid: client.uid },
        created_at: expect.any(Number),
        scopes: ['api', 'read_user'],
        expires_in_seconds: expect.any(Number),
      });
      const { expires_in: left, expires_in_seconds: alias } = answer.body as Record<string, number>;
      expect(left).toBe(alias);
      expect(left).toBeGreaterThan(7190);
      expect(left).toBeLessThanOrEqual(7200);
      expect(answer.headers.get('cache-control')).toBe('no-store');
      expect(answer.headers.get('content-type')).toBe('application/json');
    }
    const used = await api.sql('select 1 from oauth_tokens where id = $1 and last_used_at is not null', [id]);
    expect(used).toEqual([]);
  });

  it('has no application for a token that was not issued to a client', async () => {
    const issued = await api.app
      .get(Transactions)
      .run((tx) =>
        api.app
          .get(OauthTokensService, { strict: false })
          .issue(tx, { userId: user.id, applicationId: null, scopes: ['api'] }),
      );
    expect((await ask('', bearer(issued?.accessToken ?? ''))).body).toMatchObject({
      application: { uid: null },
    });
  });

  it('refuses every invalid token', async () => {
    const pairs = await Promise.all([1, 2, 3, 4].map(() => buildPair(api, client, user.id)));
    const [expired, revoked, replaced, alive] = pairs;
    if (!expired || !revoked || !replaced || !alive) throw new Error('No tokens');
    await api.sql('update oauth_tokens set expires_at = now() where id = $1', [expired.id]);
    await api.sql('update oauth_tokens set revoked_at = now() where id = $1', [revoked.id]);
    await api.sql('update oauth_tokens set refreshed_at = now() where id = $1', [replaced.id]);
    const cases = [
      [{}, 'The access token is invalid'],
      [bearer(''), 'The access token is invalid'],
      [bearer('unknown'), 'The access token is invalid'],
      [bearer(user.token), 'The access token is invalid'],
      [bearer(alive.refresh), 'The access token is invalid'],
      [bearer(expired.access), 'The access token expired'],
      [bearer(revoked.access), 'The access token was revoked'],
      [bearer(replaced.access), 'The access token was revoked'],
    ] as const;
    for (const [headers, description] of cases) {
      const answer = await ask('', headers);
      expect([answer.status, answer.body]).toEqual([
        401,
        { error: 'invalid_token', error_description: description },
      ]);
      expect(answer.headers.get('www-authenticate')).toBe(
        `Bearer realm="Forgeplane", error="invalid_token", error_description="${description}"`,
      );
    }
    await api.sql(`update users set state = 'blocked' where id = $1`, [user.id]);
    expect((await ask('', bearer(alive.access))).status).toBe(401);
    await api.sql(`update users set state = 'active', password_expires_at = now() where id = $1`, [user.id]);
    expect((await ask('', bearer(alive.access))).status).toBe(401);
    await api.sql('update users set password_expires_at = null where id = $1', [user.id]);
  });

  it('refuses a token that is sent in two ways or is not a string', async () => {
    const { access } = await buildPair(api, client, user.id);
    for (const [query, headers] of [
      [`?access_token=${access}`, bearer(access)],
      [`?access_token[]=${access}`, {}],
      [`?access_token=a&access_token=b`, {}],
    ] as const) {
      const answer = await ask(query, headers);
      expect([answer.status, (answer.body as { error: string }).error]).toEqual([400, 'invalid_request']);
    }
  });
});
