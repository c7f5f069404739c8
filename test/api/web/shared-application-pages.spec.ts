import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { TestApi } from '../../support/api.js';
import { addUser, type AddedUser } from '../../support/builders/instance.js';
import { buildApplication, buildCode, buildPair } from '../../support/builders/oauth.js';
import { buildBrowser } from '../../support/builders/session.js';
import type { PageClient } from '../../support/page-client.js';
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

describe('applications of the instance', () => {
  it('are managed by administrators, including trust and grace period', async () => {
    const form = await root.get(`${ADMIN}/new`);
    expect(form.text).toContain('name="trusted"');
    const fields = {
      ...APPLICATION_FIELDS,
      name: HOSTILE_NAME,
      trusted: '1',
      refresh_grace_period_seconds: '45',
    };
    const made = await root.submit(ADMIN, fields);
    expect(made.status).toBe(200);
    const row = await newestApplication(api);
    expect(row).toMatchObject({ trusted: true, owner_id: null, refresh_grace_period_seconds: 45 });
    await expectSecret(api, row.id, inputValue('secret', made));
    const list = await root.get(ADMIN);
    expect([list.text.includes(ESCAPED_NAME), list.text.includes('<script>alert')]).toEqual([true, false]);
    const path = `${ADMIN}/${row.id}`;
    const late = await root.submit(path, { ...fields, refresh_grace_period_seconds: '9999', _method: 'put' });
    expect([late.status, late.text.includes('id="f-refresh_grace_period_seconds-error"')]).toEqual([
      422,
      true,
    ]);
    const changed = await root.submit(path, {
      ...APPLICATION_FIELDS,
      refresh_grace_period_seconds: '',
      _method: 'put',
    });
    expect([changed.status, changed.location]).toEqual([303, path]);
    expect(await storedApplication(api, row.id)).toMatchObject({
      trusted: false,
      refresh_grace_period_seconds: 0,
    });
    const renewed = await root.submit(`${path}/renew`, { _method: 'put' });
    await expectSecret(api, row.id, inputValue('secret', renewed));
    expect((await root.get(`${path}/delete`)).status).toBe(200);
    expect((await root.submit(path, { _method: 'delete' })).location).toBe(ADMIN);
    expect(await storedApplication(api, row.id)).toBeNull();
  });

  it('are hidden from others', async () => {
    const { id } = await buildApplication(api);
    for (const path of ['', '/new', `/${id}`, `/${id}/edit`, `/${id}/renew`, `/${id}/delete`])
      expect([path, (await browser.get(ADMIN + path)).status]).toEqual([path, 403]);
    const before = await countApplications(api);
    expect((await browser.submit(ADMIN, APPLICATION_FIELDS)).status).toBe(403);
    for (const [path, method] of [
      ['', 'put'],
      ['/renew', 'put'],
      ['', 'delete'],
    ] as const)
      expect(
        (await browser.submit(`${ADMIN}/${id}${path}`, { ...APPLICATION_FIELDS, _method: method })).status,
      ).toBe(403);
    expect(await countApplications(api)).toBe(before);
    expect((await browser.get(PATH)).text).not.toContain(ADMIN);
    expect((await root.get(PATH)).text).toContain(`href="${ADMIN}"`);
  });
});

describe('authorized applications', () => {
  it('are listed with their scopes, and revoked with all their tokens', async () => {
    const application = await buildApplication(api, {
      name: HOSTILE_NAME,
      scopes: ['api', 'read_user', 'openid'],
    });
    const pair = await buildPair(api, application, user.id, ['read_user']);
    const second = await buildPair(api, application, user.id, ['openid']);
    const ofRoot = await buildPair(api, application, 1, ['api']);
    await buildCode(api, application, user.id);
    const list = await browser.get(PATH);
    expect(list.text).toContain(ESCAPED_NAME);
    expect(list.text).toMatch(/<code>openid<\/code> <code>read_user<\/code>/);
    const lead = await browser.get(AUTHORIZED);
    expect([lead.status, lead.location]).toEqual([302, PATH]);
    const asked = await browser.get(`${AUTHORIZED}/${application.id}`);
    expect(asked.text).toContain(`Revoke ${ESCAPED_NAME}`);
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
    expect((await browser.get(PATH)).text).not.toContain(ESCAPED_NAME);
    expect((await browser.submit(`${AUTHORIZED}/${application.id}`, { _method: 'delete' })).status).toBe(404);
  });

  it('do not reveal which other applications exist', async () => {
    const application = await buildApplication(api, { name: 'Secretive' });
    await buildPair(api, application, 1);
    const asked = await browser.get(`${AUTHORIZED}/${application.id}`);
    expect([asked.status, asked.text.includes('Secretive')]).toEqual([404, false]);
  });
});
