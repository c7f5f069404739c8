import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { TestApi } from '../../../support/api.js';
import { addUser, type AddedUser } from '../../../support/builders/instance.js';
import { buildBrowser } from '../../../support/builders/session.js';
import { buildImpersonationToken, buildToken } from '../../../support/builders/token.js';
import type { PageClient, PageReply } from '../../../support/page-client.js';
import { borrowApi } from '../../../support/shared-api.js';

const PATH = '/-/profile/personal_access_tokens';
const day = (offset: number): string => new Date(Date.now() + offset * 86_400_000).toISOString().slice(0, 10);
const HOSTILE = `"><script>alert('x')</script>`;
const ESCAPED = '&quot;&gt;&lt;script&gt;alert(&#39;x&#39;)&lt;/script&gt;';

let api: TestApi;
let user: AddedUser;
let browser: PageClient;
beforeAll(async () => {
  api = await borrowApi();
  user = await addUser(api, 'somebody');
  browser = await buildBrowser(api, user.id);
  await browser.get(PATH);
});
afterAll(() => api.close());

const shownToken = ({ text }: PageReply): string =>
  /<input [^>]*name="token"[^>]*value="([^"]+)"/s.exec(text)?.[1] ?? '';
const newest = async (): Promise<Record<string, unknown>> => {
  const rows = await api.sql<Record<string, unknown>>(
    `select id, name, scopes, expires_at, revoked, user_id from personal_access_tokens order by id desc limit 1`,
  );
  return rows[0] ?? {};
};
const total = async (): Promise<number> =>
  (await api.sql<{ total: number }>('select count(*)::int as total from personal_access_tokens'))[0]?.total ??
  0;

describe('creating a token', () => {
  it('offers a form without the scopes of administrators', async () => {
    const page = await browser.get(PATH);
    expect(page.status).toBe(200);
    expect(page.text).toContain('<h1>Personal access tokens</h1>');
    expect(page.text).toMatch(/<fieldset[\s\S]*<legend>Scopes<\/legend>/);
    expect(page.text).toContain('Full access to the API (api)');
    expect(page.text).not.toMatch(/value="(sudo|admin_mode)"/);
    const root = await buildBrowser(api, 1);
    expect((await root.get(PATH)).text).toMatch(/value="sudo"[\s\S]*value="admin_mode"/);
  });

  it('shows the token once, in the response itself, and stores its digest', async () => {
    const made = await browser.submit(PATH, {
      name: 'laptop',
      expires_at: day(30),
      'scopes[0]': 'read_api',
      'scopes[1]': 'read_user',
    });
    expect(made.status).toBe(200);
    const token = shownToken(made);
    expect(token).toMatch(/^glpat-[\w-]{20}$/);
    expect(made.text).toMatch(/<input [^>]*data-copy="the token"[^>]* readonly/s);
    expect(made.headers.get('cache-control')).toBe('no-store');
    expect(made.headers.getSetCookie().join()).not.toContain(token);
    expect(await newest()).toMatchObject({
      name: 'laptop',
      scopes: ['read_api', 'read_user'],
      expires_at: day(30),
      user_id: user.id,
    });
    const self = await api.as(token).get('/personal_access_tokens/self');
    expect(self.body).toMatchObject({ name: 'laptop', user_id: user.id });
    const later = await browser.get(PATH);
    expect(later.text).toContain('laptop');
    expect(later.text).not.toContain(token);
    expect(shownToken(later)).toBe('');
    const events = await api.sql<{ message: string }>(
      `select details->>'custom_message' as message from audit_events where entity_id = $1 order by id desc limit 1`,
      [user.id],
    );
    expect(events[0]?.message).toMatch(/^Created personal access token with id/);
  });

  it('also works at the newer URL, and without a date', async () => {
    const made = await browser.submit('/-/user_settings/personal_access_tokens', {
      name: 'for ever',
      expires_at: '',
      'scopes[]': 'api',
    });
    expect(made.status).toBe(200);
    expect(await newest()).toMatchObject({ name: 'for ever', expires_at: null });
  });

  it.each([
    [{ 'scopes[]': 'api' }, 'Name is empty', 'name'],
    [{ name: ' ', 'scopes[]': 'api' }, 'Name is empty', 'name'],
    [{ name: 'x' }, 'Choose at least one scope', 'scopes'],
    [{ name: 'x', 'scopes[]': 'invented' }, 'Choose only scopes from the list', 'scopes'],
    [{ name: 'x', 'scopes[]': 'sudo' }, 'Choose only scopes from the list', 'scopes'],
    [{ name: 'x', 'scopes[]': 'admin_mode' }, 'Choose only scopes from the list', 'scopes'],
    [{ name: 'x', 'scopes[]': 'api', expires_at: 'soon' }, 'Expiry date is invalid', 'expires_at'],
    [{ name: 'x', 'scopes[]': 'api', expires_at: day(0) }, 'Expiry date must be after today', 'expires_at'],
  ])('refuses %j with the form and the errors', async (fields: Record<string, string>, text, name) => {
    const before = await total();
    const refused = await browser.submit(PATH, fields);
    expect(refused.status).toBe(422);
    expect(refused.text).toContain('<title>Errors: Personal access tokens');
    expect(refused.text).toMatch(new RegExp(`role="alert"[\\s\\S]*<a href="#f-${name}">${text}</a>`));
    expect(refused.text).toContain(`id="f-${name}-error"`);
    expect(shownToken(refused)).toBe('');
    expect(await total()).toBe(before);
  });

  it('keeps the entered values', async () => {
    const refused = await browser.submit(PATH, {
      name: HOSTILE,
      'scopes[]': 'read_user',
      expires_at: 'soon',
    });
    expect(refused.text).toContain(`value="${ESCAPED}"`);
    expect(refused.text).toMatch(/value="read_user"[^>]*checked/);
    expect(refused.text).not.toMatch(/value="api"[^>]*checked/);
    const tooLong = await browser.submit(PATH, { name: 'n'.repeat(300), 'scopes[]': 'api' });
    expect([tooLong.status, tooLong.text.includes('n'.repeat(300))]).toEqual([422, true]);
  });

  it('respects the maximum lifetime of the settings', async () => {
    await api.root.put('/application/settings', { max_personal_access_token_lifetime: 5 });
    try {
      expect((await browser.get(PATH)).text).toContain(`${day(5)} at the latest`);
      const late = await browser.submit(PATH, { name: 'x', 'scopes[]': 'api', expires_at: day(6) });
      expect(late.status).toBe(422);
      expect((await browser.submit(PATH, { name: 'short', 'scopes[]': 'api' })).status).toBe(200);
      expect(await newest()).toMatchObject({ name: 'short', expires_at: day(5) });
    } finally {
      await api.root.put('/application/settings', { max_personal_access_token_lifetime: null });
    }
  });

  it('offers sudo to administrators', async () => {
    const root = await buildBrowser(api, 1);
    await root.get(PATH);
    expect((await root.submit(PATH, { name: 'root', 'scopes[]': 'sudo' })).status).toBe(200);
    expect(await newest()).toMatchObject({ scopes: ['sudo'], user_id: 1 });
  });

  it('requires the session with the token of its form', async () => {
    const before = await total();
    const fields = { name: 'x', 'scopes[]': 'api' };
    const other = await buildBrowser(api, user.id);
    await other.get(PATH);
    const foreign = other.formToken;
    for (const forged of ['', 'wrong', foreign])
      expect((await browser.submit(PATH, { ...fields, authenticity_token: forged })).status).toBe(422);
    const stranger = await api.anonymous.get(PATH, { Accept: 'text/html' });
    expect([stranger.status, stranger.headers.get('location')]).toEqual([302, '/users/sign_in']);
    const byToken = await api.as(user.token).get(PATH, { Accept: 'text/html' });
    expect([byToken.status, byToken.headers.get('location')]).toEqual([302, '/users/sign_in']);
    expect(await total()).toBe(before);
  });
});

describe('the list of tokens', () => {
  it('shows only active tokens of the user, newest first', async () => {
    const person = await addUser(api, 'lister');
    const own = await buildBrowser(api, person.id);
    await buildToken(api, person.id, { name: 'older' });
    await buildToken(api, person.id, { name: HOSTILE, expires_at: day(3) });
    await buildToken(api, person.id, { name: 'expired', expires_at: '2020-01-01' });
    const revoked = await buildToken(api, person.id, { name: 'was revoked' });
    await api.root.delete(`/personal_access_tokens/${revoked.id}`);
    await buildImpersonationToken(api, person.id, { name: 'secretly' });
    const html = (await own.get(PATH)).text;
    expect(html).not.toMatch(/<td>\s*(expired|was revoked|secretly|laptop)\s*</);
    expect(html).not.toContain('<script>alert');
    expect(html.indexOf(ESCAPED)).toBeGreaterThan(0);
    expect(html.indexOf(ESCAPED)).toBeLessThan(html.indexOf('older'));
    expect(html).toContain(`<time datetime="${day(3)}">`);
    expect(html).toMatch(/<caption>\s*Active tokens/);
    const first = await own.get(`${PATH}?per_page=1`);
    expect(first.text).not.toContain('older');
    expect(first.text).toContain(`href="${PATH}?page=2&amp;per_page=1" rel="next"`);
    expect((await own.get(`${PATH}?per_page=1&page=2`)).text).toContain('older');
  });
});

describe('revoking a token', () => {
  it('asks for confirmation, and takes effect from the next request on', async () => {
    const token = await buildToken(api, user.id, { name: HOSTILE });
    const asked = await browser.get(`${PATH}/${token.id}/revoke`);
    expect(asked.status).toBe(200);
    expect(asked.text).toContain(`Revoke ${ESCAPED}`);
    expect(asked.text).toContain(`href="${PATH}">Cancel`);
    expect((await api.as(token.token).get('/user')).status).toBe(200);
    const done = await browser.submit(`${PATH}/${token.id}/revoke`, { _method: 'put' });
    expect([done.status, done.location]).toEqual([303, PATH]);
    expect((await api.as(token.token).get('/user')).status).toBe(401);
    expect((await browser.get(PATH)).text).toContain('The access token has been revoked.');
    expect((await browser.get(PATH)).text).not.toContain('The access token has been revoked.');
  });

  it('excludes tokens of others, impersonation tokens, and requests without its form', async () => {
    const other = await buildToken(api, 1, { name: 'of root' });
    const hidden = await buildImpersonationToken(api, user.id, { name: 'hidden' });
    for (const { id } of [other, hidden, { id: 999_999 }]) {
      const asked = await browser.get(`${PATH}/${id}/revoke`);
      expect([asked.status, asked.text.includes('Page not found')]).toEqual([404, true]);
      expect((await browser.submit(`${PATH}/${id}/revoke`, { _method: 'put' })).status).toBe(404);
    }
    const own = await buildToken(api, user.id);
    const forged = await browser.submit(`${PATH}/${own.id}/revoke`, {
      _method: 'put',
      authenticity_token: 'x',
    });
    expect(forged.status).toBe(422);
    for (const { token } of [other, hidden, own]) expect((await api.as(token).get('/user')).status).toBe(200);
  });
});
