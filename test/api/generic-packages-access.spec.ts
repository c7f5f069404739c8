import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startApi, type TestApi } from '../support/api.js';
import { buildApplication, buildPair } from '../support/builders/oauth.js';
import { buildPipeline, buildRunningJob } from '../support/builders/ci.js';
import { buildProjectTeam, type ProjectTeam } from '../support/builders/project-team.js';

interface Item {
  readonly id: number;
}

const BINARY = { 'Content-Type': 'application/octet-stream' };

describe('who may use generic packages', () => {
  let api: TestApi;
  let team: ProjectTeam;
  const at = (suffix = '', project = team.projectId): string => `/projects/${project}/packages${suffix}`;
  const file = (name: string, project: number): string => at(`/generic/tool/1/${name}`, project);

  beforeAll(async () => {
    api = await startApi();
    team = await buildProjectTeam(api);
  });
  afterAll(() => api.close());

  it('are published by developers, read by reporters or everybody, and no business of OAuth tokens', async () => {
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
    // Of another project.
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

  it('tokens of jobs do on any plan, as long as the job runs and may reach the project', async () => {
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
