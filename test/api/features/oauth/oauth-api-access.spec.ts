import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { ApplicationsService } from '#core/oauth-tokens/applications/applications.service.js';
import type { TestApi } from '../../../support/api.js';
import type { Answer } from '../../../support/client.js';
import {
  buildApplication,
  buildCode,
  buildPair,
  CALLBACK,
  inBody,
  postForm,
  type BuiltApplication,
} from '../../../support/builders/oauth.js';
import { addToken, addUser, type AddedUser } from '../../../support/builders/instance.js';
import { borrowApi } from '../../../support/shared-api.js';
import { until } from '../../../support/until.js';

let api: TestApi;
let user: AddedUser;
let client: BuiltApplication;
beforeAll(async () => {
  api = await borrowApi();
  user = await addUser(api, 'mona');
  client = await buildApplication(api, { scopes: ['api', 'read_api', 'read_user', 'sudo', 'openid'] });
});
afterAll(() => api.close());

const bearer = (token: string): Record<string, string> => ({ Authorization: `Bearer ${token}` });
const get = (path: string, token: string, headers: Record<string, string> = {}): Promise<Answer> =>
  api.anonymous.get<unknown>(path, { ...bearer(token), ...headers });
const outcome = ({ status, body }: Answer): unknown => [status, body];

describe('an OAuth token on the API', () => {
  it('acts as its user, however bearer tokens are sent', async () => {
    const { access } = await buildPair(api, client, user.id);
    expect((await get('/user', access)).body).toMatchObject({ id: user.id, username: 'mona' });
    expect((await api.anonymous.get(`/user?access_token=${access}`)).status).toBe(200);
    expect((await api.anonymous.get(`/user?bearer_token=${access}`)).status).toBe(200);
    expect((await api.anonymous.get('/user', { 'PRIVATE-TOKEN': access })).status).toBe(401);
    expect((await api.anonymous.get(`/user?private_token=${access}`)).status).toBe(401);
    const twice = await get(`/user?access_token=${access}`, access);
    expect([twice.status, (twice.body as { error: string }).error]).toEqual([400, 'invalid_request']);
    expect((await get('/personal_access_tokens/self', access)).status).toBe(400);
  });

  it('is distinguished from personal tokens of the same form', async () => {
    const token = 'a'.repeat(64);
    expect(outcome(await get('/user', token))).toEqual([401, { message: '401 Unauthorized' }]);
    await addToken(api, user.id, token, ['api']);
    expect((await get('/user', token)).status).toBe(200);
    expect((await get('/user', token.toUpperCase())).status).toBe(401);
  });

  it('is refused once it has expired, or was revoked or replaced', async () => {
    const { id, access, refresh } = await buildPair(api, client, user.id);
    expect((await get('/user', refresh)).status).toBe(401);
    const REVOKED = {
      error: 'invalid_token',
      error_description: 'Token was revoked. You have to re-authorize from the user.',
    };
    for (const column of ['revoked_at', 'refreshed_at']) {
      await api.sql(`update oauth_tokens set ${column} = now() where id = $1`, [id]);
      expect(outcome(await get('/user', access))).toEqual([401, REVOKED]);
      await api.sql(`update oauth_tokens set ${column} = null where id = $1`, [id]);
    }
    await api.sql(`update oauth_tokens set expires_at = now() where id = $1`, [id]);
    const expired = await get('/user', access);
    expect(outcome(expired)).toEqual([
      401,
      {
        error: 'invalid_token',
        error_description: 'Token is expired. You can either do re-authorization or token refresh.',
      },
    ]);
    expect(expired.headers.get('www-authenticate')).toMatch(/^Bearer realm=.*error="invalid_token"/);
  });

  it('is limited by its scopes', async () => {
    const [reading, looking, knowing] = await Promise.all(
      (['read_api', 'read_user', 'openid'] as const).map((scope) => buildPair(api, client, user.id, [scope])),
    );
    if (!reading || !looking || !knowing) throw new Error('No tokens');
    expect((await get('/projects', reading.access)).status).toBe(200);
    const write = await api.anonymous.post(
      '/user/emails',
      { email: 'x@example.com' },
      bearer(reading.access),
    );
    expect([write.status, write.body['error']]).toEqual([403, 'insufficient_scope']);
    expect((await get('/user', looking.access)).status).toBe(200);
    expect((await get('/projects', looking.access)).status).toBe(403);
    expect((await get('/user', knowing.access)).status).toBe(403);
  });

  it('is refused with 403 while its user may not act', async () => {
    const somebody = await addUser(api, 'somebody');
    const { access } = await buildPair(api, client, somebody.id);
    for (const [state, text] of [
      ['blocked', 'has been blocked'],
      ['ldap_blocked', 'has been blocked'],
      ['blocked_pending_approval', 'is pending approval'],
      ['deactivated', 'has been deactivated'],
    ] as const) {
      await api.sql('update users set state = $2 where id = $1', [somebody.id, state]);
      const answer = await get('/user', access);
      expect(answer.status).toBe(403);
      expect((answer.body as { message: string }).message).toContain(text);
    }
    await api.sql(`update users set state = 'active' where id = $1`, [somebody.id]);
    expect((await get('/user', access)).status).toBe(200);
    await api.sql('delete from users where id = $1', [somebody.id]);
    expect((await get('/user', access)).status).toBe(401);
  });

  it('lets administrators act as other users by sudo', async () => {
    const chief = await addUser(api, 'chief');
    await api.sql('update users set admin = true where id = $1', [chief.id]);
    const { access } = await buildPair(api, client, chief.id, ['api', 'sudo']);
    expect((await get('/user', access, { Sudo: 'mona' })).body).toMatchObject({ id: user.id });
    const plain = await buildPair(api, client, chief.id, ['api']);
    expect(outcome(await get('/user', plain.access, { Sudo: 'mona' }))).toEqual([
      403,
      expect.objectContaining({ error: 'insufficient_scope', scope: 'sudo' }),
    ]);
    const { access: foreign } = await buildPair(api, client, user.id, ['api', 'sudo']);
    expect((await get('/user', foreign, { Sudo: 'chief' })).status).toBe(403);
  });

  it('records its use, at most every ten minutes', async () => {
    const { id, access } = await buildPair(api, client, user.id);
    const used = async (): Promise<number | undefined> =>
      (
        await api.sql<{ used: number }>(
          'select extract(epoch from last_used_at)::float as used from oauth_tokens where id = $1 and last_used_at is not null',
          [id],
        )
      )[0]?.used;
    await get('/user', access);
    await until(async () => (await used()) !== undefined);
    const first = await used();
    await get('/user', access);
    await new Promise((resolve) => setTimeout(resolve, 200));
    expect(await used()).toBe(first);
    await api.sql(`update oauth_tokens set last_used_at = now() - interval '11 minutes' where id = $1`, [id]);
    const old = await used();
    await get('/user', access);
    await until(async () => (await used()) !== old);
  });

  it('becomes invalid with its application, as do codes', async () => {
    const doomed = await buildApplication(api);
    const { access } = await buildPair(api, doomed, user.id);
    const code = await buildCode(api, doomed, user.id);
    const applications = api.app.get(ApplicationsService, { strict: false });
    await applications.remove(doomed.id, () => undefined, null);
    expect(outcome(await get('/user', access))).toEqual([401, { message: '401 Unauthorized' }]);
    const left = await api.sql('select 1 from oauth_grants where application_id = $1', [doomed.id]);
    expect(left).toEqual([]);
    const form = { grant_type: 'authorization_code', code, redirect_uri: CALLBACK };
    expect((await postForm(api, '/oauth/token', { ...form, ...inBody(doomed) })).status).toBe(401);
  });

  it('becomes invalid when its application loses its scopes', async () => {
    const shrinking = await buildApplication(api, { scopes: ['api', 'read_user'] });
    const wide = await buildPair(api, shrinking, user.id, ['api']);
    const narrow = await buildPair(api, shrinking, user.id, ['read_user']);
    const applications = api.app.get(ApplicationsService, { strict: false });
    await applications.update(shrinking.id, () => undefined, { scopes: ['read_user'] }, null);
    expect((await get('/user', wide.access)).status).toBe(401);
    expect((await get('/user', narrow.access)).status).toBe(200);
  });
});
