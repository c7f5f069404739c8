import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startApi, type TestApi } from '../../../support/api.js';
import { listRoutes } from '#kernel/http/routes/route-list.js';
import { buildPipeline, buildRunningJob } from '../../../support/builders/ci.js';
import { buildProject } from '../../../support/builders/project.js';
import type { Answer, ApiClient } from '../../../support/client.js';
import {
  addGroup,
  addProject,
  addToken,
  addUser,
  type AddedUser,
} from '../../../support/builders/instance.js';
import { buildApplication, buildPair } from '../../../support/builders/oauth.js';
import {
  buildImpersonationToken,
  buildResourceToken,
  buildToken,
  type BuiltToken,
} from '../../../support/builders/token.js';
import { buildSession } from '../../../support/builders/session.js';

let api: TestApi;
let chief: AddedUser;
let user: AddedUser;
let project: number;
beforeAll(async () => {
  api = await startApi();
  chief = await addUser(api, 'chief');
  user = await addUser(api, 'user');
  await api.sql('update users set admin = true where id = $1', [chief.id]);
  project = await addProject(api, await addGroup(api, 'acme'), 'acme/shop');
});
afterAll(() => api.close());

const lacking = (scope: string): unknown => ({
  status: 403,
  body: expect.objectContaining({ error: 'insufficient_scope', scope }),
});
const KEY = 'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIJhw2rXqO0dZ6vPp2zW5cQYyJ0m6m5Xj0y1r8o3T4b5c';
const withOauth = async (userId: number): Promise<ApiClient['send']> => {
  const application = await buildApplication(api);
  const { access } = await buildPair(api, application, userId);
  return (method, path, body) =>
    api.anonymous.send(method, path, body, { Authorization: `Bearer ${access}` });
};

describe('the token of a job', () => {
  it('creates no lasting credentials', async () => {
    const at = await buildProject(api.root);
    const pipeline = await buildPipeline(api, at.id);
    const { job, token } = await buildRunningJob(api, pipeline);
    const routes = listRoutes(api.app).filter(({ rule }) => rule?.makesCredential);
    expect(routes.length).toBeGreaterThan(15);
    const ask = (method: string, path: string, secret: string): Promise<Answer> =>
      api.anonymous.send(method, path, method === 'GET' ? undefined : {}, { 'JOB-TOKEN': secret });
    for (const ended of [false, true]) {
      if (ended) await api.sql("update ci_jobs set status = 'success' where id = $1", [job.id]);
      for (const { method, path } of routes) {
        const target = path
          .replace('/api/v4', '')
          .replace(/:\w+/g, path.includes('projects') ? `${at.id}` : '1');
        const { status, body } = await ask(method, target, token);
        expect([method, path, status, body]).toEqual([
          method,
          path,
          ...(ended ? [401, { message: '401 Unauthorized' }] : [403, { message: '403 Forbidden' }]),
        ]);
      }
    }
    expect((await ask('POST', '/user/keys', 'glcbt-unknown')).status).toBe(401);
    expect((await ask('GET', '/user/keys', token)).status).toBe(401);
  });
});

describe('a token', () => {
  it('rotates no token that has more scopes', async () => {
    const strong = await buildToken(api, chief.id, { scopes: ['api', 'sudo', 'admin_mode'] });
    const acting = await buildImpersonationToken(api, chief.id);
    for (const token of [chief.token, acting.token])
      expect(await api.as(token).post(`/personal_access_tokens/${strong.id}/rotate`)).toMatchObject(
        lacking('sudo admin_mode') as object,
      );
    const sudo = await buildToken(api, chief.id, { scopes: ['api', 'sudo'] });
    expect(await api.as(sudo.token).post(`/personal_access_tokens/${strong.id}/rotate`)).toMatchObject(
      lacking('admin_mode') as object,
    );
    expect((await api.as(strong.token).get('/version')).status).toBe(200);
    const own = await api.as(strong.token).post<BuiltToken>('/personal_access_tokens/self/rotate');
    expect([own.status, own.body.scopes]).toEqual([200, ['api', 'sudo', 'admin_mode']]);
  });

  it('can be revoked by one that has fewer scopes', async () => {
    const strong = await buildToken(api, chief.id, { scopes: ['sudo'] });
    expect((await api.as(chief.token).delete(`/personal_access_tokens/${strong.id}`)).status).toBe(204);
  });

  it('creates no token with more scopes', async () => {
    for (const kind of ['personal_access_tokens', 'impersonation_tokens']) {
      const make = (client: ApiClient, scopes: string[]) =>
        client.post<BuiltToken>(`/users/${chief.id}/${kind}`, { name: 'x', scopes });
      expect(await make(api.as(chief.token), ['sudo'])).toMatchObject(lacking('sudo') as object);
      expect(await make(api.as(chief.token), ['api', 'admin_mode'])).toMatchObject(
        lacking('admin_mode') as object,
      );
      expect((await make(api.as(chief.token), ['api', 'read_user', 'write_repository'])).status).toBe(201);
      expect((await make(api.root, ['sudo', 'admin_mode'])).status).toBe(201);
    }
  });

  it('creates no access for administrators without its scopes', async () => {
    const client = api.as(chief.token);
    const fresh = {
      username: 'fresh',
      name: 'Fresh',
      email: 'fresh@example.com',
      password: 'quite long enough',
    };
    const needed = lacking('sudo admin_mode') as object;
    expect(await client.post('/users', { ...fresh, admin: true })).toMatchObject(needed);
    const made = await client.post<{ id: number }>('/users', fresh);
    expect(made.status).toBe(201);
    expect(await client.put(`/users/${made.body.id}`, { admin: true })).toMatchObject(needed);
    expect(await client.put('/users/1', { password: 'quite long enough' })).toMatchObject(needed);
    expect(await client.put('/users/1', { email: 'x@example.com' })).toMatchObject(needed);
    expect((await client.put('/users/1', { bio: 'Keeper' })).status).toBe(200);
    expect((await client.put(`/users/${made.body.id}`, { password: 'other and long' })).status).toBe(200);
    const address = { email: 'more@example.com', skip_confirmation: true };
    expect(await client.post('/users/1/emails', address)).toMatchObject(needed);
    expect(await client.post('/user/emails', address)).toMatchObject(needed);
    expect((await client.post(`/users/${made.body.id}/emails`, address)).status).toBe(201);
    expect(await client.send('PATCH', '/users/1/disable_two_factor')).toMatchObject(needed);
    expect((await api.root.put(`/users/${made.body.id}`, { admin: true })).status).toBe(200);
  });

  it('creates, changes and renews no application with more scopes', async () => {
    const client = api.as(chief.token);
    const values = { name: 'App', redirect_uri: 'https://client.example.com/callback' };
    expect(await client.post('/applications', { ...values, scopes: 'api sudo' })).toMatchObject(
      lacking('sudo') as object,
    );
    const weak = await client.post<{ id: number }>('/applications', { ...values, scopes: 'api openid' });
    expect(weak.status).toBe(201);
    expect(await client.put(`/applications/${weak.body.id}`, { scopes: 'sudo' })).toMatchObject(
      lacking('sudo') as object,
    );
    const strong = await api.root.post<{ id: number }>('/applications', { ...values, scopes: 'sudo' });
    const path = `/applications/${strong.body.id}`;
    expect(await client.put(path, { trusted: true })).toMatchObject(lacking('sudo') as object);
    expect(await client.post(`${path}/renew-secret`)).toMatchObject(lacking('sudo') as object);
    expect((await client.delete(path)).status).toBe(204);
  });

  it('with only sudo creates what a user may have', async () => {
    const only = await buildToken(api, 1, { scopes: ['sudo'] });
    const token = await buildToken(api, user.id, { scopes: ['api'] });
    const path = `/personal_access_tokens/${token.id}/rotate?sudo=${user.id}`;
    expect((await api.as(only.token).post(path)).status).toBe(200);
  });
});

describe('an OAuth token', () => {
  it('creates no lasting credentials', async () => {
    const send = await withOauth(1);
    const token = await buildToken(api, 1);
    const bot = await buildResourceToken(api.root, `projects/${project}`);
    const groupBot = await buildResourceToken(api.root, `groups/acme`);
    const application = await buildApplication(api);
    const named = { name: 'x', scopes: ['api'] };
    const ofProject = { runner_type: 'project_type', project_id: project };
    const { body: runner } = await api.root.post('/user/runners', ofProject);
    const deploy = { name: 'x', scopes: ['read_repository'] };
    const person = { username: 'p', name: 'P', email: 'p@example.com', password: 'quite long enough' };
    const requests: [string, string, object?][] = [
      ['POST', `/personal_access_tokens/${token.id}/rotate`],
      ['POST', '/personal_access_tokens/self/rotate'],
      ['POST', `/users/${user.id}/personal_access_tokens`, named],
      ['POST', `/users/${user.id}/impersonation_tokens`, named],
      ['POST', `/projects/${project}/access_tokens`, named],
      ['POST', `/projects/${project}/access_tokens/${bot.id}/rotate`],
      ['POST', `/groups/acme/access_tokens`, named],
      ['POST', `/groups/acme/access_tokens/${groupBot.id}/rotate`],
      ['POST', `/projects/${project}/deploy_tokens`, deploy],
      ['POST', `/groups/acme/deploy_tokens`, deploy],
      ['POST', '/user/runners', ofProject],
      ['POST', `/runners/${String(runner['id'])}/reset_authentication_token`],
      ['POST', '/user/keys', { title: 'k', key: KEY }],
      ['POST', `/users/${user.id}/keys`, { title: 'k', key: KEY }],
      ['POST', '/user/emails', { email: 'later@example.com' }],
      ['POST', `/users/${user.id}/emails`, { email: 'later@example.com' }],
      ['PATCH', `/users/${user.id}/disable_two_factor`],
      ['POST', '/users', person],
      ['PUT', `/users/${user.id}`, { password: 'quite long enough' }],
      ['PUT', `/users/${user.id}`, { email: 'later@example.com' }],
      ['POST', '/applications', { name: 'x', scopes: 'api', redirect_uri: 'https://x.example.com' }],
      ['PUT', `/applications/${application.id}`, { name: 'y' }],
      ['POST', `/applications/${application.id}/renew-secret`],
    ];
    for (const [method, path, body] of requests)
      expect([method, path, (await send(method, path, body)).status]).toEqual([method, path, 403]);
    expect((await send('GET', '/personal_access_tokens')).status).toBe(200);
    expect((await send('PUT', `/users/${user.id}`, { bio: 'Reader' })).status).toBe(200);
    expect((await send('DELETE', `/personal_access_tokens/${token.id}`)).status).toBe(204);
  });
});

describe('a session', () => {
  it('has all permissions of its user', async () => {
    await addToken(api, 1, 'glpat-of-everything-of-root', ['api', 'sudo', 'admin_mode']);
    const [{ id } = { id: 0 }] = await api.sql<{ id: number }>(
      'select id from personal_access_tokens order by id desc limit 1',
    );
    const { secret, csrfToken } = await buildSession(api, 1);
    const headers = { Cookie: `_service_session=${secret}`, 'X-CSRF-Token': csrfToken };
    const answer = await api.anonymous.post(`/personal_access_tokens/${id}/rotate`, {}, headers);
    expect(answer.status).toBe(200);
  });
});
