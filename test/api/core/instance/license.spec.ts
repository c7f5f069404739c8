import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { LicensesService } from '#core/instance/licenses/licenses.service.js';
import type { TestApi } from '../../../support/api.js';
import type { Answer } from '../../../support/client.js';
import { addUser, auditChanges } from '../../../support/builders/instance.js';
import { borrowApi } from '../../../support/shared-api.js';

const LICENSEE = { Name: 'Mona Lisa', Company: 'Crew', Email: 'mona@crew.test' };
const CONTENT = {
  plan: 'premium',
  licensee: LICENSEE,
  starts_at: '2026-01-01',
  expires_at: '2099-01-01',
  user_limit: 2,
};

const textOf = (content: unknown): string => Buffer.from(JSON.stringify(content)).toString('base64');

describe('licenses', () => {
  let api: TestApi;
  let userToken: string;
  beforeAll(async () => {
    api = await borrowApi();
    userToken = (await addUser(api, 'mona')).token;
    await addUser(api, 'lisa');
  });
  afterAll(() => api.close());
  beforeEach(async () => {
    await api.sql('delete from licenses');
    await api.app.get(LicensesService).applyInForce();
  });

  const add = (content: object = {}): Promise<Answer<Record<string, unknown>>> =>
    api.root.post('/license', { license: textOf({ ...CONTENT, ...content }) });
  const plan = async (): Promise<unknown> =>
    (await api.root.get('/application/settings')).body['license_plan'];

  it('are visible to administrators only', async () => {
    for (const [method, path] of [
      ['GET', '/license'],
      ['GET', '/licenses'],
      ['GET', '/license/1'],
      ['POST', '/license?license=x'],
      ['DELETE', '/license/1'],
      ['PUT', '/license/1/refresh_billable_users'],
    ] as const) {
      expect((await api.anonymous.send(method, path)).status).toBe(401);
      expect((await api.as(userToken).send(method, path)).status).toBe(403);
    }
  });

  it('report the plan of the installation if none was added', async () => {
    expect((await api.root.get('/licenses')).body).toEqual([]);
    const { status, body } = await api.root.get('/license');
    expect(status).toBe(200);
    expect(body).toMatchObject({
      id: null,
      plan: 'ultimate',
      expires_at: null,
      expired: false,
      active_users: 3,
    });
  });

  it('set the plan when they are added', async () => {
    const { status, body } = await add();
    expect(status).toBe(201);
    expect(body).toEqual({
      id: expect.any(Number),
      plan: 'premium',
      created_at: expect.any(String),
      starts_at: '2026-01-01',
      expires_at: '2099-01-01',
      historical_max: 3,
      maximum_user_count: 3,
      overage: 1,
      user_limit: 2,
      active_users: 3,
      expired: false,
      licensee: LICENSEE,
      add_ons: {},
    });
    expect(await plan()).toBe('premium');
    expect((await api.root.get('/license')).body).toEqual(body);
    expect((await api.root.get(`/license/${String(body['id'])}`)).body).toEqual(body);
    expect((await api.root.get('/licenses')).body).toEqual([body]);
  });

  it('with the plan starter grant the features of the free plan', async () => {
    await add({ plan: 'starter' });
    expect(await plan()).toBe('free');
    expect((await api.root.get('/audit_events')).status).toBe(403);
  });

  it('fall back to the previous license, and finally to the plan of the installation', async () => {
    const first = await add({ plan: 'ultimate' });
    const second = await add();
    expect(await plan()).toBe('premium');
    expect((await api.root.delete(`/license/${String(second.body['id'])}`)).status).toBe(204);
    expect(await plan()).toBe('ultimate');
    await api.root.put('/application/settings', { license_plan: 'free' });
    expect((await api.root.delete(`/license/${String(first.body['id'])}`)).status).toBe(204);
    expect(await plan()).toBe('ultimate');
    expect((await api.root.delete(`/license/${String(first.body['id'])}`)).body).toEqual({
      message: '404 License Not Found',
    });
  });

  it('start on their start date', async () => {
    const later = await add({ starts_at: '2098-01-01' });
    expect(later.status).toBe(201);
    expect(await plan()).toBe('free');
    await api.sql(`update licenses set starts_at = (now() at time zone 'utc')::date`);
    await api.app.get(LicensesService).applyInForce();
    expect(await plan()).toBe('premium');
  });

  it('expire on their expiry date', async () => {
    const { body } = await add();
    await api.sql(`update licenses set expires_at = (now() at time zone 'utc')::date`);
    await api.app.get(LicensesService).applyInForce();
    expect(await plan()).toBe('free');
    expect((await api.root.get('/license')).body).toMatchObject({ id: body['id'], expired: true });
    const changes = await auditChanges(api, 'ApplicationSetting');
    expect(changes.at(-1)).toMatchObject({ from: 'premium', to: 'free', author_name: 'The system' });
  });

  it('keep a plan that an administrator has set in the meantime', async () => {
    await add();
    await api.root.put('/application/settings', { license_plan: 'ultimate' });
    await api.app.get(LicensesService).applyInForce();
    expect(await plan()).toBe('ultimate');
  });

  it('are not removed if they have changed since the caller read them', async () => {
    const { body } = await add();
    const path = `/license/${String(body['id'])}`;
    const early = { 'If-Unmodified-Since': 'Thu, 01 Jan 2015 00:00:00 GMT' };
    expect((await api.root.delete(path, early)).status).toBe(412);
    expect((await api.root.get(path)).status).toBe(200);
  });

  it('update the number of users', async () => {
    const { body } = await add();
    const path = `/license/${String(body['id'])}`;
    await addUser(api, 'third');
    const counted = await api.root.put(`${path}/refresh_billable_users`);
    expect([counted.status, counted.body]).toEqual([202, { success: true }]);
    await api.sql(`update users set state = 'blocked' where username = 'third'`);
    expect((await api.root.get(path)).body).toMatchObject({ historical_max: 4, active_users: 3, overage: 2 });
    expect((await api.root.put('/license/999999/refresh_billable_users')).status).toBe(404);
  });

  it.each([
    ['nonsense!', 'is invalid'],
    [Buffer.from('no json').toString('base64'), 'is invalid'],
    [textOf([CONTENT]), 'is invalid'],
    [textOf({ ...CONTENT, plan: 'gold' }), 'plan does not have a valid value'],
    [textOf({ ...CONTENT, licensee: undefined }), 'licensee is missing'],
    [textOf({ ...CONTENT, licensee: { ...LICENSEE, Email: 'nobody' } }), 'licensee[Email] is invalid'],
    [textOf({ ...CONTENT, licensee: { Name: 'Mona' } }), 'licensee[Company] is missing'],
    [textOf({ ...CONTENT, starts_at: 'soon' }), 'starts_at is invalid'],
    [textOf({ ...CONTENT, expires_at: '2025-12-31' }), 'expires_at must be after starts_at'],
    [textOf({ ...CONTENT, starts_at: '2020-01-01', expires_at: '2021-01-01' }), 'has already expired'],
    [textOf({ ...CONTENT, user_limit: -1 }), 'user_limit does not have a valid value'],
    [textOf({ ...CONTENT, user_limits: 5 }), 'user_limits is not known'],
  ])('refuse %s: %s', async (license, problem) => {
    const answer = await api.root.post<{ message: { license: string[] } }>('/license', { license });
    expect(answer.status).toBe(400);
    expect(answer.body.message.license).toContain(problem);
  });

  it('require their text', async () => {
    expect((await api.root.post('/license', {})).body).toEqual({
      message: '400 (Bad request) "license" not given',
    });
  });
});
