import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { TestApi } from '../../../support/api.js';
import { addUser, type AddedUser } from '../../../support/builders/instance.js';
import { buildImpersonationToken, buildToken, type BuiltToken } from '../../../support/builders/token.js';
import { borrowApi } from '../../../support/shared-api.js';

const day = (offset: number): string => new Date(Date.now() + offset * 86_400_000).toISOString().slice(0, 10);

let api: TestApi;
let owner: AddedUser;
let other: AddedUser;
beforeAll(async () => {
  api = await borrowApi();
  owner = await addUser(api, 'owner');
  other = await addUser(api, 'other');
});
afterAll(() => api.close());

const idsOf = async (path: string): Promise<number[]> =>
  (await api.root.get<BuiltToken[]>(path)).body.map(({ id }) => id);

describe('impersonation tokens', () => {
  it('are created, listed and shown by administrators', async () => {
    const user = await addUser(api, 'victim');
    const base = `/users/${user.id}/impersonation_tokens`;
    const made = await api.root.post<BuiltToken>(base, { name: 'imp', scopes: ['api'], expires_at: day(2) });
    expect(made.status).toBe(201);
    expect(made.body).toMatchObject({ impersonation: true, user_id: user.id, active: true });
    expect((await api.as(made.body.token).get('/personal_access_tokens')).body).toHaveLength(1);
    const expired = await buildImpersonationToken(api, user.id, { expires_at: '2020-01-01' });
    expect(await idsOf(base)).toEqual([made.body.id, expired.id]);
    expect(await idsOf(`${base}?state=all`)).toHaveLength(2);
    expect(await idsOf(`${base}?state=active`)).toEqual([made.body.id]);
    expect(await idsOf(`${base}?state=inactive`)).toEqual([expired.id]);
    const shown = await api.root.get(`${base}/${made.body.id}`);
    expect(shown.body).toMatchObject({ id: made.body.id, impersonation: true });
    expect(shown.body).not.toHaveProperty('token');
    expect((await api.as(user.token).get(base)).status).toBe(403);
    expect((await api.as(user.token).post(base, { name: 'x', scopes: ['api'] })).status).toBe(403);
  });

  it('are revoked conditionally, and not by the user', async () => {
    const token = await buildImpersonationToken(api, owner.id);
    const path = `/users/${owner.id}/impersonation_tokens/${token.id}`;
    const early = { 'If-Unmodified-Since': 'Wed, 01 Jan 2020 00:00:00 GMT' };
    expect((await api.as(owner.token).delete(path)).status).toBe(403);
    expect((await api.as(token.token).delete('/personal_access_tokens/self')).status).toBe(403);
    expect((await api.as(token.token).post('/personal_access_tokens/self/rotate')).status).toBe(403);
    expect((await api.as(token.token).get('/personal_access_tokens/self')).status).toBe(200);
    expect((await api.root.delete(path, early)).status).toBe(412);
    expect((await api.root.delete(path)).status).toBe(204);
    expect((await api.as(token.token).get('/version')).status).toBe(401);
  });

  it('require valid parameters and an existing user', async () => {
    const base = `/users/${owner.id}/impersonation_tokens`;
    const personal = await buildToken(api, owner.id);
    const ofOther = await buildImpersonationToken(api, other.id);
    for (const id of [personal.id, ofOther.id, 999_999]) {
      for (const method of ['GET', 'DELETE']) {
        const answer = await api.root.send(method, `${base}/${id}`);
        expect([answer.status, answer.body]).toEqual([404, { message: '404 Impersonation Token Not Found' }]);
      }
    }
    expect((await api.root.get('/users/999999/impersonation_tokens')).body).toEqual({
      message: '404 User Not Found',
    });
    expect((await api.root.post(base, {})).body).toEqual({ message: '400 (Bad request) "name" not given' });
    for (const body of [{ name: 'x' }, { name: 'x', scopes: [] }]) {
      const answer = await api.root.post(base, body);
      expect([answer.status, answer.body]).toEqual([400, { message: { scopes: ["can't be blank"] } }]);
    }
    for (const scope of ['sudo', 'admin_mode'])
      expect((await api.root.post(base, { name: 'x', scopes: [scope] })).status).toBe(400);
    expect((await api.root.get(`${base}?state=odd`)).body).toEqual({
      message: { state: ['does not have a valid value'] },
    });
  });

  it('work only while impersonation is on', async () => {
    const token = await buildImpersonationToken(api, owner.id);
    const client = api.as(token.token);
    await api.root.put('/application/settings', { impersonation_enabled: false });
    try {
      for (const path of ['/version', '/personal_access_tokens/self']) {
        const answer = await client.get(path);
        expect(answer.status).toBe(401);
        expect(answer.body).toEqual({
          error: 'invalid_token',
          error_description: 'Token is an impersonation token but impersonation was disabled.',
        });
        expect(answer.headers.get('WWW-Authenticate')).toContain('error="invalid_token"');
      }
    } finally {
      await api.root.put('/application/settings', { impersonation_enabled: true });
    }
    expect((await client.get('/version')).status).toBe(200);
  });
});
