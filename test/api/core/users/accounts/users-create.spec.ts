import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { TestApi } from '../../../../support/api.js';
import { createUser, type CreatedUser } from '../../../../support/builders/user.js';
import { ADMIN, keysOf, sorted, validUser, type UserBody } from '../../../../support/builders/user-shapes.js';
import type { Answer } from '../../../../support/client.js';
import { borrowApi } from '../../../../support/shared-api.js';

const ids = (answer: Answer<UserBody[]>): number[] => answer.body.map(({ id }) => id);

describe('users', () => {
  let api: TestApi;
  let zoe: CreatedUser;

  beforeAll(async () => {
    api = await borrowApi();
    await createUser(api, { username: 'jane', name: 'Jane Doe', email: 'jane@example.com' });
    zoe = await createUser(api, { username: 'zoe', name: 'Zoe Roe', bio: 'about', public_email: '' });
  });
  afterAll(() => api.close());
  const auditsOf = (id: number): Promise<{ details: Record<string, unknown> }[]> =>
    api.sql(`select details from audit_events where entity_type = 'User' and entity_id = $1 order by id`, [
      id,
    ]);

  describe('creating', () => {
    it('sets the given attributes', async () => {
      const answer = await api.root.post<UserBody>('/users', {
        ...validUser('full'),
        admin: true,
        bio: 'b',
        can_create_group: false,
        projects_limit: 3,
        note: 'n',
        private_profile: true,
        skip_confirmation: true,
        public_email: 'full@example.com',
        extern_uid: 'u1',
        provider: 'saml',
        website_url: 'https://example.com',
        theme_id: 2,
        color_scheme_id: 3,
      });
      expect([answer.status, answer.text]).toEqual([201, answer.text]);
      expect(keysOf(answer.body)).toEqual(sorted(ADMIN));
      expect(answer.body).toMatchObject({
        username: 'full',
        state: 'active',
        is_admin: true,
        bio: 'b',
        can_create_group: false,
        projects_limit: 3,
        note: 'n',
        private_profile: true,
        public_email: 'full@example.com',
        identities: [{ provider: 'saml', extern_uid: 'u1' }],
        theme_id: 2,
        color_scheme_id: 3,
        web_url: 'http://forgeplane.test/full',
      });
      expect(answer.body['confirmed_at']).not.toBeNull();
      const audits = (await auditsOf(answer.body.id)).map(({ details }) => details);
      expect(audits[0]).toMatchObject({ add: 'user', target_details: 'Name of full' });
      expect(audits[1]).toMatchObject({ change: 'admin status', from: false, to: true });
      const byIdentity = await api.root.get<UserBody[]>('/users?extern_uid=u1&provider=saml');
      expect(ids(byIdentity)).toEqual([answer.body.id]);
      const twice = await api.root.post('/users', {
        ...validUser('full2'),
        extern_uid: 'u1',
        provider: 'saml',
      });
      expect(twice.status).toBe(400);
    });

    it('accepts form bodies', async () => {
      const form = 'email=form@example.com&name=Form&username=form&password=12345678';
      const answer = await api.root.send('POST', '/users', form, {
        'Content-Type': 'application/x-www-form-urlencoded',
      });
      expect(answer.status).toBe(201);
    });

    it('reports the first missing attribute', async () => {
      for (const [body, name] of [
        [{}, 'email'],
        [{ email: 'a@b.c' }, 'name'],
        [{ email: 'a@b.c', name: 'x' }, 'username'],
        [{ email: 'a@b.c', name: 'x', username: 'x1' }, 'password'],
      ] as const) {
        const answer = await api.root.post('/users', body);
        expect([answer.status, answer.body]).toEqual([
          400,
          { message: `400 (Bad request) "${name}" not given` },
        ]);
      }
    });

    it('returns 409 for existing names, in any case, and for paths of groups', async () => {
      const email = await api.root.post('/users', { ...validUser('other'), email: 'JANE@example.com' });
      expect([email.status, email.body]).toEqual([409, { message: 'Email has already been taken' }]);
      const username = await api.root.post('/users', { ...validUser('other'), username: 'Jane' });
      expect([username.status, username.body]).toEqual([409, { message: 'Username has already been taken' }]);
      expect((await api.root.post('/groups', { name: 'Taken', path: 'Taken' })).status).toBe(201);
      const path = await api.root.post('/users', validUser('taken'));
      expect([path.status, path.body]).toEqual([409, { message: 'Username has already been taken' }]);
      expect(await api.sql(`select 1 from users where username = 'taken'`)).toEqual([]);
      expect((await api.root.put(`/users/${zoe.id}`, { username: 'taken' })).status).toBe(409);
    });

    it.each<[Record<string, unknown>, Record<string, unknown>]>([
      [{ password: 'short' }, { password: ['is too short (minimum is 8 characters)'] }],
      [{ password: 'x'.repeat(129) }, { password: ['is too long (maximum is 128 characters)'] }],
      [{ password: '' }, { password: ["can't be blank"] }],
      [{ password: ['a', 'b'] }, { password: ['is invalid'] }],
      [{ email: 'nonsense' }, { email: ['is invalid'] }],
      [{ email: `${'x'.repeat(250)}@e.org` }, { email: ['is too long (maximum is 254 characters)'] }],
      [{ email: '' }, { email: ['is empty'] }],
      [{ email: { a: 1 } }, { email: ['is invalid'] }],
      [{ name: 'x'.repeat(256) }, { name: ['is too long (maximum is 255 characters)'] }],
      [{ username: 'api' }, { username: ['api is a reserved name'] }],
      [{ bio: 'x'.repeat(256) }, { bio: ['is too long (maximum is 255 characters)'] }],
      [{ projects_limit: -1 }, { projects_limit: ['must be greater than or equal to 0'] }],
      [{ projects_limit: 'many' }, { projects_limit: ['is invalid'] }],
      [{ projects_limit: 3e9 }, { projects_limit: ['must be less than or equal to 2147483647'] }],
      [{ admin: 'perhaps' }, { admin: ['is invalid'] }],
      [{ theme_id: 0 }, { theme_id: ['is not included in the list'] }],
      [{ color_scheme_id: 7 }, { color_scheme_id: ['is not included in the list'] }],
      [{ public_email: 'else@example.com' }, { public_email: ['is not an email you own'] }],
      [{ website_url: 'javascript:alert(1)' }, { website_url: ['must be a valid URL'] }],
      [{ discord: 'me' }, { discord: ['must contain only a discord user ID.'] }],
      [{ extern_uid: 'x' }, { provider: ["can't be blank"] }],
      [{ private_profile: 'x' }, { private_profile: ['is invalid'] }],
    ])('refuses %j', async (change, problems) => {
      const answer = await api.root.post('/users', { ...validUser('bad-one'), ...change });
      expect([answer.status, answer.body]).toEqual([400, { message: problems }]);
      const update = await api.root.put(`/users/${zoe.id}`, change);
      expect([update.status, update.body]).toEqual([400, { message: problems }]);
    });

    it.each(['-start', 'end.', 'x.git', 'x.atom', 'with space', 'ä', 'a/b', '..', 'x\u0000y'])(
      'refuses the username %j',
      async (username) => {
        const answer = await api.root.post<{ message: { username: string[] } }>('/users', {
          ...validUser('odd'),
          username,
        });
        expect(answer.status).toBe(400);
        expect(Object.keys(answer.body.message)).toEqual(['username']);
      },
    );

    it('accepts null for private_profile, with a deprecation header', async () => {
      const answer = await api.root.post<UserBody>('/users', {
        ...validUser('nullish'),
        private_profile: null,
      });
      expect(answer.status).toBe(201);
      expect(answer.body['private_profile']).toBe(false);
      expect(answer.headers.get('deprecation')).toMatch(/^@\d+$/);
      expect(answer.headers.get('sunset')).toMatch(/GMT$/);
      const plain = await api.root.put<UserBody>(`/users/${answer.body.id}`, { private_profile: true });
      expect(plain.body['private_profile']).toBe(true);
      expect(plain.headers.get('deprecation')).toBeNull();
      const again = await api.root.put<UserBody>(`/users/${answer.body.id}`, { private_profile: null });
      expect(again.body['private_profile']).toBe(false);
      expect(again.headers.get('deprecation')).not.toBeNull();
    });

    it('succeeds once for two simultaneous requests, and leaves nothing of the other', async () => {
      for (let round = 0; round < 4; round += 1) {
        const same = validUser(`race${round}`);
        const answers = await Promise.all([api.root.post('/users', same), api.root.post('/users', same)]);
        expect(answers.map(({ status }) => status).sort()).toEqual([201, 409]);
        const mixed = await Promise.all([
          api.root.post('/users', { ...validUser(`mixed${round}`), email: `one${round}@example.com` }),
          api.root.post('/users', { ...validUser(`Mixed${round}`), email: `two${round}@example.com` }),
        ]);
        expect(mixed.map(({ status }) => status).sort()).toEqual([201, 409]);
      }
      const [rows] = await api.sql<{ users: number; namespaces: number; routes: number }>(
        `select (select count(*) from users where username ilike 'race%' or username ilike 'mixed%') as users,
          (select count(*) from namespaces where path ilike 'race%' or path ilike 'mixed%') as namespaces,
          (select count(*) from routes where path like 'race%' or path like 'mixed%') as routes`,
      );
      expect(rows).toEqual({ users: 8, namespaces: 8, routes: 8 });
    });
  });
});
