import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { startApi, type TestApi } from '../../../support/api.js';
import { PASSWORD } from '../../../support/builders/person.js';
import { SignInDesk } from '../../../support/builders/sign-in-desk.js';

const BASE = 'http://forgeplane.test/tools/forge';

let api: TestApi;
let desk: SignInDesk;
beforeAll(async () => {
  api = await startApi({ EXTERNAL_URL: `${BASE}/`, LOG_LEVEL: 'silent' });
  desk = new SignInDesk(api);
});
afterAll(() => api.close());

const linksOf = (text: string): string[] =>
  [...text.matchAll(/ (?:href|action|src)="([^"#][^"]*)"/g)].map(([, link]) => link ?? '');

const pathsOf = (cookies: readonly string[]): (string | undefined)[] =>
  cookies.map((line) => /; Path=([^;]*)/.exec(line)?.[1]);

it('the service has pages with links and cookies that work behind a proxy that strips a path', async () => {
  const user = await desk.person();
  const browser = desk.visitor();
  const asked = await browser.get('/-/profile/emails?x=1');
  expect([asked.status, asked.location]).toEqual([302, '/tools/forge/users/sign_in']);
  const form = await browser.get('/users/sign_in');
  expect(pathsOf(asked.cookies)).toEqual(['/tools/forge']);
  const links = linksOf(form.text);
  expect(links).toContain('/tools/forge/users/sign_in');
  expect(links.filter((link) => !link.startsWith('/tools/forge/') && link !== 'data:,')).toEqual([]);
  const fields = { 'user[login]': user.username, 'user[password]': PASSWORD };
  const origin = { Origin: 'http://forgeplane.test', 'Sec-Fetch-Site': 'same-origin' };
  const signedIn = await browser.submit('/users/sign_in', fields, origin);
  expect(new Set(pathsOf([...form.cookies, ...signedIn.cookies]))).toEqual(new Set(['/tools/forge']));
  expect([signedIn.status, signedIn.location]).toEqual([303, '/tools/forge/-/profile/emails?x=1']);
});

it('the service does not treat texts of users as links', async () => {
  const user = await desk.person();
  const browser = desk.visitor();
  await browser.signIn(user.username, PASSWORD);
  await browser.get('/-/profile');
  const bio = `<a href="/x"> href="/y" action='/z'`;
  expect((await browser.submit('/-/profile', { _method: 'put', bio })).status).toBe(303);
  const { text } = await browser.get('/-/profile');
  expect(text).toContain('&lt;a href=&quot;/x&quot;&gt; href=&quot;/y&quot; action=&#39;/z&#39;</textarea>');
});

it('the service gives clients of the provider the full URL', async () => {
  const answer = await api.anonymous.get('/.well-known/openid-configuration');
  expect([answer.status, answer.body]).toMatchObject([
    200,
    {
      issuer: BASE,
      authorization_endpoint: `${BASE}/oauth/authorize`,
      jwks_uri: `${BASE}/oauth/discovery/keys`,
    },
  ]);
});
