import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { clientKeyOf } from '#kernel/rate-limit/client-key.js';
import { startApi, type TestApi } from '../../../support/api.js';
import { SignInDesk } from '../../../support/builders/sign-in-desk.js';

let api: TestApi;
let desk: SignInDesk;
beforeAll(async () => {
  api = await startApi({ LOG_LEVEL: 'silent', TRUSTED_PROXIES: '127.0.0.1' });
  desk = new SignInDesk(api);
});
afterAll(() => api.close());

async function guessFrom(address: string): Promise<number> {
  const browser = desk.visitor();
  await browser.get('/users/sign_in');
  const fields = { 'user[login]': 'nobody-at-all', 'user[password]': 'wrong' };
  return (await browser.submit('/users/sign_in', fields, { 'X-Forwarded-For': address })).status;
}

it('clients that guess tokens are limited in their whole IPv6 network, and no one outside of it', async () => {
  await desk.put({
    throttle_protected_paths_enabled: true,
    throttle_protected_paths_requests_per_period: 2,
    throttle_protected_paths_period_in_seconds: 600,
  });
  expect(await guessFrom('2001:db8:0:1::1')).toBe(422);
  expect(await guessFrom('2001:db8:0:1:ffff::2')).toBe(422);
  expect(await guessFrom('2001:db8:0:1::3')).toBe(429);
  expect(await guessFrom('2001:db8:0:2::1')).toBe(422);
  for (const host of [1, 2]) expect(await guessFrom(`192.0.2.${host}`)).toBe(422);
  for (const status of [422, 429]) expect(await guessFrom('::ffff:192.0.2.1')).toBe(status);
});

it.each([
  ['192.0.2.1', 'ip:192.0.2.1'],
  ['2001:db8::1', 'ip:2001:db8:0:0::/64'],
  ['fe80::1', 'ip:fe80:0:0:0::/64'],
  ['', 'ip:'],
])('%j is counted as %j', (address, key) => expect(clientKeyOf(address)).toBe(key));
