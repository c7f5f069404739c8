import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Transactions } from '#kernel/database/transactions.js';
import { PasswordResetsService } from '#core/emails/password-resets.service.js';
import { PasswordCheckService } from '#core/sign-in/password-check.service.js';
import { User } from '#core/users/user.entity.js';
import { startApi, type TestApi } from '../../../support/api.js';
import { createUser, type CreatedUser } from '../../../support/builders/user.js';
import { MailFolder } from '../../../support/mail.js';
import { PageClient, type PageReply } from '../../../support/page-client.js';
import { until } from '../../../support/until.js';

const NEW = '/users/password/new';
const FIRST = 'Nightingale-Ladder-4711';
const SECOND = 'Kingfisher-Staircase-0815';

let api: TestApi;
let mails: MailFolder;
const dataDir = mkdtempSync(join(tmpdir(), 'forgeplane-reset-'));
beforeAll(async () => {
  api = await startApi({ DATA_DIR: dataDir });
  mails = new MailFolder(dataDir);
});
afterAll(async () => {
  await api.close();
  rmSync(dataDir, { recursive: true, force: true });
});

const somebody = async (): Promise<CreatedUser> => {
  const user = await createUser(api, { password: FIRST, force_random_password: undefined });
  // Passwords set by administrators must be changed at once, which is not tested here.
  await api.sql('update users set password_expires_at = null where id = $1', [user.id]);
  return user;
};
const addressOf = ({ username }: CreatedUser): string => `${username}@example.com`;
const isRight = async ({ username }: CreatedUser, password: string): Promise<boolean> =>
  (await api.app.get(PasswordCheckService, { strict: false }).verify(username, password)).ok;
const ask = async (email: string, service = api): Promise<PageReply> => {
  const browser = new PageClient(service.url);
  await browser.get(NEW);
  return browser.submit('/users/password', { email });
};
/** Mails a link without the page, whose rate limit is tested separately. */
const link = async (user: CreatedUser, count = 1): Promise<string> => {
  await api.app
    .get(Transactions)
    .run(async (tx) =>
      api.app
        .get(PasswordResetsService, { strict: false })
        .send(tx, await tx.findOneByOrFail(User, { id: user.id })),
    );
  return mails.linkTo(addressOf(user), count);
};
const tokenOf = (path: string): string =>
  new URL(path, 'http://x.test').searchParams.get('reset_password_token') ?? '';
const choose = async (path: string, password: string, again = password): Promise<PageReply> => {
  const browser = new PageClient(api.url);
  await browser.get(NEW);
  return browser.submit('/users/password', {
    _method: 'put',
    reset_password_token: tokenOf(path),
    password,
    password_confirmation: again,
  });
};

describe('requesting a new password', () => {
  it('is answered alike for every address; the mail is sent to the primary one of its owner', async () => {
    const user = await somebody();
    const further = { email: `further.${user.username}@example.com`, skip_confirmation: true };
    await api.root.post(`/users/${user.id}/emails`, further);
    const claimed = `claimed.${user.username}@example.com`;
    await api.root.post(`/users/${user.id}/emails`, { email: claimed });
    const replies = [];
    for (const address of ['nobody@example.com', claimed, further.email, addressOf(user).toUpperCase()])
      replies.push(await ask(address));
    for (const { status, location, text, cookies } of replies) {
      expect([status, location, text]).toEqual([303, '/users/sign_in', '']);
      expect(cookies.some((cookie) => cookie.startsWith('_service_flash=mail_sent;'))).toBe(true);
    }
    // Two others told of the added addresses.
    const letters = (): string[] =>
      mails.to(addressOf(user)).filter((mail) => mail.includes('Subject: Choose a new password'));
    await until(() => letters().length === 2);
    expect(await mails.linkTo(addressOf(user))).toMatch(
      /^\/users\/password\/edit\?reset_password_token=[\w-]{32}$/,
    );
    await until(
      async () => (await api.sql(`select 1 from background_jobs where queue = 'mail'`)).length === 0,
    );
    const sent = [claimed, further.email, 'nobody@example.com'].flatMap((address) => mails.to(address));
    expect(sent.map((mail) => mail.includes('password'))).toEqual([false]);
  });

  it('sends nothing to blocked users', async () => {
    const user = await somebody();
    await api.root.post(`/users/${user.id}/block`);
    await ask(addressOf(user));
    await until(
      async () => (await api.sql(`select 1 from background_jobs where queue = 'mail'`)).length === 0,
    );
    expect(mails.to(addressOf(user))).toEqual([]);
  });

  it('accepts one address (CVE-2023-7028)', async () => {
    const user = await somebody();
    const browser = new PageClient(api.url);
    await browser.get(NEW);
    const two: [string, string][] = [
      ['email[]', addressOf(user)],
      ['email[]', 'thief@example.com'],
    ];
    expect((await browser.submit('/users/password', two)).status).toBe(400);
    const joined = await browser.submit('/users/password', { email: `${addressOf(user)},thief@example.com` });
    expect(joined.status).toBe(422);
    expect(joined.text).toContain('Errors: Forgot your password?');
    expect((await browser.submit('/users/password', { email: 'a@b', authenticity_token: 'x' })).status).toBe(
      422,
    );
    expect([...mails.to(addressOf(user)), ...mails.to('thief@example.com')]).toEqual([]);
  });

  it('is possible for administrators on behalf of a new user', async () => {
    const user = await createUser(api, { reset_password: true, force_random_password: undefined });
    const path = await mails.linkTo(addressOf(user));
    expect((await choose(path, SECOND)).location).toBe('/users/sign_in');
    expect(await isRight(user, SECOND)).toBe(true);
  });
});

describe('choosing a new password', () => {
  it('ends sessions, unlocks the account and invalidates every link', async () => {
    const user = await somebody();
    const [one, two] = [await link(user), await link(user, 2)];
    await api.sql(`update users set failed_attempts = 10, locked_at = now() where id = $1`, [user.id]);
    await api.sql(
      `insert into sessions (user_id, digest, csrf_digest, expires_at) values ($1, '\\x01', '\\x02', now() + interval '1 day')`,
      [user.id],
    );
    expect(await isRight(user, FIRST)).toBe(false);
    const page = await new PageClient(api.url).get(one);
    expect(page.status).toBe(200);
    expect(page.text).toContain('autocomplete="new-password"');
    expect(page.headers.get('cache-control')).toBe('no-store');
    const done = await choose(one, SECOND);
    expect([done.status, done.location]).toEqual([303, '/users/sign_in']);
    expect([await isRight(user, FIRST), await isRight(user, SECOND)]).toEqual([false, true]);
    expect(await api.sql('select 1 from sessions where user_id = $1', [user.id])).toEqual([]);
    for (const used of [one, two]) {
      expect((await choose(used, FIRST)).location).toBe(NEW);
      expect((await new PageClient(api.url).get(used)).location).toBe(NEW);
    }
    expect(await isRight(user, SECOND)).toBe(true);
    const audits = await api.sql(
      `select 1 from audit_events where entity_id = $1 and details->>'custom_message' = 'Changed password'`,
      [user.id],
    );
    expect(audits).toHaveLength(1);
    await until(() => mails.to(addressOf(user)).some((mail) => mail.includes('password has been changed')));
  });

  it('is no longer possible by a link from before another change of the password', async () => {
    const ways: readonly ((user: CreatedUser) => Promise<unknown>)[] = [
      async ({ username }) => {
        const browser = new PageClient(api.url);
        await browser.signIn(username, FIRST);
        await browser.get('/-/profile/password/edit');
        const reply = await browser.submit('/-/profile/password/edit', {
          _method: 'put',
          'user[current_password]': FIRST,
          'user[password]': SECOND,
          'user[password_confirmation]': SECOND,
        });
        expect([reply.status, reply.location]).toEqual([303, '/-/profile']);
      },
      ({ id }) => api.root.put(`/users/${id}`, { password: SECOND }),
    ];
    for (const change of ways) {
      const [user, other] = [await somebody(), await somebody()];
      const [path, kept] = [await link(user), await link(other)];
      await change(user);
      expect((await new PageClient(api.url).get(path)).location).toBe(NEW);
      expect((await choose(path, `${FIRST}-again`)).location).toBe(NEW);
      await api.sql('update users set password_expires_at = null where id = $1', [user.id]);
      expect(await isRight(user, SECOND)).toBe(true);
      expect((await choose(await link(user, 2), FIRST)).location).toBe('/users/sign_in');
      expect((await choose(kept, SECOND)).location).toBe('/users/sign_in');
    }
  });

  it('succeeds for one of several simultaneous requests with one link', async () => {
    const user = await somebody();
    const path = await link(user);
    const replies = await Promise.all([1, 2, 3, 4].map((index) => choose(path, `${SECOND}-${index}`)));
    expect(replies.map(({ location }) => location).sort()).toEqual([NEW, NEW, NEW, '/users/sign_in'].sort());
  });

  it('shows the errors of a password, and keeps the link', async () => {
    const user = await somebody();
    const path = await link(user);
    for (const [password, again, text] of [
      ['short', 'short', 'is too short (minimum is 8 characters)'],
      ['', '', 'can&#39;t be blank'],
      ['x'.repeat(129), 'x'.repeat(129), 'is too long (maximum is 128 characters)'],
      [SECOND, FIRST, 'The two passwords are not the same'],
    ] as const) {
      const reply = await choose(path, password, again);
      expect([reply.status, reply.text.includes(text)]).toEqual([422, true]);
      expect(reply.text).not.toContain(SECOND);
    }
    expect((await choose(path, SECOND)).location).toBe('/users/sign_in');
  });

  it('requires a known link, at most six hours old, for the current primary address of an active account', async () => {
    const user = await somebody();
    const [life] = await (async () => {
      await link(user);
      return api.sql<{ hours: number }>(
        `select round(extract(epoch from expires_at - created_at) / 3600)::int as hours from password_resets where user_id = $1`,
        [user.id],
      );
    })();
    expect(life?.hours).toBe(6);
    expect((await choose('/?reset_password_token=unknown', SECOND)).location).toBe(NEW);
    expect((await choose('/', SECOND)).location).toBe(NEW);
    const path = await mails.linkTo(addressOf(user));
    const refusedAfter = async (
      change: () => Promise<unknown>,
      back: () => Promise<unknown>,
    ): Promise<void> => {
      await change();
      expect((await choose(path, SECOND)).location).toBe(NEW);
      await back();
    };
    const set = (email: string) => () => api.root.put(`/users/${user.id}`, { email });
    await refusedAfter(set('new.primary@example.com'), set(addressOf(user)));
    const act = (verb: string) => () => api.root.post(`/users/${user.id}/${verb}`);
    await refusedAfter(act('block'), act('unblock'));
    const expire = (at: string) => () =>
      api.sql(`update password_resets set expires_at = now() + interval '${at}' where user_id = $1`, [
        user.id,
      ]);
    await refusedAfter(expire('0'), expire('1 hour'));
    expect(await isRight(user, SECOND)).toBe(false);
    expect((await choose(path, SECOND)).location).toBe('/users/sign_in');
  });
});

describe('the rate limit', () => {
  it('allows ten requests a minute per client', async () => {
    const service = await startApi();
    const replies = [];
    for (let index = 0; index < 11; index += 1) replies.push(await ask('nobody@example.com', service));
    expect(replies.map(({ status }) => status)).toEqual([...Array.from({ length: 10 }, () => 303), 429]);
    expect(Number(replies.at(-1)?.headers.get('retry-after'))).toBeGreaterThan(0);
    expect(replies.at(-1)?.text).toContain('<h1>');
    await service.close();
  });
});
