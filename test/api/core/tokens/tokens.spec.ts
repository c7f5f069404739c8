import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { TestApi } from '../../../support/api.js';
import { addUser, type AddedUser } from '../../../support/builders/instance.js';
import { buildImpersonationToken, buildToken, type BuiltToken } from '../../../support/builders/token.js';
import { borrowApi } from '../../../support/shared-api.js';

const day = (offset: number): string => new Date(Date.now() + offset * 86_400_000).toISOString().slice(0, 10);
const PAST = '2020-01-01';

let api: TestApi;
let owner: AddedUser;
let other: AddedUser;
beforeAll(async () => {
  api = await borrowApi();
  owner = await addUser(api, 'owner');
  other = await addUser(api, 'other');
});
afterAll(() => api.close());

const idsOf = async (path: string, token?: string): Promise<number[]> => {
  const client = token === undefined ? api.root : api.as(token);
  return (await client.get<BuiltToken[]>(path)).body.map(({ id }) => id);
};

describe('POST /users/:user_id/personal_access_tokens', () => {
  const path = (id: number): string => `/users/${id}/personal_access_tokens`;

  it('creates a token whose secret is shown once and stored as a digest', async () => {
    const answer = await api.root.post<BuiltToken>(path(owner.id), {
      name: 'ci',
      scopes: ['api', 'read_user'],
      expires_at: day(3),
    });
    expect(answer.status).toBe(201);
    expect(answer.body).toEqual({
      id: expect.any(Number),
      name: 'ci',
      revoked: false,
      created_at: expect.any(String),
      scopes: ['api', 'read_user'],
      user_id: owner.id,
      last_used_at: null,
      active: true,
      expires_at: day(3),
      token: expect.stringMatching(/^glpat-[\w-]{20}$/),
    });
    const rows = await api.sql<{ found: boolean }>(
      `select bool_or(t::text like '%' || $1 || '%') as found from personal_access_tokens t`,
      [answer.body.token],
    );
    expect(rows[0]?.found).toBe(false);
    const shown = await api.as(answer.body.token).get(`/personal_access_tokens/${answer.body.id}`);
    expect(shown.body).not.toHaveProperty('token');
    expect(shown.body['user_id']).toBe(owner.id);
  });

  it('accepts scopes as one text, and any date', async () => {
    const made = await buildToken(api, owner.id, { scopes: 'read_api,read_user', expires_at: PAST });
    expect(made).toMatchObject({ scopes: ['read_api', 'read_user'], active: false, expires_at: PAST });
    expect(await buildToken(api, owner.id)).toMatchObject({ expires_at: null, active: true });
  });

  it('reports missing or invalid attributes', async () => {
    const given = (body: object) => api.root.post(path(owner.id), body);
    expect((await given({ scopes: ['api'] })).body).toEqual({
      message: '400 (Bad request) "name" not given',
    });
    expect((await given({ name: 'x' })).body).toEqual({ message: '400 (Bad request) "scopes" not given' });
    const wrong = await given({ name: ' ', scopes: ['nope'], expires_at: 'soon' });
    expect(wrong.status).toBe(400);
    expect(wrong.body).toEqual({
      message: {
        name: ['is empty'],
        scopes: ['does not have a valid value'],
        expires_at: ['is invalid'],
      },
    });
    expect((await given({ name: 'x', scopes: [] })).body).toEqual({ message: { scopes: ['is empty'] } });
  });

  it('allows the scope sudo only for administrators', async () => {
    const refused = await api.root.post(path(owner.id), { name: 'x', scopes: ['api', 'sudo'] });
    expect(refused.status).toBe(400);
    expect(refused.body['message']).toHaveProperty('scopes');
    expect((await buildToken(api, 1, { scopes: ['sudo'] })).scopes).toEqual(['sudo']);
  });

  it('requires an administrator and an existing user', async () => {
    const values = { name: 'x', scopes: ['api'] };
    expect((await api.as(owner.token).post(path(owner.id), values)).status).toBe(403);
    const unknown = await api.root.post(path(999_999), values);
    expect([unknown.status, unknown.body]).toEqual([404, { message: '404 User Not Found' }]);
  });

  it('uses the configured prefix and respects the configured lifetime', async () => {
    const settings = (values: object) => api.root.put('/application/settings', values);
    await settings({ personal_access_token_prefix: 'fp-', max_personal_access_token_lifetime: 5 });
    try {
      expect(await buildToken(api, owner.id)).toMatchObject({
        token: expect.stringMatching(/^fp-[\w-]{20}$/),
        expires_at: day(5),
      });
      const late = { name: 'x', scopes: ['api'], expires_at: day(6) };
      expect((await api.root.post(path(owner.id), late)).body).toEqual({
        message: { expires_at: [`can't be later than ${day(5)}`] },
      });
      const short = await buildToken(api, owner.id, { expires_at: day(2) });
      const rotated = await api.root.post<BuiltToken>(`/personal_access_tokens/${short.id}/rotate`);
      expect(rotated.body.expires_at).toBe(day(5));
    } finally {
      await settings({
        personal_access_token_prefix: 'glpat-',
        max_personal_access_token_lifetime: null,
      });
    }
  });
});

describe('GET /personal_access_tokens', () => {
  let lister: AddedUser;
  let tokens: Record<'first' | 'old' | 'revoked' | 'expired', BuiltToken>;
  let hidden: BuiltToken;
  let mine: number;
  beforeAll(async () => {
    lister = await addUser(api, 'lister');
    tokens = {
      first: await buildToken(api, lister.id, { name: 'Deploy 100%' }),
      old: await buildToken(api, lister.id, { name: 'old', expires_at: day(10) }),
      revoked: await buildToken(api, lister.id, { name: 'revoked' }),
      expired: await buildToken(api, lister.id, { name: 'expired', expires_at: PAST }),
    };
    hidden = await buildImpersonationToken(api, lister.id);
    await api.sql(
      `update personal_access_tokens set created_at = '2021-05-05T10:00:00Z', last_used_at = '2021-06-06T10:00:00Z' where id = $1`,
      [tokens.old.id],
    );
    await api.root.delete(`/personal_access_tokens/${tokens.revoked.id}`);
    mine = (await idsOf('/personal_access_tokens', lister.token))[0] ?? 0;
  });
  const list = (query: string): Promise<number[]> => idsOf(`/personal_access_tokens?${query}`, lister.token);

  it('shows users their own, without impersonation tokens', async () => {
    const { first, old, revoked, expired } = tokens;
    expect(await list('')).toEqual([mine, first.id, old.id, revoked.id, expired.id]);
    expect(await list(`user_id=${lister.id}`)).toHaveLength(5);
    expect(await list('')).not.toContain(hidden.id);
  });

  it('refuses tokens of others, and for administrators unknown users', async () => {
    expect((await api.as(lister.token).get(`/personal_access_tokens?user_id=${other.id}`)).status).toBe(403);
    expect((await api.as(lister.token).get('/personal_access_tokens?user_id=999999')).status).toBe(403);
    for (const query of ['user_id=999999', 'user_id=']) {
      const answer = await api.root.get(`/personal_access_tokens?${query}`);
      expect([answer.status, answer.body]).toEqual([404, { message: '404 User Not Found' }]);
    }
    expect((await api.anonymous.get('/personal_access_tokens')).status).toBe(401);
  });

  it('shows administrators all tokens, or those of one user', async () => {
    expect(await idsOf(`/personal_access_tokens?user_id=${lister.id}`)).toHaveLength(5);
    const all = await idsOf('/personal_access_tokens?per_page=100');
    expect(all).toEqual(expect.arrayContaining([mine, 1]));
    expect(all).not.toContain(hidden.id);
  });

  it('filters', async () => {
    const { first, old, revoked, expired } = tokens;
    expect(await list('state=active')).toEqual([mine, first.id, old.id]);
    expect(await list('state=inactive')).toEqual([revoked.id, expired.id]);
    expect(await list('revoked=true')).toEqual([revoked.id]);
    expect(await list('revoked=false&state=inactive')).toEqual([expired.id]);
    expect(await list('search=100%25')).toEqual([first.id]);
    expect(await list('search=DEPLOY')).toEqual([first.id]);
    expect(await list('created_before=2021-05-05T10:00:00Z')).toEqual([old.id]);
    expect(await list('created_before=2021-05-05T09:59:59Z')).toEqual([]);
    expect(await list('created_after=2021-05-05T10:00:01Z')).not.toContain(old.id);
    expect(await list('last_used_before=2021-06-06T10:00:00Z')).toEqual([old.id]);
    expect(await list('last_used_after=2021-06-06T10:00:01Z')).toEqual([mine]);
    expect(await list(`expires_after=${day(10)}`)).toEqual([old.id]);
    expect(await list(`expires_before=${PAST}`)).toEqual([expired.id]);
  });

  it('sorts, and paginates by keyset', async () => {
    const { first, old, revoked, expired } = tokens;
    expect(await list('sort=created_asc')).toEqual([old.id, mine, first.id, revoked.id, expired.id]);
    expect((await list('sort=name_desc'))[0]).not.toBe(first.id);
    expect((await list('sort=expires_asc')).slice(0, 2)).toEqual([expired.id, old.id]);
    expect((await list('sort=last_used_asc'))[0]).toBe(old.id);
    const page = await api
      .as(lister.token)
      .get<BuiltToken[]>('/personal_access_tokens?pagination=keyset&order_by=id&sort=desc&per_page=2');
    expect(page.body.map(({ id }) => id)).toEqual([expired.id, revoked.id]);
    const next = /<http:\/\/forgeplane\.test([^>]+)>; rel="next"/.exec(page.headers.get('Link') ?? '')?.[1];
    expect(await idsOf(next ?? '', lister.token)).toEqual([old.id, first.id]);
  });

  it('reports invalid filters', async () => {
    const answer = await api
      .as(lister.token)
      .get('/personal_access_tokens?revoked=maybe&state=odd&created_before=never&sort=up');
    expect([answer.status, answer.body]).toEqual([
      400,
      {
        message: {
          revoked: ['is invalid'],
          state: ['does not have a valid value'],
          created_before: ['is invalid'],
          sort: ['does not have a valid value'],
        },
      },
    ]);
  });
});

describe('a personal access token', () => {
  it('is visible to its owner and administrators, and does not exist for others', async () => {
    const token = await buildToken(api, owner.id);
    const impersonating = await buildImpersonationToken(api, other.id);
    const path = `/personal_access_tokens/${token.id}`;
    expect((await api.as(owner.token).get(path)).body['id']).toBe(token.id);
    expect((await api.root.get(path)).status).toBe(200);
    const answers = [];
    for (const id of [token.id, 999_999, impersonating.id]) {
      const one = `/personal_access_tokens/${id}`;
      const client = api.as(other.token);
      answers.push(await client.get(one), await client.delete(one), await client.post(`${one}/rotate`));
    }
    for (const answer of answers) {
      expect([answer.status, answer.body]).toEqual([403, { message: '403 Forbidden' }]);
    }
    for (const answer of [
      await api.root.get('/personal_access_tokens/999999'),
      await api.root.delete('/personal_access_tokens/999999'),
      await api.root.post('/personal_access_tokens/999999/rotate'),
    ]) {
      expect([answer.status, answer.body]).toEqual([404, { message: '404 Personal Access Token Not Found' }]);
    }
  });

  it('is revoked by its owner, and is then reported as revoked', async () => {
    const token = await buildToken(api, owner.id);
    const path = `/personal_access_tokens/${token.id}`;
    const early = { 'If-Unmodified-Since': 'Wed, 01 Jan 2020 00:00:00 GMT' };
    expect((await api.as(owner.token).delete(path, early)).status).toBe(412);
    expect((await api.as(token.token).get('/version')).status).toBe(200);
    expect((await api.as(owner.token).delete(path)).status).toBe(204);
    expect((await api.as(token.token).get('/version')).status).toBe(401);
    expect((await api.as(owner.token).delete(path)).status).toBe(204);
    expect((await api.as(owner.token).get(path)).body).toMatchObject({ revoked: true, active: false });
    const events = await api.sql<{ text: string; author_id: number; entity_type: string; entity_id: number }>(
      `select details->>'custom_message' as text, author_id, entity_type, entity_id from audit_events
       where details->>'target_type' = 'PersonalAccessToken' and details->>'target_id' = $1 order by id`,
      [String(token.id)],
    );
    const about = { entity_type: 'User', entity_id: owner.id };
    expect(events).toEqual([
      { text: `Created personal access token with id ${token.id}`, author_id: 1, ...about },
      { text: `Revoked personal access token with id ${token.id}`, author_id: owner.id, ...about },
    ]);
  });

  it('can show and revoke itself with any scope', async () => {
    for (const scope of ['read_user', 'read_repository', 'k8s_proxy']) {
      const token = await buildToken(api, owner.id, { scopes: [scope] });
      const client = api.as(token.token);
      expect((await client.get('/personal_access_tokens/self')).body['id']).toBe(token.id);
      expect((await client.get('/personal_access_tokens')).status).toBe(403);
      expect((await client.delete('/personal_access_tokens/self')).status).toBe(204);
      expect((await client.get('/personal_access_tokens/self')).status).toBe(401);
    }
  });
});
