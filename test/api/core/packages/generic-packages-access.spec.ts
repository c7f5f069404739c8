import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { TestApi } from '../../../support/api.js';
import type { Answer } from '../../../support/client.js';
import { addUser } from '../../../support/builders/instance.js';
import { buildMember } from '../../../support/builders/member.js';
import { buildToken } from '../../../support/builders/token.js';
import { buildApplication, buildPair } from '../../../support/builders/oauth.js';
import { buildPipeline, buildRunningJob } from '../../../support/builders/ci.js';
import { buildProjectTeam, type ProjectTeam } from '../../../support/builders/project-team.js';
import { HeldRequest } from '../../../support/held-request.js';
import { borrowApi } from '../../../support/shared-api.js';
import { until } from '../../../support/until.js';

interface Item {
  readonly id: number;
}

const BINARY = { 'Content-Type': 'application/octet-stream' };

describe('access to generic packages', () => {
  let api: TestApi;
  let team: ProjectTeam;
  const at = (suffix = '', project = team.projectId): string => `/projects/${project}/packages${suffix}`;
  const file = (name: string, project: number): string => at(`/generic/tool/1/${name}`, project);

  beforeAll(async () => {
    api = await borrowApi();
    team = await buildProjectTeam(api);
  });
  afterAll(() => api.close());

  it('lets Developers publish, and Reporters or everyone read, but refuses OAuth tokens', async () => {
    const open = await buildProjectTeam(api, 'public');
    const path = file('x', open.projectId);
    expect((await open.developer.send('PUT', path, 'public', BINARY)).status).toBe(201);
    expect((await open.reporter.send('PUT', path, 'x', BINARY)).status).toBe(403);
    expect((await open.stranger.send('PUT', path, 'x', BINARY)).status).toBe(403);
    expect((await api.anonymous.send('PUT', path, 'x', BINARY)).status).toBe(401);
    expect((await api.anonymous.get(path)).text).toBe('public');
    const [published] = (await open.stranger.get<Item[]>(at('', open.projectId))).body;
    const one = at(`/${published?.id ?? 0}`, open.projectId);
    expect((await api.anonymous.get(`${one}/package_files`)).status).toBe(200);
    expect((await api.anonymous.get(`${one}/pipelines`)).status).toBe(401);
    expect((await open.stranger.get(`${one}/pipelines`)).status).toBe(200);
    expect((await open.developer.delete(one)).status).toBe(403);

    expect((await team.guest.get(file('x', team.projectId))).status).toBe(403);
    expect((await team.stranger.get(file('x', team.projectId))).status).toBe(404);
    expect((await team.stranger.send('PUT', file('x', team.projectId), 'x', BINARY)).status).toBe(404);
    // A deploy token of another project.
    for (const suffix of ['', '/package_files', '/pipelines'])
      expect((await team.maintainer.get(at(`/${published?.id ?? 0}${suffix}`))).body).toEqual({
        message: '404 Package Not Found',
      });
    expect((await team.maintainer.delete(at(`/${published?.id ?? 0}`))).status).toBe(404);

    const { access } = await buildPair(api, await buildApplication(api), 1);
    const oauth = { Authorization: `Bearer ${access}` };
    expect((await api.anonymous.get(`/projects/${open.projectId}`, oauth)).status).toBe(200);
    for (const [method, target] of [
      ['GET', path],
      ['PUT', path],
      ['GET', one],
      ['GET', at('', open.projectId)],
      ['GET', `${one}/package_files`],
      ['GET', `${one}/pipelines`],
      ['DELETE', one],
    ] as const) {
      const answer = await api.anonymous.send(method, target, method === 'PUT' ? 'x' : undefined, {
        ...oauth,
        ...BINARY,
      });
      expect([method, target, answer.status]).toEqual([method, target, 401]);
    }

    await open.maintainer.put(`/projects/${open.projectId}`, { builds_access_level: 'private' });
    expect((await open.stranger.get(`${one}/pipelines`)).status).toBe(403);
    await open.maintainer.put(`/projects/${open.projectId}`, { package_registry_access_level: 'disabled' });
    expect((await open.developer.get(path)).status).toBe(403);
    expect((await open.developer.send('PUT', path, 'x', BINARY)).status).toBe(403);
  });

  it('accepts credentials as HTTP Basic, with the token as password and any user name', async () => {
    const basic = (user: string, password: string): Record<string, string> => ({
      Authorization: `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`,
      ...BINARY,
    });
    const owner = await addUser(api, 'packer');
    await api.root.post(`/projects/${team.projectId}/members`, { user_id: owner.id, access_level: 30 });
    const { id, token } = await buildToken(api, owner.id);
    const reading = await buildToken(api, owner.id, { scopes: ['read_api'] });
    const running = await buildRunningJob(api, await buildPipeline(api, team.projectId));
    const path = file('basic', team.projectId);
    const put = (credentials: Record<string, string>): Promise<Answer> =>
      api.anonymous.send('PUT', path, 'basic', credentials);
    for (const user of ['packer', 'anything', 'gitlab-ci-token'])
      for (const secret of [token, running.token])
        expect([user, (await put(basic(user, secret))).status]).toEqual([user, 201]);
    expect((await api.anonymous.get(path, basic('x', reading.token))).text).toBe('basic');
    expect((await put(basic('x', reading.token))).status).toBe(403);
    expect((await api.anonymous.get(at(), basic('x', token))).status).toBe(200);
    const { access } = await buildPair(api, await buildApplication(api), 1);
    const open = await buildProjectTeam(api, 'public');
    const wrong = [
      basic('', token),
      basic('packer', 'a password'),
      basic('x', 'glpat-unknown'),
      basic('x', access),
      { Authorization: 'Basic eA==' },
      { Authorization: 'Basic ###' },
    ];
    await api.root.delete(`/personal_access_tokens/${id}`);
    for (const credentials of [...wrong, basic('x', token)])
      for (const project of [team.projectId, open.projectId]) {
        const answer = await api.anonymous.get(at('', project), credentials);
        expect([credentials, answer.status]).toEqual([credentials, 401]);
        expect(answer.headers.get('WWW-Authenticate')).toMatch(/^Basic realm="Forgeplane", Bearer /);
      }
    const unsigned = await api.anonymous.send('PUT', path, 'x', BINARY);
    expect([unsigned.status, unsigned.headers.get('WWW-Authenticate')]).toEqual([
      401,
      'Basic realm="Forgeplane", Bearer realm="Forgeplane"',
    ]);
    // It is not valid in other projects.
    const elsewhere = await api.anonymous.get('/user', basic('x', reading.token));
    expect([elsewhere.status, elsewhere.headers.get('WWW-Authenticate')]).toEqual([
      401,
      'Bearer realm="Forgeplane"',
    ]);
  });

  it.each([
    ['is blocked', 403, (user: number) => api.root.post(`/users/${user}/block`)],
    [
      'leaves the project',
      404,
      (user: number) => api.root.delete(`/projects/${team.projectId}/members/${user}`),
    ],
  ])('stores nothing of a user who %s while sending it', async (_why, status, lose) => {
    const { id, token } = await addUser(api, `late-${status}`);
    await buildMember(api, `projects/${team.projectId}`, id, 30);
    const path = file(`late-${id}`, team.projectId);
    const headers = { 'PRIVATE-TOKEN': token, 'Content-Length': '2', ...BINARY };
    const request = await HeldRequest.begin(api.url, `PUT /api/v4${path}`, headers, { body: 'x' });
    await until(async () => (await api.sql('select 1 from object_claims')).length > 0);
    expect((await lose(id)).status).toBeLessThan(300);
    request.send('x');
    expect(await request.status).toBe(status);
    request.leave();
    expect((await team.developer.get(path)).status).toBe(404);
  });

  it('accepts job tokens on any plan, as long as the job runs and may access the project', async () => {
    await api.root.put('/application/settings', { license_plan: 'free' });
    const { job, token } = await buildRunningJob(api, await buildPipeline(api, team.projectId));
    const put = async (project: number): Promise<number> =>
      (await api.anonymous.send('PUT', file('x', project), 'x', { 'JOB-TOKEN': token, ...BINARY })).status;
    expect(await put(team.projectId)).toBe(201);
    const other = await buildProjectTeam(api);
    expect(await put(other.projectId)).toBe(404);
    await api.sql("update ci_jobs set status = 'success' where id = $1", [job.id]);
    expect(await put(team.projectId)).toBe(401);
    await api.root.put('/application/settings', { license_plan: 'ultimate' });
  });
});
