import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { loadConfig } from '#kernel/config/load-config.js';
import { SecretBox } from '#kernel/crypto/secret-box.js';
import { startApi, type TestApi } from '../../../support/api.js';
import { PASSWORD, type Person } from '../../../support/builders/person.js';
import {
  addProtected,
  atSecondStep,
  codeOf,
  forgetSteps,
  giveCode,
  outcome,
  OUTCOMES,
  SECOND_STEP,
  type SecondFactor,
} from '../../../support/builders/second-factor.js';
import { PageClient } from '../../../support/page-client.js';

const SIGN_IN = '/users/sign_in';
const PENDING = '_service_pending';
const SESSION = '_service_session';

const OLD_KEY = 'old'.repeat(12);
const NEW_KEY = 'new'.repeat(12);

let api: TestApi;
beforeAll(async () => {
  api = await startApi({ SECRETS_KEY: `${NEW_KEY},${OLD_KEY}` });
  await api.root.put('/application/settings', { throttle_protected_paths_enabled: false });
});
afterAll(() => api.close());

let count = 0;
const someone = (): Promise<Person & SecondFactor> => addProtected(api, `person-${(count += 1)}`);
const isSignedIn = async (browser: PageClient): Promise<boolean> =>
  (await browser.get('/-/profile')).status === 200;

describe('the second step of signing in', () => {
  it('requires a code after the correct password, and starts a session only then', async () => {
    const person = await someone();
    const browser = await atSecondStep(api, person);
    const before = browser.jar.get(SESSION);
    const page = await browser.get(SECOND_STEP);
    expect(page.text).toMatch(/<input[^>]* name="user\[otp_attempt\]"[^>]* autocomplete="one-time-code"/);
    expect(page.text).toMatch(/<input[^>]* name="user\[otp_attempt\]"[^>]* inputmode="numeric"/);
    expect(page.headers.get('cache-control')).toBe('no-store');
    expect(await isSignedIn(browser)).toBe(false);
    expect(await api.sql('select 1 from sessions where user_id = $1', [person.id])).toEqual([]);
    const reply = await giveCode(browser, codeOf(person.secret));
    expect([reply.status, reply.location]).toEqual(OUTCOMES.done);
    expect(browser.jar.get(SESSION)).not.toBe(before);
    expect(browser.jar.has(PENDING)).toBe(false);
    expect(await isSignedIn(browser)).toBe(true);
  });

  it('leads to the requested page, and remembers the browser on request', async () => {
    const person = await someone();
    const browser = new PageClient(api.url);
    await browser.get('/-/profile/two_factor_auth');
    await browser.signIn(person.username, PASSWORD, { 'user[remember_me]': '1' });
    await browser.get(SECOND_STEP);
    const reply = await giveCode(browser, codeOf(person.secret));
    expect(reply.location).toBe('/-/profile/two_factor_auth');
    expect(reply.cookies.find((line) => line.startsWith(SESSION))).toMatch(/; Max-Age=1209600;/);
  });

  it('refuses wrong codes, huge ones and values that are not texts', async () => {
    const person = await someone();
    const browser = await atSecondStep(api, person);
    for (const code of [
      '',
      '12345',
      codeOf(person.secret, 7),
      '1'.repeat(250),
      '0000-0000-0000-0000-0000-0000',
    ]) {
      const reply = await giveCode(browser, code);
      expect(reply.status).toBe(422);
      expect(reply.text).toContain('Invalid two-factor code.');
    }
    const before = await api.sql<{ failed_attempts: number }>(
      'select failed_attempts from users where id = $1',
      [person.id],
    );
    expect(before).toEqual([{ failed_attempts: 5 }]);
    for (const fields of [
      { 'user[otp_attempt][]': codeOf(person.secret) },
      { 'user[otp_attempt][a]': '1' },
      { user: codeOf(person.secret) },
      { 'user[otp_attempt]': '1'.repeat(100_000) },
      { 'user[otp_attempt]': '1\0' },
    ] as Record<string, string>[])
      expect((await browser.submit(SECOND_STEP, fields)).status).toBe(400);
    expect(await isSignedIn(browser)).toBe(false);
    expect(await outcome(giveCode(browser, codeOf(person.secret)))).toEqual(OUTCOMES.done);
  });

  it('accepts the code of the current step and its neighbors', async () => {
    const person = await someone();
    for (const distance of [-1, 0, 1]) {
      await forgetSteps(api, person.id);
      const browser = await atSecondStep(api, person);
      expect(await outcome(giveCode(browser, codeOf(person.secret, distance)))).toEqual(OUTCOMES.done);
    }
    await forgetSteps(api, person.id);
    for (const distance of [-3, 3])
      expect(
        await outcome(giveCode(await atSecondStep(api, person), codeOf(person.secret, distance))),
      ).toEqual(OUTCOMES.wrong);
  });

  it('accepts a code once, and no earlier one', async () => {
    const person = await someone();
    const [code, former, next] = [codeOf(person.secret), codeOf(person.secret, -1), codeOf(person.secret, 1)];
    expect(await outcome(giveCode(await atSecondStep(api, person), code))).toEqual(OUTCOMES.done);
    expect(await outcome(giveCode(await atSecondStep(api, person), code))).toEqual(OUTCOMES.wrong);
    expect(await outcome(giveCode(await atSecondStep(api, person), former))).toEqual(OUTCOMES.wrong);
    expect(await outcome(giveCode(await atSecondStep(api, person), next))).toEqual(OUTCOMES.done);
  });

  it('succeeds for exactly one of several simultaneous requests with a code', async () => {
    const person = await someone();
    const codes = [codeOf(person.secret), person.recoveryCodes[0] as string];
    for (const code of codes) {
      const browsers = await Promise.all([1, 2, 3, 4].map(() => atSecondStep(api, person)));
      const replies = await Promise.all(browsers.map((browser) => giveCode(browser, code)));
      expect(replies.map(({ status }) => status).sort()).toEqual([303, 422, 422, 422]);
    }
  });

  it('accepts each recovery code once, however it is typed', async () => {
    const person = await someone();
    const [one = '', two = ''] = person.recoveryCodes;
    expect(await outcome(giveCode(await atSecondStep(api, person), one))).toEqual(OUTCOMES.done);
    expect(await outcome(giveCode(await atSecondStep(api, person), one))).toEqual(OUTCOMES.wrong);
    expect(await outcome(giveCode(await atSecondStep(api, person), ` ${two.replaceAll('-', ' ')} `))).toEqual(
      OUTCOMES.done,
    );
    const browser = await atSecondStep(api, person);
    await giveCode(browser, codeOf(person.secret));
    expect((await browser.get('/-/profile/two_factor_auth')).text).toContain('8 recovery codes are left');
    const stranger = await someone();
    expect(
      await outcome(giveCode(await atSecondStep(api, stranger), person.recoveryCodes[2] as string)),
    ).toEqual(OUTCOMES.wrong);
  });
});

it('a secret that was encrypted with an older key is encrypted again when it is used', async () => {
  const person = await someone();
  const sealed = new SecretBox(loadConfig({ SECRETS_KEY: OLD_KEY })).seal(
    person.secret,
    `two-factor:${person.id}`,
  );
  await api.sql('update user_two_factors set sealed_secret = $2 where user_id = $1', [person.id, sealed]);
  expect(await outcome(giveCode(await atSecondStep(api, person), codeOf(person.secret)))).toEqual(
    OUTCOMES.done,
  );
  const text = 'select sealed_secret as sealed from user_two_factors where user_id = $1';
  const [row] = await api.sql<{ sealed: string }>(text, [person.id]);
  expect(row && api.app.get(SecretBox).isOutdated(row.sealed)).toBe(false);
});

describe('guessing codes', () => {
  const tries = async (browser: PageClient, times: number): Promise<unknown[]> => {
    let last: unknown[] = [];
    for (let time = 0; time < times; time += 1) last = await outcome(giveCode(browser, '000000'));
    return last;
  };

  it('locks the account at the tenth failure, also for correct codes and passwords, for ten minutes', async () => {
    const person = await someone();
    const browser = await atSecondStep(api, person);
    expect(await tries(browser, 9)).toEqual(OUTCOMES.wrong);
    const other = await atSecondStep(api, person);
    expect(await tries(browser, 1)).toEqual(OUTCOMES.again);
    expect((await browser.get(SIGN_IN)).text).toContain('locked for ten minutes');
    expect(await outcome(giveCode(other, codeOf(person.secret)))).toEqual(OUTCOMES.again);
    const third = new PageClient(api.url);
    expect((await third.signIn(person.username, PASSWORD)).status).toBe(422);
    await api.sql(`update users set locked_at = now() - interval '10 minutes' where id = $1`, [person.id]);
    expect(await outcome(giveCode(await atSecondStep(api, person), codeOf(person.secret)))).toEqual(
      OUTCOMES.done,
    );
  });

  it('is still counted if the correct password is given in between', async () => {
    const person = await someone();
    for (let round = 0; round < 3; round += 1)
      expect(await tries(await atSecondStep(api, person), 3)).toEqual(OUTCOMES.wrong);
    expect(await tries(await atSecondStep(api, person), 1)).toEqual(OUTCOMES.again);
  });

  it('has no advantage with simultaneous requests', async () => {
    const person = await someone();
    const browser = await atSecondStep(api, person);
    const replies = await Promise.all(Array.from({ length: 20 }, () => outcome(giveCode(browser, '000000'))));
    expect(replies.filter(([status]) => status === 422)).toHaveLength(9);
    expect(await outcome(giveCode(browser, codeOf(person.secret)))).toEqual(OUTCOMES.again);
  });

  it('is logged also while the account is locked', async () => {
    const person = await someone();
    const browser = await atSecondStep(api, person);
    await api.sql('update users set failed_attempts = 10, locked_at = now() where id = $1', [person.id]);
    expect(await tries(browser, 1)).toEqual(OUTCOMES.again);
    const rows = await api.sql(
      `select details->>'custom_message' as said from audit_events where entity_type = 'User' and entity_id = $1
         and author_id = -1`,
      [person.id],
    );
    expect(rows).toEqual([{ said: 'Failed to sign in with a two-factor code' }]);
    expect(await api.sql('select failed_attempts from users where id = $1', [person.id])).toEqual([
      { failed_attempts: 10 },
    ]);
  });

  it('is logged without the code', async () => {
    const person = await someone();
    await tries(await atSecondStep(api, person), 1);
    const rows = await api.sql<{ author_id: number; details: Record<string, unknown> }>(
      `select author_id, details from audit_events where entity_type = 'User' and entity_id = $1 order by id desc limit 1`,
      [person.id],
    );
    expect(rows).toMatchObject([
      { author_id: -1, details: { custom_message: 'Failed to sign in with a two-factor code' } },
    ]);
    expect(JSON.stringify(rows)).not.toContain('000000');
  });

  it('is rate-limited by address', async () => {
    await api.root.put('/application/settings', {
      throttle_protected_paths_enabled: true,
      throttle_protected_paths_requests_per_period: 3,
    });
    const browser = new PageClient(api.url);
    await browser.get(SECOND_STEP);
    await browser.get(SIGN_IN);
    const replies = [];
    for (let time = 0; time < 5; time += 1) replies.push((await giveCode(browser, '000000')).status);
    await api.root.put('/application/settings', { throttle_protected_paths_enabled: false });
    expect(replies.at(-1)).toBe(429);
  });
});

it('users with a second factor cannot use the password grant, even with the correct password', async () => {
  const person = await someone();
  for (const password of [PASSWORD, 'wrong']) {
    const form = new URLSearchParams({ grant_type: 'password', username: person.username, password });
    const answer = await fetch(`${api.url}/oauth/token`, { method: 'POST', body: form });
    expect([answer.status, ((await answer.json()) as { error: string }).error]).toEqual([
      400,
      'invalid_grant',
    ]);
  }
  const text = 'select failed_attempts from users where id = $1';
  expect(await api.sql(text, [person.id])).toEqual([{ failed_attempts: 0 }]);
});
