import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { TestApi } from '../../support/api.js';
import { addUser, type AddedUser } from '../../support/builders/instance.js';
import { buildApplication, buildPair } from '../../support/builders/oauth.js';
import { buildBrowser } from '../../support/builders/session.js';
import { PageClient } from '../../support/page-client.js';
import {
  APPLICATION_FIELDS,
  countApplications,
  ESCAPED_NAME,
  expectSecret,
  HOSTILE_NAME,
  inputValue,
  newestApplication,
  storedApplication,
} from '../../support/applications.js';
import { borrowApi } from '../../support/shared-api.js';

const PATH = '/-/profile/applications';
const ALIAS = '/oauth/applications';
const ADMIN = '/admin/applications';
const AUTHORIZED = '/oauth/authorized_applications';

let api: TestApi;
let user: AddedUser;
let browser: PageClient;
let root: PageClient;
beforeAll(async () => {
  api = await borrowApi();
  user = await addUser(api, 'somebody');
  browser = await buildBrowser(api, user.id);
  root = await buildBrowser(api, 1);
  await browser.get(`${PATH}/new`);
  await root.get(`${ADMIN}/new`);
});
afterAll(() => api.close());

describe('registering an application', () => {
  it.each([PATH, ALIAS])('starts at %s/new', async (path) => {
    const page = await browser.get(`${path}/new`);
    expect(page.status).toBe(200);
    expect(page.text).toContain('<h1>New application</h1>');
    expect(page.text).toContain('<textarea');
    expect(page.text).toMatch(/name="confidential"[^>]*checked/);
    expect(page.text).toContain('Sign you in (openid)');
    expect(page.text).not.toContain('name="trusted"');
  });

  it('shows the secret once, in the response itself', async () => {
    const made = await browser.submit(ALIAS, {
      ...APPLICATION_FIELDS,
      redirect_uri: 'https://client.example.com/callback\r\nhttp://127.0.0.1:4000/done\r\n',
      'scopes[]': 'read_user',
      trusted: '1',
      refresh_grace_period_seconds: '60',
      owner_id: '1',
    });
    expect(made.status).toBe(200);
    const secret = inputValue('secret', made);
    const row = await newestApplication(api);
    expect(row).toMatchObject({
      name: 'Robot',
      redirect_uris: ['https://client.example.com/callback', 'http://127.0.0.1:4000/done'],
      scopes: ['read_user'],
      confidential: true,
      trusted: false,
      owner_id: user.id,
      refresh_grace_period_seconds: 0,
    });
    await expectSecret(api, row.id, secret);
    expect(made.headers.get('cache-control')).toBe('no-store');
    expect(made.cookies.join()).not.toContain(secret);
    for (const path of [PATH, `${PATH}/${row.id}`, `${PATH}/${row.id}/edit`, `${ALIAS}/${row.id}`]) {
      const page = await browser.get(path);
      expect([path, page.status, page.text.includes('Robot')]).toEqual([path, 200, true]);
      expect(page.text).not.toContain(secret);
    }
  });

  it('requires no secret for clients that cannot keep one', async () => {
    const { confidential, ...fields } = APPLICATION_FIELDS;
    expect(confidential).toBe('1');
    const made = await browser.submit(PATH, fields);
    expect([made.status, inputValue('secret', made)]).toEqual([200, '']);
    expect(made.text).not.toContain('Renew secret');
    expect(await newestApplication(api)).toMatchObject({ confidential: false });
  });

  it.each([
    [{ name: '' }, 'name', 'Name is empty'],
    [{ redirect_uri: ' \n ' }, 'redirect_uri', 'Redirect URI is empty'],
    [{ redirect_uri: 'javascript:alert(1)' }, 'redirect_uri', 'is forbidden by the server.'],
    [{ redirect_uri: 'https://a.example/#x' }, 'redirect_uri', 'cannot contain a fragment.'],
    [{ redirect_uri: 'callback' }, 'redirect_uri', 'must be an absolute URI.'],
    [{ 'scopes[]': 'invented' }, 'scopes', 'Choose only scopes from the list'],
    [{ 'scopes[]': '' }, 'scopes', 'Choose at least one scope'],
  ])('refuses %j with the form and the errors', async (changes, name, text) => {
    const before = await countApplications(api);
    const refused = await browser.submit(PATH, { ...APPLICATION_FIELDS, ...changes });
    expect(refused.status).toBe(422);
    expect(refused.text).toContain('<title>Errors: New application');
    expect(refused.text).toMatch(new RegExp(`role="alert"[\\s\\S]*<a href="#f-${name}">[^<]*${text}`));
    expect(refused.text).toContain(`id="f-${name}-error"`);
    expect(await countApplications(api)).toBe(before);
  });

  it('keeps the entered values', async () => {
    const sent = { name: HOSTILE_NAME, redirect_uri: `</textarea>${HOSTILE_NAME}`, 'scopes[]': 'read_user' };
    const { status, text } = await browser.submit(PATH, sent);
    expect(status).toBe(422);
    expect(text).toContain(`value="${ESCAPED_NAME}"`);
    expect(text).toContain(`&lt;/textarea&gt;${ESCAPED_NAME}</textarea>`);
    expect(text).toMatch(/value="read_user"[^>]*checked/);
    expect(text).not.toMatch(/name="confidential"[^>]*checked/);
    expect(text).not.toContain('<script>alert');
  });

  it('escapes texts, and accepts no methods in the query', async () => {
    const before = await countApplications(api);
    for (const [replaced, name, value] of [
      ['name', 'name[]', 'x'],
      ['name', 'name[a]', 'x'],
      ['name', 'name', 'a\0b'],
      ['redirect_uri', 'redirect_uri[]', 'https://a.example'],
      ['scopes[]', 'scopes[a]', 'api'],
      ['scopes[]', 'scopes[0][a]', 'api'],
      ['confidential', 'confidential', 'perhaps'],
    ] as const) {
      const others = Object.entries(APPLICATION_FIELDS).filter(([key]) => key !== replaced);
      const refused = await browser.submit(PATH, [...others, [name, value]]);
      expect([name, refused.status]).toEqual([name, 400]);
      expect(refused.text).toContain('<h1>This request cannot be read</h1>');
    }
    expect(await countApplications(api)).toBe(before);
    const { id } = await newestApplication(api);
    await browser.submit(`${PATH}/${id}?_method=delete`);
    await browser.send('POST', `${PATH}/${id}`, '', { 'X-HTTP-Method-Override': 'DELETE' });
    expect(await storedApplication(api, id)).not.toBeNull();
    expect((await browser.get(`${PATH}/abc`)).status).toBe(400);
  });

  it('can be disabled; existing applications can still be maintained', async () => {
    const { id } = await newestApplication(api);
    await api.root.put('/application/settings', { user_oauth_applications: false });
    try {
      const before = await countApplications(api);
      const list = await browser.get(PATH);
      expect([list.status, list.text.includes('New application')]).toEqual([200, false]);
      for (const path of [PATH, ALIAS]) {
        expect((await browser.get(`${path}/new`)).status).toBe(403);
        expect((await browser.submit(path, APPLICATION_FIELDS)).status).toBe(403);
      }
      expect(await countApplications(api)).toBe(before);
      expect((await browser.get(`${PATH}/${id}`)).status).toBe(200);
      expect((await root.submit(ADMIN, APPLICATION_FIELDS)).status).toBe(200);
    } finally {
      await api.root.put('/application/settings', { user_oauth_applications: true });
    }
    expect((await browser.get(PATH)).text).toContain('New application');
  });
});

describe('maintaining an application', () => {
  let id: number;
  beforeAll(async () => {
    await browser.submit(PATH, APPLICATION_FIELDS);
    ({ id } = await newestApplication(api));
  });

  it.each(['put', 'patch'])('changes the application by %s', async (method) => {
    const edit = await browser.get(`${PATH}/${id}/edit`);
    expect(inputValue('name', edit)).not.toBe('');
    const changes = { ...APPLICATION_FIELDS, name: `by ${method}`, trusted: '1', _method: method };
    const done = await browser.submit(`${ALIAS}/${id}`, changes);
    expect([done.status, done.location]).toEqual([303, `${PATH}/${id}`]);
    expect(await storedApplication(api, id)).toMatchObject({
      name: `by ${method}`,
      trusted: false,
      owner_id: user.id,
    });
    expect((await browser.get(`${PATH}/${id}`)).text).toContain('The application has been saved.');
    const refused = await browser.submit(`${PATH}/${id}`, { ...changes, name: ' ' });
    expect([refused.status, refused.text.includes('Errors: Edit application')]).toEqual([422, true]);
  });

  it('does not change attributes of administrators', async () => {
    const [grace, trusted] = [30, true];
    await api.sql(
      'update oauth_applications set trusted = $2, refresh_grace_period_seconds = $3 where id = $1',
      [id, trusted, grace],
    );
    await browser.submit(`${PATH}/${id}`, { ...APPLICATION_FIELDS, name: 'Again', _method: 'put' });
    expect(await storedApplication(api, id)).toMatchObject({
      name: 'Again',
      trusted,
      refresh_grace_period_seconds: grace,
    });
  });

  it('asks for confirmation before it renews the secret, and shows the new one once', async () => {
    const asked = await browser.get(`${PATH}/${id}/renew`);
    expect([asked.status, asked.text.includes('Renew the secret of Again')]).toEqual([200, true]);
    const renewed = await browser.submit(`${ALIAS}/${id}/renew`, { _method: 'put' });
    expect(renewed.status).toBe(200);
    const secret = inputValue('secret', renewed);
    await expectSecret(api, id, secret);
    expect((await browser.get(`${PATH}/${id}`)).text).not.toContain(secret);
  });

  it('asks for confirmation before it removes the application with its tokens', async () => {
    const application = await buildApplication(api, { ownerId: user.id, name: HOSTILE_NAME });
    const pair = await buildPair(api, application, 1);
    const asked = await browser.get(`${PATH}/${application.id}/delete`);
    expect(asked.text).toContain(`Remove ${ESCAPED_NAME}`);
    expect(asked.text).not.toContain('<script>alert');
    expect(await storedApplication(api, application.id)).not.toBeNull();
    const gone = await browser.submit(`${ALIAS}/${application.id}`, { _method: 'delete' });
    expect([gone.status, gone.location]).toEqual([303, PATH]);
    expect(await storedApplication(api, application.id)).toBeNull();
    expect((await api.anonymous.get('/user', { Authorization: `Bearer ${pair.access}` })).status).toBe(401);
    expect((await browser.get(PATH)).text).toContain('The application has been removed.');
  });

  it('excludes the applications of others and of the instance', async () => {
    const ofRoot = await buildApplication(api, { ownerId: 1, name: 'Secretive' });
    const ofInstance = await buildApplication(api, { name: 'Secretive' });
    const before = [await storedApplication(api, ofRoot.id), await storedApplication(api, ofInstance.id)];
    for (const other of [ofRoot.id, ofInstance.id, 999_999, Number.MAX_SAFE_INTEGER]) {
      for (const path of ['', '/edit', '/renew', '/delete']) {
        const page = await browser.get(`${PATH}/${other}${path}`);
        expect([path, page.status, page.text.includes('Secretive')]).toEqual([path, 404, false]);
        expect(page.text).toContain('<h1>Page not found</h1>');
      }
      const sent = async (path: string, method: string): Promise<number> =>
        (await browser.submit(`${PATH}/${other}${path}`, { ...APPLICATION_FIELDS, _method: method })).status;
      expect([await sent('', 'put'), await sent('/renew', 'put'), await sent('', 'delete')]).toEqual([
        404, 404, 404,
      ]);
    }
    expect([await storedApplication(api, ofRoot.id), await storedApplication(api, ofInstance.id)]).toEqual(
      before,
    );
    expect((await browser.get(PATH)).text).not.toContain('Secretive');
    // Administrators keep their own and the instance's, and not those of users.
    expect((await root.get(`${ADMIN}/${ofInstance.id}`)).status).toBe(200);
    expect((await root.get(`${ADMIN}/${id}`)).status).toBe(404);
    expect((await root.get(`${PATH}/${id}`)).status).toBe(404);
  });

  it('accepts no form without its token, or without a session', async () => {
    const before = await storedApplication(api, id);
    const forged = { ...APPLICATION_FIELDS, authenticity_token: 'forged' };
    for (const [path, method] of [
      [PATH, ''],
      [`${PATH}/${id}`, 'put'],
      [`${PATH}/${id}`, 'delete'],
      [`${PATH}/${id}/renew`, 'put'],
    ] as const)
      expect((await browser.submit(path, { ...forged, ...(method && { _method: method }) })).status).toBe(
        422,
      );
    for (const path of [PATH, `${PATH}/new`, `${PATH}/${id}`, ADMIN, AUTHORIZED]) {
      const turnedAway = await new PageClient(api.url).get(path, { 'PRIVATE-TOKEN': user.token });
      expect([turnedAway.status, turnedAway.location]).toEqual([302, '/users/sign_in']);
    }
    expect(await storedApplication(api, id)).toEqual(before);
  });
});
