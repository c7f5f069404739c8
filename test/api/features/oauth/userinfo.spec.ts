import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Scope } from '#kernel/access/roles.js';
import type { TestApi } from '../../../support/api.js';
import { addUser, type AddedUser } from '../../../support/builders/instance.js';
import { buildGroup } from '../../../support/builders/group.js';
import { buildMember } from '../../../support/builders/member.js';
import {
  buildApplication,
  buildPair,
  postForm,
  type BuiltApplication,
} from '../../../support/builders/oauth.js';
import type { Answer } from '../../../support/client.js';
import { borrowApi } from '../../../support/shared-api.js';
import { until } from '../../../support/until.js';
import { readsDuring } from '../../../support/watched-reads.js';

const PATH = '/oauth/userinfo';
const CLAIM = 'https://gitlab.org/claims/groups';

let api: TestApi;
let application: BuiltApplication;
beforeAll(async () => {
  api = await borrowApi();
  application = await buildApplication(api, { scopes: ['api', 'openid', 'email', 'profile', 'read_user'] });
});
afterAll(() => api.close());

const tokenOf = async (userId: number, scopes: readonly Scope[] = ['openid']): Promise<string> =>
  (await buildPair(api, application, userId, scopes)).access;
const bearer = (token: string): Record<string, string> => ({ Authorization: `Bearer ${token}` });
const ask = <T = Record<string, unknown>>(token: string): Promise<Answer<T>> =>
  api.anonymous.get<T>(PATH, bearer(token));

describe('userinfo', () => {
  let user: AddedUser;
  beforeAll(async () => {
    user = await addUser(api, 'ada');
  });

  it('describes the user, in the documented order, for GET and POST alike', async () => {
    const token = await tokenOf(user.id, ['openid', 'email']);
    await api.sql(`update users set website_url = 'ada.example.com' where id = $1`, [user.id]);
    const answer = await ask(token);
    expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'application/json']);
    expect(answer.headers.get('cache-control')).toBe('no-store');
    expect(Object.entries(answer.body)).toEqual([
      ['sub', String(user.id)],
      ['sub_legacy', expect.stringMatching(/^[0-9a-f]{64}$/)],
      ['name', 'ada'],
      ['nickname', 'ada'],
      ['preferred_username', 'ada'],
      ['email', 'ada@example.com'],
      ['email_verified', true],
      ['website', 'http://ada.example.com'],
      ['profile', 'http://forgeplane.test/ada'],
      ['groups', []],
    ]);
    for (const same of [
      await api.anonymous.post(PATH, undefined, bearer(token)),
      await postForm(api, PATH, { access_token: token }),
      await api.anonymous.get(`${PATH}?access_token=${token}`),
    ]) {
      expect([same.status, same.body]).toEqual([200, answer.body]);
    }
    const head = await api.anonymous.send('HEAD', PATH, undefined, bearer(token));
    expect([head.status, head.text]).toEqual([200, '']);
  });

  it('needs one statement', async () => {
    const token = await tokenOf(user.id);
    const counts: number[] = [];
    // The first may have to look at the settings too, and notes the use of the token.
    for (let count = 0; count < 3; count += 1) counts.push((await readsDuring(api, () => ask(token))).length);
    expect(Math.min(...counts)).toBe(1);
  });

  it('records that the token was used', async () => {
    const { id, access } = await buildPair(api, application, user.id, ['openid']);
    await ask(access);
    await until(async () => {
      const [row] = await api.sql<{ used: boolean }>(
        'select last_used_at is not null as used from oauth_tokens where id = $1',
        [id],
      );
      return row?.used === true;
    });
  });

  it('lists the groups of all memberships, and the roles of the direct ones', async () => {
    const person = await addUser(api, 'member');
    const [own, kept, developed, guest, gone, expired] = [
      await buildGroup(api),
      await buildGroup(api),
      await buildGroup(api),
      await buildGroup(api),
      await buildGroup(api),
      await buildGroup(api),
    ];
    const below = await buildGroup(api, { parent_id: own.id });
    await buildGroup(api);
    for (const [group, level] of [
      [own, 50],
      [kept, 40],
      [developed, 30],
      [guest, 10],
      [gone, 50],
      [expired, 50],
    ] as const) {
      await buildMember(api, `groups/${group.id}`, person.id, level);
    }
    await api.sql('update namespaces set pending_delete = true where id = $1', [gone.id]);
    await api.sql(`update members set expires_at = current_date where source_id = $1 and user_id = $2`, [
      expired.id,
      person.id,
    ]);
    const { body } = await ask(await tokenOf(person.id));
    expect(body['groups']).toEqual(
      [own, below, kept, developed, guest].map((group) => group.full_path).sort((a, b) => (a < b ? -1 : 1)),
    );
    expect(body[`${CLAIM}/owner`]).toEqual([own.full_path]);
    expect(body[`${CLAIM}/maintainer`]).toEqual([kept.full_path]);
    expect(body[`${CLAIM}/developer`]).toEqual([developed.full_path]);
  });

  it('hides the address without the scope, but for the public one', async () => {
    const person = await addUser(api, 'shy');
    const token = await tokenOf(person.id);
    const email = async (): Promise<unknown[]> => {
      const { body } = await ask(token);
      return [body['email'], body['email_verified']];
    };
    expect(await email()).toEqual([undefined, false]);
    await api.sql(`update users set public_email = email where id = $1`, [person.id]);
    expect(await email()).toEqual(['shy@example.com', true]);
  });

  it('reports an address as confirmed only if that very address is confirmed (CVE-2022-4037)', async () => {
    const person = await addUser(api, 'claimer');
    const [first, open] = [await tokenOf(person.id, ['openid', 'email']), await tokenOf(person.id)];
    await api.sql(`insert into user_emails (user_id, email) values ($1, 'victim@example.com')`, [person.id]);
    await api.sql(`update users set public_email = 'Victim@example.com' where id = $1`, [person.id]);
    expect((await ask(open)).body).toMatchObject({ email: 'Victim@example.com', email_verified: false });
    expect((await ask(first)).body).toMatchObject({ email: 'claimer@example.com', email_verified: true });
    await api.sql('update user_emails set confirmed_at = now() where user_id = $1', [person.id]);
    await api.sql('update users set confirmed_at = null where id = $1', [person.id]);
    expect((await ask(open)).body).toMatchObject({ email: 'Victim@example.com', email_verified: true });
    expect((await ask(first)).body).toMatchObject({ email: 'claimer@example.com', email_verified: false });
  });
});

describe('userinfo refuses', () => {
  let user: AddedUser;
  beforeAll(async () => {
    user = await addUser(api, 'refused');
  });

  const expectRefusal = ({ status, text, headers }: Answer, code: number, challenge: string): void => {
    expect([status, text, headers.get('content-type')]).toEqual([code, '', null]);
    expect(headers.get('www-authenticate')).toMatch(/^Bearer realm="[^"]+"/);
    expect(headers.get('www-authenticate')).toContain(challenge);
  };

  it('callers without a token, or with a token that userinfo does not accept', async () => {
    const invalid = 'error="invalid_token"';
    const answers = [
      await api.anonymous.get(PATH),
      await api.anonymous.post(PATH),
      await ask('unknown'),
      await ask('a'.repeat(64)),
      await ask(user.token),
      await api.as(user.token).get(PATH),
      await api.anonymous.get(PATH, { Authorization: 'Basic cm9vdDpyb290' }),
      await api.anonymous.get(PATH, { Authorization: 'Bearer' }),
      await api.anonymous.get(PATH, { Accept: 'text/html' }),
      await api.anonymous.get(`${PATH}?access_token=`),
      await api.anonymous.get(PATH, { Cookie: '_service_session=unknown' }),
    ];
    for (const answer of answers) expectRefusal(answer, 401, invalid);
  });

  it('tokens that are expired, revoked or refreshed, or are refresh tokens', async () => {
    for (const [change, description] of [
      ['expires_at = now()', 'The access token expired'],
      ['revoked_at = now()', 'The access token was revoked'],
      ['refreshed_at = now()', 'The access token was revoked'],
    ] as const) {
      const { id, access, refresh } = await buildPair(api, application, user.id, ['openid']);
      expectRefusal(await ask(refresh), 401, 'invalid_token');
      expect((await ask(access)).status).toBe(200);
      await api.sql(`update oauth_tokens set ${change} where id = $1`, [id]);
      expectRefusal(await ask(access), 401, `error_description="${description}"`);
    }
  });

  it('tokens without the scope', async () => {
    const token = await tokenOf(user.id, ['api', 'read_user', 'email', 'profile']);
    expectRefusal(await ask(token), 403, 'error="insufficient_scope"');
    expect((await ask(token)).headers.get('www-authenticate')).toContain('scope="openid"');
  });

  it('accounts that may not act', async () => {
    for (const change of [
      `state = 'blocked'`,
      `state = 'deactivated'`,
      `state = 'blocked_pending_approval'`,
      `password_expires_at = now()`,
    ]) {
      const person = await addUser(api, `idle-${change.replace(/\W/g, '')}`);
      const token = await tokenOf(person.id);
      expect((await ask(token)).status).toBe(200);
      await api.sql(`update users set ${change} where id = $1`, [person.id]);
      expectRefusal(await ask(token), 403, '');
    }
    const leaver = await addUser(api, 'leaver');
    const token = await tokenOf(leaver.id);
    await api.sql('update users set pending_delete = true where id = $1', [leaver.id]);
    expectRefusal(await ask(token), 401, 'invalid_token');
  });

  it('two tokens at once, and values that are not strings', async () => {
    const token = await tokenOf(user.id);
    const answers = [
      await postForm(api, PATH, { access_token: token }, bearer(token)),
      await api.anonymous.get(`${PATH}?access_token=${token}`, bearer(token)),
      await postForm(api, `${PATH}?access_token=${token}`, { access_token: token }),
      await api.anonymous.get(`${PATH}?access_token=${token}&access_token=${token}`),
      await api.anonymous.get(`${PATH}?access_token[]=${token}`),
      await api.anonymous.post(PATH, { access_token: { toString: token } }),
    ];
    for (const { status, body } of answers) expect([status, body['error']]).toEqual([400, 'invalid_request']);
  });
});
