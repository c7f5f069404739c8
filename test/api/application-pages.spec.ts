import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startApi, type TestApi } from '../support/api.js';
import { addUser, type AddedUser } from '../support/builders/instance.js';
import { buildApplication, buildCode, buildPair } from '../support/builders/oauth.js';
import { buildBrowser } from '../support/builders/session.js';
import { PageClient, type PageReply } from '../support/page-client.js';

const PATH = '/-/profile/applications';
const ALIAS = '/oauth/applications';
const ADMIN = '/admin/applications';
const AUTHORIZED = '/oauth/authorized_applications';
const FIELDS = {
  name: 'Robot',
  redirect_uri: 'https://client.example.com/callback',
  confidential: '1',
  'scopes[]': 'api',
};
const HOSTILE = `"><script>alert('x')</script>`;
const ESCAPED = '&quot;&gt;&lt;script&gt;alert(&#39;x&#39;)&lt;/script&gt;';

interface Row {
  readonly id: number;
  readonly name: string;
  readonly redirect_uris: string[];
  readonly scopes: string[];
  readonly confidential: boolean;
  readonly trusted: boolean;
  readonly owner_id: number | null;
  readonly refresh_grace_period_seconds: number;
}

let api: TestApi;
let user: AddedUser;
let browser: PageClient;
let root: PageClient;
beforeAll(async () => {
  api = await startApi();
  user = await addUser(api, 'somebody');
  browser = await buildBrowser(api, user.id);
  root = await buildBrowser(api, 1);
  await browser.get(`${PATH}/new`);
  await root.get(`${ADMIN}/new`);
});
afterAll(() => api.close());

const valueOf = (name: string, { text }: PageReply): string =>
  new RegExp(`<input [^>]*name="${name}"[^>]*value="([^"]*)"`, 's').exec(text)?.[1] ?? '';
const newest = async (): Promise<Row> => {
  const [row] = await api.sql<Row>(
    `select id, name, redirect_uris, scopes, confidential, trusted, owner_id, refresh_grace_period_seconds
     from oauth_applications order by id desc limit 1`,
  );
  if (!row) throw new Error('There is no application');
  return row;
};
const rowOf = async (id: number): Promise<Row | null> =>
  (await api.sql<Row>('select * from oauth_applications where id = $1', [id]))[0] ?? null;
const total = async (): Promise<number> =>
  (await api.sql<{ total: number }>('select count(*)::int as total from oauth_applications'))[0]?.total ?? 0;
const secretIs = async (id: number, secret: string): Promise<boolean> => {
  const [row] = await api.sql<{ same: boolean }>(
    `select secret_digest = sha256(convert_to($2, 'UTF8')) as same from oauth_applications where id = $1`,
    [id, secret],
  );
  return row?.same === true;
};

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

  it('shows the secret once, in the answer itself', async () => {
    const made = await browser.submit(ALIAS, {
      ...FIELDS,
      redirect_uri: 'https://client.example.com/callback\r\nhttp://127.0.0.1:4000/done\r\n',
      'scopes[]': 'read_user',
      trusted: '1',
      refresh_grace_period_seconds: '60',
      owner_id: '1',
    });
    expect(made.status).toBe(200);
    const secret = valueOf('secret', made);
    const row = await newest();
    expect(row).toMatchObject({
      name: 'Robot',
      redirect_uris: ['https://client.example.com/callback', 'http://127.0.0.1:4000/done'],
      scopes: ['read_user'],
      confidential: true,
      trusted: false,
      owner_id: user.id,
      refresh_grace_period_seconds: 0,
    });
    expect(await secretIs(row.id, secret)).toBe(true);
    expect(made.headers.get('cache-control')).toBe('no-store');
    expect(made.cookies.join()).not.toContain(secret);
    for (const path of [PATH, `${PATH}/${row.id}`, `${PATH}/${row.id}/edit`, `${ALIAS}/${row.id}`]) {
      const page = await browser.get(path);
      expect([path, page.status, page.text.includes('Robot')]).toEqual([path, 200, true]);
      expect(page.text).not.toContain(secret);
    }
  });

  it('needs no secret where none can be kept', async () => {
    const { confidential, ...fields } = FIELDS;
    expect(confidential).toBe('1');
    const made = await browser.submit(PATH, fields);
    expect([made.status, valueOf('secret', made)]).toEqual([200, '']);
    expect(made.text).not.toContain('Renew secret');
    expect(await newest()).toMatchObject({ confidential: false });
  });

  it.each([
    [{ name: '' }, 'name', 'Name is empty'],
    [{ name: 'n'.repeat(256) }, 'name', 'Name is too long'],
    [{ redirect_uri: ' \n ' }, 'redirect_uri', 'is empty'],
    [{ redirect_uri: 'javascript:alert(1)' }, 'redirect_uri', 'is forbidden by the server.'],
    [{ redirect_uri: 'https://a.example/#x' }, 'redirect_uri', 'cannot contain a fragment.'],
    [{ redirect_uri: 'callback' }, 'redirect_uri', 'must be an absolute URI.'],
    [{ 'scopes[]': 'invented' }, 'scopes', 'match configured on the server.'],
    [{ 'scopes[]': '' }, 'scopes', 'Scopes is empty'],
  ])('refuses %j with the form and what is wrong', async (changes, name, text) => {
    const before = await total();
    const refused = await browser.submit(PATH, { ...FIELDS, ...changes });
    expect(refused.status).toBe(422);
    expect(refused.text).toContain('<title>Errors: New application');
    expect(refused.text).toMatch(new RegExp(`role="alert"[\\s\\S]*<a href="#f-${name}">[^<]*${text}`));
    expect(refused.text).toContain(`id="f-${name}-error"`);
    expect(await total()).toBe(before);
  });

  it('keeps what was written', async () => {
    const sent = { name: HOSTILE, redirect_uri: `</textarea>${HOSTILE}`, 'scopes[]': 'read_user' };
    const { status, text } = await browser.submit(PATH, sent);
    expect(status).toBe(422);
    expect(text).toContain(`value="${ESCAPED}"`);
    expect(text).toContain(`&lt;/textarea&gt;${ESCAPED}</textarea>`);
    expect(text).toMatch(/value="read_user"[^>]*checked/);
    expect(text).not.toMatch(/name="confidential"[^>]*checked/);
    expect(text).not.toContain('<script>alert');
  });

  it('can be switched off; what is there can still be kept', async () => {
    const { id } = await newest();
    await api.root.put('/application/settings', { user_oauth_applications: false });
    try {
      const before = await total();
      const list = await browser.get(PATH);
      expect([list.status, list.text.includes('New application')]).toEqual([200, false]);
      for (const path of [PATH, ALIAS]) {
        expect((await browser.get(`${path}/new`)).status).toBe(403);
        expect((await browser.submit(path, FIELDS)).status).toBe(403);
      }
      expect(await total()).toBe(before);
      expect((await browser.get(`${PATH}/${id}`)).status).toBe(200);
      expect((await root.submit(ADMIN, FIELDS)).status).toBe(200);
    } finally {
      await api.root.put('/application/settings', { user_oauth_applications: true });
    }
    expect((await browser.get(PATH)).text).toContain('New application');
  });
});

describe('keeping an application', () => {
  let id: number;
  beforeAll(async () => {
    await browser.submit(PATH, FIELDS);
    ({ id } = await newest());
  });

  it.each(['put', 'patch'])('changes it by %s', async (method) => {
    const edit = await browser.get(`${PATH}/${id}/edit`);
    expect(valueOf('name', edit)).not.toBe('');
    const changes = { ...FIELDS, name: `by ${method}`, trusted: '1', _method: method };
    const done = await browser.submit(`${ALIAS}/${id}`, changes);
    expect([done.status, done.location]).toEqual([303, `${PATH}/${id}`]);
    expect(await rowOf(id)).toMatchObject({ name: `by ${method}`, trusted: false, owner_id: user.id });
    expect((await browser.get(`${PATH}/${id}`)).text).toContain('The application has been saved.');
    const refused = await browser.submit(`${PATH}/${id}`, { ...changes, name: ' ' });
    expect([refused.status, refused.text.includes('Errors: Edit application')]).toEqual([422, true]);
  });

  it('leaves to administrators what they have decided', async () => {
    const [grace, trusted] = [30, true];
    await api.sql(
      'update oauth_applications set trusted = $2, refresh_grace_period_seconds = $3 where id = $1',
      [id, trusted, grace],
    );
    await browser.submit(`${PATH}/${id}`, { ...FIELDS, name: 'Again', _method: 'put' });
    expect(await rowOf(id)).toMatchObject({ name: 'Again', trusted, refresh_grace_period_seconds: grace });
  });

  it('asks before it renews the secret, and shows the new one once', async () => {
    const asked = await browser.get(`${PATH}/${id}/renew`);
    expect([asked.status, asked.text.includes('Renew the secret of Again')]).toEqual([200, true]);
    const renewed = await browser.submit(`${ALIAS}/${id}/renew`, { _method: 'put' });
    expect(renewed.status).toBe(200);
    const secret = valueOf('secret', renewed);
    expect(await secretIs(id, secret)).toBe(true);
    expect((await browser.get(`${PATH}/${id}`)).text).not.toContain(secret);
  });

  it('asks before it removes, and takes its tokens along', async () => {
    const application = await buildApplication(api, { ownerId: user.id, name: HOSTILE });
    const pair = await buildPair(api, application, 1);
    const asked = await browser.get(`${PATH}/${application.id}/delete`);
    expect(asked.text).toContain(`Remove ${ESCAPED}`);
    expect(asked.text).not.toContain('<script>alert');
    expect(await rowOf(application.id)).not.toBeNull();
    const gone = await browser.submit(`${ALIAS}/${application.id}`, { _method: 'delete' });
    expect([gone.status, gone.location]).toEqual([303, PATH]);
    expect(await rowOf(application.id)).toBeNull();
    expect((await api.anonymous.get('/user', { Authorization: `Bearer ${pair.access}` })).status).toBe(401);
    expect((await browser.get(PATH)).text).toContain('The application has been removed.');
  });

  it('knows nothing of the applications of others, nor of the instance', async () => {
    const ofRoot = await buildApplication(api, { ownerId: 1, name: 'Secretive' });
    const ofInstance = await buildApplication(api, { name: 'Secretive' });
    const before = [await rowOf(ofRoot.id), await rowOf(ofInstance.id)];
    for (const other of [ofRoot.id, ofInstance.id, 999_999, Number.MAX_SAFE_INTEGER]) {
      for (const path of ['', '/edit', '/renew', '/delete']) {
        const page = await browser.get(`${PATH}/${other}${path}`);
        expect([path, page.status, page.text.includes('Secretive')]).toEqual([path, 404, false]);
        expect(page.text).toContain('<h1>Page not found</h1>');
      }
      const sent = async (path: string, method: string): Promise<number> =>
        (await browser.submit(`${PATH}/${other}${path}`, { ...FIELDS, _method: method })).status;
      expect([await sent('', 'put'), await sent('/renew', 'put'), await sent('', 'delete')]).toEqual([
        404, 404, 404,
      ]);
    }
    expect([await rowOf(ofRoot.id), await rowOf(ofInstance.id)]).toEqual(before);
    expect((await browser.get(PATH)).text).not.toContain('Secretive');
    // Administrators keep their own and the instance's, and not those of users.
    expect((await root.get(`${ADMIN}/${ofInstance.id}`)).status).toBe(200);
    expect((await root.get(`${ADMIN}/${id}`)).status).toBe(404);
    expect((await root.get(`${PATH}/${id}`)).status).toBe(404);
  });

  it('takes no form without its token, and nobody who is not signed in', async () => {
    const before = await rowOf(id);
    const forged = { ...FIELDS, authenticity_token: 'forged' };
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
    expect(await rowOf(id)).toEqual(before);
  });
});

describe('applications of the instance', () => {
  it('are kept by administrators, trust and grace included', async () => {
    const form = await root.get(`${ADMIN}/new`);
    expect(form.text).toContain('name="trusted"');
    const fields = { ...FIELDS, name: HOSTILE, trusted: '1', refresh_grace_period_seconds: '45' };
    const made = await root.submit(ADMIN, fields);
    expect(made.status).toBe(200);
    const row = await newest();
    expect(row).toMatchObject({ trusted: true, owner_id: null, refresh_grace_period_seconds: 45 });
    expect(await secretIs(row.id, valueOf('secret', made))).toBe(true);
    const list = await root.get(ADMIN);
    expect([list.text.includes(ESCAPED), list.text.includes('<script>alert')]).toEqual([true, false]);
    const path = `${ADMIN}/${row.id}`;
    const late = await root.submit(path, { ...fields, refresh_grace_period_seconds: '9999', _method: 'put' });
    expect([late.status, late.text.includes('id="f-refresh_grace_period_seconds-error"')]).toEqual([
      422,
      true,
    ]);
    const changed = await root.submit(path, { ...FIELDS, refresh_grace_period_seconds: '', _method: 'put' });
    expect([changed.status, changed.location]).toEqual([303, path]);
    expect(await rowOf(row.id)).toMatchObject({ trusted: false, refresh_grace_period_seconds: 0 });
    const renewed = await root.submit(`${path}/renew`, { _method: 'put' });
    expect(await secretIs(row.id, valueOf('secret', renewed))).toBe(true);
    expect((await root.get(`${path}/delete`)).status).toBe(200);
    expect((await root.submit(path, { _method: 'delete' })).location).toBe(ADMIN);
    expect(await rowOf(row.id)).toBeNull();
  });

  it('are hidden from everybody else', async () => {
    const { id } = await buildApplication(api);
    for (const path of ['', '/new', `/${id}`, `/${id}/edit`, `/${id}/renew`, `/${id}/delete`])
      expect([path, (await browser.get(ADMIN + path)).status]).toEqual([path, 403]);
    const before = await total();
    expect((await browser.submit(ADMIN, FIELDS)).status).toBe(403);
    for (const [path, method] of [
      ['', 'put'],
      ['/renew', 'put'],
      ['', 'delete'],
    ] as const)
      expect((await browser.submit(`${ADMIN}/${id}${path}`, { ...FIELDS, _method: method })).status).toBe(
        403,
      );
    expect(await total()).toBe(before);
    expect((await browser.get(PATH)).text).not.toContain(ADMIN);
    expect((await root.get(PATH)).text).toContain(`href="${ADMIN}"`);
  });
});

describe('authorized applications', () => {
  it('are listed with what they may do, and revoked with everything they hold', async () => {
    const application = await buildApplication(api, {
      name: HOSTILE,
      scopes: ['api', 'read_user', 'openid'],
    });
    const pair = await buildPair(api, application, user.id, ['read_user']);
    const second = await buildPair(api, application, user.id, ['openid']);
    const ofRoot = await buildPair(api, application, 1, ['api']);
    await buildCode(api, application, user.id);
    const list = await browser.get(PATH);
    expect(list.text).toContain(ESCAPED);
    expect(list.text).toMatch(/<code>openid<\/code> <code>read_user<\/code>/);
    const lead = await browser.get(AUTHORIZED);
    expect([lead.status, lead.location]).toEqual([302, PATH]);
    const asked = await browser.get(`${AUTHORIZED}/${application.id}`);
    expect(asked.text).toContain(`Revoke ${ESCAPED}`);
    const forged = { _method: 'delete', authenticity_token: 'x' };
    expect((await browser.submit(`${AUTHORIZED}/${application.id}`, forged)).status).toBe(422);
    const works = async ({ access }: { access: string }): Promise<number> =>
      (await api.anonymous.get('/user', { Authorization: `Bearer ${access}` })).status;
    expect(await works(pair)).toBe(200);
    const done = await browser.submit(`${AUTHORIZED}/${application.id}`, { _method: 'delete' });
    expect([done.status, done.location]).toEqual([303, PATH]);
    expect([await works(pair), await works(second), await works(ofRoot)]).toEqual([401, 401, 200]);
    const codes = await api.sql('select id from oauth_grants where user_id = $1 and used_at is null', [
      user.id,
    ]);
    expect(codes).toEqual([]);
    expect((await browser.get(PATH)).text).not.toContain(ESCAPED);
    expect((await browser.submit(`${AUTHORIZED}/${application.id}`, { _method: 'delete' })).status).toBe(404);
  });

  it('tell nobody which other applications there are', async () => {
    const application = await buildApplication(api, { name: 'Secretive' });
    await buildPair(api, application, 1);
    const asked = await browser.get(`${AUTHORIZED}/${application.id}`);
    expect([asked.status, asked.text.includes('Secretive')]).toEqual([404, false]);
  });
});
