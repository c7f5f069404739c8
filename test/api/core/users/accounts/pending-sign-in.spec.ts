import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { SecretBox } from '#kernel/crypto/secret-box.js';
import { SignInService } from '#core/sign-in/sign-in.service.js';
import { startApi, type TestApi } from '../../../../support/api.js';
import { type Person } from '../../../../support/builders/person.js';
import {
  addProtected,
  atSecondStep,
  codeOf,
  giveCode,
  outcome,
  OUTCOMES,
  SECOND_STEP,
  type SecondFactor,
} from '../../../../support/builders/second-factor.js';
import type { PageClient } from '../../../../support/page-client.js';

const PENDING = '_service_pending';

let api: TestApi;
beforeAll(async () => {
  api = await startApi();
  await api.root.put('/application/settings', { throttle_protected_paths_enabled: false });
});
afterAll(() => api.close());

let count = 0;
const someone = (): Promise<Person & SecondFactor> => addProtected(api, `person-${(count += 1)}`);
const isSignedIn = async (browser: PageClient): Promise<boolean> =>
  (await browser.get('/-/profile')).status === 200;

describe('a sign-in that waits for its second factor', () => {
  it('is lost without its cookie, and with a forged one', async () => {
    const person = await someone();
    const browser = await atSecondStep(api, person);
    const cookie = browser.jar.get(PENDING) as string;
    const endsAt = Date.now() + 100_000;
    const state = { userId: person.id, remember: false, passwordChangedAt: null, endsAt };
    const foreign = api.app.get(SecretBox).seal(JSON.stringify(state), 'two-factor');
    for (const made of [null, 'x', cookie.slice(0, -4), `${cookie}A`, cookie.replace(/..$/, 'zz'), foreign]) {
      if (made === null) browser.jar.delete(PENDING);
      else browser.jar.set(PENDING, made);
      expect(await outcome(browser.get(SECOND_STEP))).toEqual(OUTCOMES.again);
      if (made !== null) browser.jar.set(PENDING, made);
      expect(await outcome(giveCode(browser, codeOf(person.secret)))).toEqual(OUTCOMES.again);
    }
    expect(await isSignedIn(browser)).toBe(false);
  });

  it('requires the code of its own user', async () => {
    const [victim, attacker] = [await someone(), await someone()];
    const browser = await atSecondStep(api, attacker);
    browser.jar.set(PENDING, (await atSecondStep(api, victim)).jar.get(PENDING) as string);
    expect(await outcome(giveCode(browser, codeOf(attacker.secret)))).toEqual(OUTCOMES.wrong);
    expect(await outcome(giveCode(browser, attacker.recoveryCodes[0] as string))).toEqual(OUTCOMES.wrong);
    expect(await isSignedIn(browser)).toBe(false);
  });

  it('requires the token of the form', async () => {
    const person = await someone();
    const browser = await atSecondStep(api, person);
    const fields = { 'user[otp_attempt]': codeOf(person.secret), authenticity_token: 'wrong' };
    expect((await browser.submit(SECOND_STEP, fields)).status).toBe(422);
    const headers = { Origin: 'https://evil.example' };
    expect(
      (await browser.submit(SECOND_STEP, { ...fields, authenticity_token: browser.formToken }, headers))
        .status,
    ).toBe(422);
    expect(await isSignedIn(browser)).toBe(false);
  });

  it('ends after five minutes', async () => {
    const person = await someone();
    const browser = await atSecondStep(api, person);
    const cookie = browser.jar.get(PENDING) as string;
    const box = api.app.get(SecretBox);
    const state = JSON.parse(box.open(cookie, 'pending sign-in')) as { endsAt: number };
    expect(Math.abs(state.endsAt - Date.now() - 300_000)).toBeLessThan(10_000);
    browser.jar.set(
      PENDING,
      box.seal(JSON.stringify({ ...state, endsAt: Date.now() - 1 }), 'pending sign-in'),
    );
    expect(await outcome(giveCode(browser, codeOf(person.secret)))).toEqual(OUTCOMES.again);
  });

  it.each([
    [
      'the password changes',
      (id: number) => api.root.put(`/users/${id}`, { password: 'another horse battery' }),
    ],
    ['the user is blocked', (id: number) => api.root.post(`/users/${id}/block`)],
    ['the user is removed', (id: number) => api.root.delete(`/users/${id}`)],
    [
      'the second factor is turned off',
      (id: number) => api.root.send('PATCH', `/users/${id}/disable_two_factor`),
    ],
  ])('ends when %s', async (_what, change) => {
    const person = await someone();
    const browser = await atSecondStep(api, person);
    expect((await change(person.id)).status).toBeLessThan(300);
    expect(await outcome(giveCode(browser, codeOf(person.secret)))).toEqual(OUTCOMES.again);
    expect(await isSignedIn(browser)).toBe(false);
  });
});

it('a sign-in is not completed with less than the account requires at that time', async () => {
  const person = await someone();
  const [row] = await api.sql<{ at: Date }>('select password_changed_at as at from users where id = $1', [
    person.id,
  ]);
  const request = {
    userId: person.id,
    passwordChangedAt: row?.at ?? null,
    hasSecondFactor: true,
    remember: false,
    remoteIp: null,
    userAgent: null,
    formerSessionId: null,
  };
  const service = api.app.get(SignInService, { strict: false });
  // The second factor was set up, or the password changed, while the first step was processed.
  expect(await service.complete({ ...request, hasSecondFactor: false })).toBeNull();
  expect(await service.complete({ ...request, passwordChangedAt: new Date(0) })).toBeNull();
  expect(await service.complete({ ...request, passwordChangedAt: null })).toBeNull();
  expect(await service.complete(request)).not.toBeNull();
});
