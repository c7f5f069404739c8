import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startApi, type TestApi } from '../../../support/api.js';
import { PASSWORD } from '../../../support/builders/person.js';
import { postForm } from '../../../support/builders/oauth.js';
import {
  addSecondFactor,
  codeOf,
  giveCode,
  outcome,
  OUTCOMES,
} from '../../../support/builders/second-factor.js';
import { isWrong, SignInDesk } from '../../../support/builders/sign-in-desk.js';
import { PageClient } from '../../../support/page-client.js';
import { createTestRedis, describeWithRedis, type TestRedis } from '../../../support/redis.js';

const SECRETS_KEY = 'one key for both processes of this test';

let one: TestApi;
let two: TestApi;
let desk: SignInDesk;

async function startBoth(env: Readonly<Record<string, string>>): Promise<void> {
  one = await startApi({ LOG_LEVEL: 'silent', SECRETS_KEY, ...env });
  two = await startApi({ LOG_LEVEL: 'silent', SECRETS_KEY, DATABASE_URL: one.databaseUrl, ...env });
  desk = new SignInDesk(one);
}
async function closeBoth(): Promise<void> {
  await two.close();
  await one.close();
}
async function put(values: object): Promise<void> {
  await desk.put(values);
  await two.root.get('/version');
}
const through = (attempt: number): TestApi => (attempt % 2 === 0 ? one : two);
const visitor = (attempt: number): PageClient => new PageClient(through(attempt).url);
/** The same browser, with requests to another process. */
function movedTo(api: TestApi, browser: PageClient): PageClient {
  const moved = new PageClient(api.url);
  for (const [name, value] of browser.jar) moved.jar.set(name, value);
  moved.formToken = browser.formToken;
  return moved;
}

describe('signing in at two processes', () => {
  beforeAll(async () => {
    await startBoth({});
    await put({ throttle_protected_paths_enabled: false });
  });
  afterAll(closeBoth);

  it('creates one session, which ends for both at once', async () => {
    const user = await desk.person();
    const first = visitor(0);
    expect((await first.signIn(user.username, PASSWORD)).status).toBe(303);
    await first.get('/-/profile');
    const second = movedTo(two, first);
    expect((await second.get('/-/profile')).status).toBe(200);
    expect((await second.submit('/users/sign_out')).status).toBe(303);
    expect((await first.get('/-/profile')).location).toBe('/users/sign_in');
  });

  it('locks the account after ten failures at both together', async () => {
    const user = await desk.person();
    for (let attempt = 0; attempt < 10; attempt += 1)
      expect(isWrong(await visitor(attempt).signIn(user.username, 'wrong'))).toBe(true);
    for (const attempt of [0, 1]) {
      expect(isWrong(await visitor(attempt).signIn(user.username, PASSWORD))).toBe(true);
      const fields = { grant_type: 'password', username: user.username, password: PASSWORD };
      expect((await postForm(through(attempt), '/oauth/token', fields)).status).toBe(400);
    }
    expect(await desk.rowOf(user.id)).toMatchObject({ failed_attempts: 10 });
  });

  it('can start at one process and end at the other, and both accept a code only once', async () => {
    const user = await desk.person();
    const { secret } = await addSecondFactor(one, user.id);
    const code = codeOf(secret);
    const browsers = [visitor(0), visitor(1)];
    for (const browser of browsers) await browser.signIn(user.username, PASSWORD);
    const [first, second] = browsers as [PageClient, PageClient];
    expect(await outcome(giveCode(movedTo(two, first), code))).toEqual(OUTCOMES.done);
    expect(await outcome(giveCode(movedTo(one, second), code))).toEqual(OUTCOMES.wrong);
  });
});

describeWithRedis('guessing at two processes', () => {
  let redis: TestRedis | undefined;
  beforeAll(async () => {
    redis = await createTestRedis();
    await startBoth({ REDIS_URL: redis?.url ?? '' });
    await put({
      throttle_protected_paths_enabled: true,
      throttle_protected_paths_requests_per_period: 4,
      throttle_protected_paths_period_in_seconds: 600,
    });
  });
  afterAll(async () => {
    await closeBoth();
    await redis?.drop();
  });

  it('is counted together, by page and password grant', async () => {
    const user = await desk.person();
    const fields = { grant_type: 'password', username: user.username, password: PASSWORD };
    for (const attempt of [0, 1]) {
      expect(isWrong(await visitor(attempt).signIn('nobody-at-all', 'wrong'))).toBe(true);
      const grant = { ...fields, password: 'wrong' };
      expect((await postForm(through(attempt), '/oauth/token', grant)).status).toBe(400);
    }
    for (const attempt of [0, 1]) {
      const page = await visitor(attempt).signIn(user.username, PASSWORD);
      expect([page.status, page.headers.get('ratelimit-remaining')]).toEqual([429, '0']);
      const grant = await postForm(through(attempt), '/oauth/token', fields);
      expect([grant.status, grant.body]).toMatchObject([429, { error: 'temporarily_unavailable' }]);
      expect(Number(grant.headers.get('retry-after'))).toBeGreaterThan(500);
    }
    expect(await one.sql('select id from sessions where user_id = $1', [user.id])).toEqual([]);
  });
});
