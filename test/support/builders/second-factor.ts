import { TwoFactorChangesService } from '#core/two-factor/two-factor-changes.service.js';
import { newTotpSecret, stepAt, totpCode } from '#core/two-factor/codes/totp.js';
import type { TestApi } from '../api.js';
import { PageClient, type PageReply } from '../page-client.js';
import { addPerson, PASSWORD, type Person } from './person.js';

/** A second factor whose secret the test knows. */
export interface SecondFactor {
  readonly secret: string;
  readonly recoveryCodes: readonly string[];
}

/** The code that an authenticator shows now, or `distance` steps from now. */
export const codeOf = (secret: string, distance = 0): string =>
  totpCode(secret, stepAt(new Date()) + distance);

/** Deletes the used codes, so that tests need not wait for the next one. */
export async function forgetSteps(api: TestApi, userId: number): Promise<void> {
  await api.sql('update user_two_factors set last_step = 0 where user_id = $1', [userId]);
}

/** Sets up a second factor for a user, with unused codes for the test. */
export async function addSecondFactor(api: TestApi, userId: number): Promise<SecondFactor> {
  const secret = newTotpSecret();
  const changes = api.app.get(TwoFactorChangesService, { strict: false });
  const enabled = await changes.enable({ userId, sessionId: 0 }, secret, codeOf(secret));
  if (!('codes' in enabled)) throw new Error(enabled.refused);
  await forgetSteps(api, userId);
  return { secret, recoveryCodes: enabled.codes };
}

/** Path of the second step of a sign-in. */
export const SECOND_STEP = '/users/sign_in/second_factor';

/** A user with a second factor. */
export async function addProtected(api: TestApi, username: string): Promise<Person & SecondFactor> {
  const person = await addPerson(api, username);
  return { ...person, ...(await addSecondFactor(api, person.id)) };
}

/** A browser in which the password was entered, but not the second factor. */
export async function atSecondStep(
  api: TestApi,
  { username }: Person,
  more: Record<string, string> = {},
): Promise<PageClient> {
  const browser = new PageClient(api.url);
  const { status, location, text } = await browser.signIn(username, PASSWORD, more);
  if (location !== SECOND_STEP) throw new Error(`${status} ${location} ${text}`);
  await browser.get(SECOND_STEP);
  return browser;
}

/** Sends a code, or any other value. */
export const giveCode = (browser: PageClient, code: string): Promise<PageReply> =>
  browser.submit(SECOND_STEP, { 'user[otp_attempt]': code });

/** Status of a response and its location. */
export async function outcome(reply: Promise<PageReply>): Promise<[number, string | null]> {
  const { status, location } = await reply;
  return [status, location];
}

/** Result of a code: signed in, prompted again, or redirected to the first step. */
export const OUTCOMES = {
  done: [303, '/-/profile'],
  wrong: [422, null],
  again: [303, '/users/sign_in'],
} as const;
