import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { STYLE } from '#web/assets/style.js';
import type { TestApi } from '../../support/api.js';
import { addUser, type AddedUser } from '../../support/builders/instance.js';
import { buildSession } from '../../support/builders/session.js';
import { PageClient, type PageReply } from '../../support/page-client.js';
import { startProbedApi } from '../../support/probe/start-probed-api.js';

let api: TestApi;
let user: AddedUser;
beforeAll(async () => {
  api = await startProbedApi({ LOG_LEVEL: 'silent' });
  user = await addUser(api, 'somebody');
});
afterAll(() => api.close());

const visitor = (): PageClient => new PageClient(api.url);
async function signedIn(userId = user.id): Promise<PageClient> {
  const client = visitor();
  const session = await buildSession(api, userId);
  client.jar.set('_service_session', session.secret);
  client.formToken = session.csrfToken;
  return client;
}
const who = ({ text }: PageReply): string | undefined => /id="who">([^<]*)</.exec(text)?.[1];

describe('a page', () => {
  it('escapes all values', async () => {
    const words = `"><script>alert('1')</script>&amp;`;
    const { text } = await visitor().get(`/-/probe/open?words=${encodeURIComponent(words)}`);
    const escaped = '&quot;&gt;&lt;script&gt;alert(&#39;1&#39;)&lt;/script&gt;&amp;amp;';
    expect(text).toContain(`<p title="${escaped}">${escaped}</p>`);
    expect(text).toContain(`<title>Probe ${escaped} - Forgeplane</title>`);
    expect(text).not.toContain('<script>');
  });

  it('cannot be framed, cached or leaked by referrers', async () => {
    const answer = await visitor().get('/-/probe/plain');
    expect(Object.fromEntries(answer.headers)).toMatchObject({
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy':
        "default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self' data:; form-action 'self' https://client.example:8443 app:; frame-ancestors 'none'; base-uri 'none'",
      'x-frame-options': 'DENY',
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'same-origin',
      'cache-control': 'no-store',
    });
    expect(answer.headers.get('etag')).toBeNull();
    expect(answer.cookies).toEqual([]);
    expect(answer.text).toMatch(/^<!doctype html>\s*<html lang="en">/);
    expect(answer.text).not.toMatch(/style="|onclick|<script>|<style/);
    const head = await visitor().send('HEAD', '/-/probe/plain');
    expect([head.status, head.text, head.headers.get('content-length')]).toEqual([
      200,
      '',
      String(Buffer.byteLength(answer.text)),
    ]);
  });

  it('loads a style sheet that is cached forever, under a name of its content', async () => {
    const { text } = await visitor().get('/-/probe/plain');
    for (const [, path = ''] of text.matchAll(/(?:href|src)="(\/-\/assets\/[^"]+)"/g)) {
      const answer = await visitor().get(path);
      expect([path, answer.status]).toEqual([path, 200]);
      expect(answer.headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
      expect(answer.headers.get('content-type')).toMatch(/^text\/(css|javascript); charset=utf-8$/);
    }
    expect(text).toContain(STYLE.path);
    expect((await visitor().get('/-/assets/style-000000000000.css')).status).toBe(404);
  });

  it('sets a cookie for anonymous visitors of a form', async () => {
    const client = visitor();
    const [cookie] = (await client.get('/-/probe/open')).cookies;
    expect(cookie).toMatch(/^_service_session=[\w-]{43}; Path=\/; HttpOnly; SameSite=Lax$/);
    expect((await client.get('/-/probe/open')).cookies).toEqual([]);
    expect(await api.sql('select id from sessions')).toEqual([]);
  });
});

describe('forms', () => {
  it('are accepted with their token, and answered by a redirect with a message that is shown once', async () => {
    const client = visitor();
    await client.get('/-/probe/open');
    const answer = await client.submit('/-/probe/open');
    expect([answer.status, answer.location]).toEqual([303, '/-/probe/open']);
    expect(answer.cookies).toEqual(['_service_flash=saved; Path=/; Max-Age=60; HttpOnly; SameSite=Lax']);
    expect((await client.get('/-/probe/open')).text).toContain('Your changes have been saved.');
    expect((await client.get('/-/probe/open')).text).not.toContain('saved');
    client.jar.set('_service_flash', 'toString');
    expect((await client.get('/-/probe/open')).status).toBe(200);
  });

  it('are refused from other sites, or without the token of their visitor', async () => {
    const client = await signedIn();
    const own = client.formToken;
    const other = (await buildSession(api, user.id)).csrfToken;
    const secret = client.jar.get('_service_session') ?? '';
    const attempt = async (token: string, headers: Record<string, string> = {}): Promise<number> =>
      (await client.submit('/-/probe/open', { authenticity_token: token }, headers)).status;
    expect(await attempt(own)).toBe(303);
    expect(await attempt(own, { Origin: 'http://forgeplane.test', 'Sec-Fetch-Site': 'same-origin' })).toBe(
      303,
    );
    expect(await attempt(own, { Origin: 'null' })).toBe(303);
    expect(await attempt(own, { 'Sec-Fetch-Site': 'none' })).toBe(303);
    expect(await attempt(own, { Origin: api.url, 'Sec-Fetch-Site': 'same-origin' })).toBe(303);
    expect(await attempt('', { 'X-CSRF-Token': own })).toBe(303);
    for (const token of ['', 'wrong', other, secret, `${own}=`, own.slice(1)])
      expect([token, await attempt(token)]).toEqual([token, 422]);
    for (const origin of [
      'http://evil.test',
      'https://forgeplane.test',
      'http://forgeplane.test.evil.test',
      api.url,
    ])
      expect([origin, await attempt(own, { Origin: origin })]).toEqual([origin, 422]);
    expect(await attempt(own, { 'Sec-Fetch-Site': 'cross-site' })).toBe(422);
    expect(await attempt(own, { Origin: 'http://evil.test', 'Sec-Fetch-Site': 'same-site' })).toBe(422);
    expect(await attempt(own, { Origin: 'http://evil.test', 'Sec-Fetch-Site': 'same-origin' })).toBe(422);
    const listed = await client.submit('/-/probe/open', [
      ['authenticity_token[]', own],
      ['authenticity_token', ''],
    ]);
    expect(listed.status).toBe(422);
    const inQuery = await client.send('POST', `/-/probe/open?authenticity_token=${own}`, '');
    expect(inQuery.status).toBe(422);
  });

  it('say which address accepts them, if they are sent from another one of the service', async () => {
    const client = await signedIn();
    const textOf = async (headers: Record<string, string>): Promise<string> => {
      const { status, text } = await client.submit('/-/probe/open', {}, headers);
      expect(status).toBe(422);
      return text;
    };
    const told = `accepted at http://forgeplane.test only, and this one was sent from ${api.url}`;
    expect(await textOf({ Origin: api.url })).toContain(told);
    for (const Origin of ['http://evil.test', 'x'])
      expect(await textOf({ Origin })).toContain('The form is out of date, or was not sent from this site');
    client.formToken = 'x';
    const same = { Origin: api.url, 'Sec-Fetch-Site': 'same-origin' };
    expect(await textOf(same)).toContain('The form is out of date');
    expect(await textOf({})).toContain('The form is out of date');
    expect(await textOf({ Origin: 'http://forgeplane.test' })).toContain('The form is out of date');
  });

  it('of anonymous visitors also require their cookie', async () => {
    const [one, two] = [visitor(), visitor()];
    await one.get('/-/probe/open');
    await two.get('/-/probe/open');
    expect((await two.submit('/-/probe/open', { authenticity_token: one.formToken })).status).toBe(422);
    expect((await two.submit('/-/probe/open', { authenticity_token: two.formToken })).status).toBe(303);
    one.jar.clear();
    expect((await one.submit('/-/probe/open')).status).toBe(422);
    one.jar.set('_service_session', 'short');
    expect((await one.submit('/-/probe/open')).status).toBe(422);
  });

  it('name other methods in a field, if a page has them', async () => {
    const client = await signedIn();
    const put = await client.submit('/-/probe/user', { _method: 'put', words: 'a <b>' });
    expect([put.status, put.text.includes('<p>a &lt;b&gt;</p>')]).toEqual([200, true]);
    expect((await client.submit('/-/probe/user', { _method: 'DELETE' })).text).toContain('gone');
    expect((await client.submit('/-/probe/user', { _method: 'patch' })).status).toBe(405);
    expect((await client.submit('/-/probe/user')).status).toBe(405);
    expect((await client.submit('/-/probe/user?_method=put')).status).toBe(405);
    expect((await client.submit('/-/probe/user', [['_method[]', 'put']])).status).toBe(405);
    const json = { 'Content-Type': 'application/json', 'X-CSRF-Token': client.formToken };
    expect((await client.send('POST', '/-/probe/user', '{"_method":"put"}', json)).status).toBe(405);
    // The API uses the method that was sent.
    const project = await api.root.post<{ id: number }>('/projects', { name: 'kept' });
    const answer = await api.root.post(`/projects/${project.body.id}`, '_method=delete', {
      'Content-Type': 'application/x-www-form-urlencoded',
    });
    expect(answer.status).toBe(405);
  });

  it('are shown again with their errors', async () => {
    const client = await signedIn();
    const answer = await client.submit('/-/probe/user', { _method: 'put' });
    expect(answer.status).toBe(422);
    expect(answer.text).toContain('<title>Errors: Put - Forgeplane</title>');
    expect(answer.text).toMatch(/role="alert"[\s\S]*<a href="#f-words">Words are missing<\/a>/);
  });
});

describe('pages for users', () => {
  it('lead others to the sign-in page, and return them to the requested page', async () => {
    const client = visitor();
    const answer = await client.get('/-/probe/user?a=b;c&d="e"');
    expect([answer.status, answer.location]).toEqual([302, '/users/sign_in']);
    expect(answer.cookies).toEqual([
      `_service_return_to=${encodeURIComponent('/-/probe/user?a=b;c&d=%22e%22')}; Path=/; Max-Age=600; HttpOnly; SameSite=Lax`,
    ]);
    const write = await visitor().submit('/-/probe/user', { _method: 'put' });
    expect([write.status, write.location, write.cookies]).toEqual([302, '/users/sign_in', []]);
    expect((await visitor().get(`/-/probe/user?${'x'.repeat(4000)}`)).cookies).toEqual([]);
    const admin = await visitor().get('/-/probe/admin');
    expect([admin.status, admin.location]).toEqual([302, '/users/sign_in']);
  });

  it('identify a user only by the session cookie', async () => {
    expect(who(await (await signedIn()).get('/-/probe/user'))).toBe('somebody');
    const client = visitor();
    const credentials = [
      { 'PRIVATE-TOKEN': user.token },
      { Authorization: `Bearer ${user.token}` },
      { 'JOB-TOKEN': 'x' },
      { Authorization: 'Bearer unknown' },
    ];
    for (const headers of credentials) expect(who(await client.get('/-/probe/open', headers))).toBe('nobody');
    expect(who(await client.get(`/-/probe/open?private_token=${user.token}`))).toBe('nobody');
    const root = await signedIn(1);
    expect(who(await root.get('/-/probe/open?sudo=somebody', { Sudo: 'somebody' }))).toBe('root');
    expect(who(await root.get('/-/probe/open?sudo[]=1'))).toBe('root');
  });

  it('are closed after the session ended or the account was disabled', async () => {
    const shut = await addUser(api, 'shut');
    const client = await signedIn(shut.id);
    expect((await client.get('/-/probe/user')).status).toBe(200);
    for (const state of ['blocked', 'ldap_blocked', 'banned', 'blocked_pending_approval', 'deactivated']) {
      await api.sql('update users set state = $2 where id = $1', [shut.id, state]);
      expect([state, (await client.get('/-/probe/user')).status]).toEqual([state, 302]);
      expect([state, who(await client.get('/-/probe/open'))]).toEqual([state, 'nobody']);
    }
    await api.sql(`update users set state = 'active' where id = $1`, [shut.id]);
    expect((await client.get('/-/probe/user')).status).toBe(200);
    await api.sql(`update sessions set expires_at = now() where user_id = $1`, [shut.id]);
    expect((await client.get('/-/probe/user')).status).toBe(302);
  });

  it('for administrators tell others that they are only for administrators', async () => {
    expect(who(await (await signedIn(1)).get('/-/probe/admin'))).toBe('root');
    const answer = await (await signedIn()).get('/-/probe/admin');
    expect([answer.status, answer.headers.get('content-type')]).toEqual([403, 'text/html; charset=utf-8']);
  });

  it('show the navigation to signed-in users', async () => {
    const { text } = await (await signedIn()).get('/-/probe/user');
    const links = [...text.matchAll(/<li>\s*<a href="([^"]+)"/g)].map(([, href]) => href);
    expect(links).toContain('/-/profile/personal_access_tokens');
    expect(text).toMatch(/<form action="\/users\/sign_out" method="post"/);
    expect((await visitor().get('/-/probe/plain')).text).not.toContain('/users/sign_out');
  });

  it('show administrators the links to their pages', async () => {
    const link = 'href="/admin/applications"';
    expect((await (await signedIn()).get('/-/profile')).text).not.toContain(link);
    expect((await (await signedIn(1)).get('/-/profile')).text).toContain(link);
  });
});

describe('an API request with a session cookie', () => {
  it('is anonymous once the session is no longer valid', async () => {
    const project = await api.root.post<{ id: number }>('/projects', { name: 'open', visibility: 'public' });
    const ended = await buildSession(api, user.id);
    await api.sql('update sessions set expires_at = now() where id = $1', [ended.id]);
    for (const secret of [ended.secret, 'unknown', 'x'.repeat(43)]) {
      const cookie = { Cookie: `_service_session=${secret}` };
      const path = `/projects/${project.body.id}`;
      expect((await api.anonymous.get(path, cookie)).status).toBe(200);
      expect((await api.anonymous.get('/projects', cookie)).status).toBe(200);
      expect((await api.anonymous.get('/user', cookie)).status).toBe(401);
      expect((await api.anonymous.delete(path, cookie)).status).toBe(401);
      expect((await api.anonymous.get(`${path}?sudo=root`, cookie)).status).toBe(401);
    }
    const own = await api.root.post<{ id: number }>('/projects', { name: 'shut', visibility: 'private' });
    await api.sql(
      `insert into members (user_id, source_type, source_id, access_level) values ($1, 'Project', $2, 30)`,
      [user.id, own.body.id],
    );
    const live = await buildSession(api, user.id);
    const cookie = { Cookie: `_service_session=${live.secret}` };
    expect((await api.anonymous.get(`/projects/${own.body.id}`, cookie)).status).toBe(200);
    await api.sql('update sessions set expires_at = now() where id = $1', [live.id]);
    expect((await api.anonymous.get(`/projects/${own.body.id}`, cookie)).status).toBe(404);
  });
});
