import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { PipelineCommit } from '#core/ci/pipelines/pipeline-commit.js';
import { listRoutes } from '#kernel/http/routes/route-list.js';
import { startApi, type TestApi } from '../../../support/api.js';
import { buildArchive, zipOf } from '../../../support/builders/artifacts.js';
import { buildJob, buildPipeline, buildRunningJob } from '../../../support/builders/ci.js';
import { buildDeployment } from '../../../support/builders/deployment.js';
import { buildMergeRequest, buildMergeRequestProject } from '../../../support/builders/merge-request.js';
import type { CodeProject } from '../../../support/builders/code-project.js';
import { buildProject } from '../../../support/builders/project.js';
import { createUser } from '../../../support/builders/user.js';
import type { ApiClient } from '../../../support/client.js';

const SECRET = 'Kept within';
const BINARY = { 'Content-Type': 'application/octet-stream' };

/** Features that are code, or derived from it. */
const OF_CODE: readonly (string | undefined)[] = ['repository', 'builds', 'deployments'];

interface Shown {
  readonly commit: Record<string, unknown> | null;
  readonly deployable: Shown | null;
  readonly last_deployment: Shown | null;
}

describe('code that is visible to members only', () => {
  let api: TestApi;
  let code: CodeProject;
  let stranger: ApiClient;
  let paths: { readonly path: string; readonly feature: string | undefined }[];
  let jobId: number;
  let deploymentId: number;
  let environmentId: number;
  let sha: string;

  const at = (suffix = ''): string => `/projects/${code.id}${suffix}`;
  const put = (values: Record<string, unknown>): Promise<{ status: number; body: Record<string, unknown> }> =>
    code.maintainer.put(at(), values);

  beforeAll(async () => {
    api = await startApi();
    await api.root.put('/application/settings', { license_plan: 'ultimate' });
    code = await buildMergeRequestProject(api, { visibility: 'public' });
    stranger = (await createUser(api)).client;
    const committed = await code.maintainer.post<{ id: string }>(at('/repository/commits'), {
      branch: 'new',
      start_branch: 'main',
      commit_message: SECRET,
      actions: [{ action: 'create', file_path: 'x.txt', content: 'x' }],
    });
    sha = committed.body.id;
    const request = await buildMergeRequest(code.maintainer, code.id, 'new', { title: 'A change' });
    const commit = { id: sha, parent_ids: [], title: SECRET, message: SECRET } as unknown as PipelineCommit;
    const [author, date] = ['inside@example.com', '2024-01-01T00:00:00Z'];
    const whole = {
      ...commit,
      ...{ author_name: 'A', author_email: author, authored_date: date },
      ...{ committer_name: 'A', committer_email: author, committed_date: date },
    };
    const values = { sha, ref: 'new', status: 'success', commit: whole } as const;
    const pipeline = await buildPipeline(api, code.id, { ...values, mergeRequestId: request.id });
    await api.sql('update merge_requests set head_pipeline_id = $2 where id = $1', [request.id, pipeline.id]);
    const archive = await zipOf({ 'a.txt': SECRET });
    jobId = (await buildArchive(api, pipeline, archive, { coverage: 50 })).id;
    await buildJob(api, pipeline, { name: 'bridge', kind: 'bridge', status: 'success' });
    const deployment = await buildDeployment(code.maintainer, code.id, { sha, ref: 'new' });
    deploymentId = deployment.id;
    environmentId = deployment.environment.id;
    await api.sql('update deployments set job_id = $2 where id = $1', [deploymentId, jobId]);
    const { job, token } = await buildRunningJob(api, pipeline, { name: 'publish' });
    const file = at('/packages/generic/tool/1/a.bin');
    await api.anonymous.send('PUT', file, 'x', { 'JOB-TOKEN': token, ...BINARY });
    await api.sql("update ci_jobs set status = 'success' where id = $1", [job.id]);
    const [published] = (await code.maintainer.get<{ id: number }[]>(at('/packages'))).body;
    const ids: Record<string, string | number> = {
      id: code.id,
      job_id: jobId,
      pipeline_id: pipeline.id,
      deployment_id: deploymentId,
      environment_id: environmentId,
      package_id: published?.id ?? 0,
      merge_request_iid: request.iid,
      sha,
      ref_name: 'new',
      branch: 'new',
      file_path: 'x.txt',
      format: 'zip',
      ref: 'new',
    };
    paths = listRoutes(api.app)
      .filter(({ method, path }) => method === 'GET' && path.startsWith('/api/v4/projects/:id'))
      .map(({ path, rule }) => ({
        path: `${path
          .replace('*artifact_path', 'a.txt')
          .replace(/:(\w+)/g, (_all, name: string) =>
            String(ids[name] ?? 1),
          )}?job=build&ref=new&from=main&to=new&refs[]=main&refs[]=new`,
        feature: rule?.feature,
      }));
  });
  afterAll(() => api.close());

  /** Paths whose response contains the commit. */
  const telling = async (client: ApiClient): Promise<string[]> => {
    const found: string[] = [];
    for (const { path } of paths)
      if (/Kept within|inside@example/.test((await client.get(path)).text))
        found.push(path.split('?')[0] ?? '');
    return found;
  };

  it('is not revealed by any route of the project, nor is data derived from it', async () => {
    const kinds = ['jobs', 'pipelines', 'deployments', 'environments', 'events', 'statuses', 'artifacts'];
    const open = await telling(stranger);
    for (const kind of kinds.filter((name) => name !== 'statuses' && name !== 'pipelines'))
      expect([kind, open.some((path) => path.includes(kind))]).toEqual([kind, true]);
    const ofCode = paths.filter(({ feature }) => OF_CODE.includes(feature));
    for (const kind of kinds.filter((name) => name !== 'events' && name !== 'environments'))
      expect([kind, ofCode.some(({ path }) => path.includes(kind))]).toEqual([kind, true]);

    for (const level of ['private', 'disabled']) {
      expect((await put({ repository_access_level: level })).status).toBe(200);
      const refused: readonly (readonly [ApiClient, number])[] = [
        [api.anonymous, 401],
        [stranger, 403],
        ...(level === 'disabled' ? [[api.root, 403] as const] : []),
      ];
      for (const [client, refusal] of refused) {
        for (const { path } of ofCode) {
          const { status } = await client.get(path);
          expect([level, path, status]).toEqual([level, path, refusal]);
        }
        expect(await telling(client)).toEqual([]);
      }
    }
    await put({ repository_access_level: 'enabled' });
    expect(await telling(stranger)).toEqual(open);
  });

  it('hides derived data from users who can read other features', async () => {
    await put({ repository_access_level: 'private' });
    const request = (client: ApiClient): Promise<{ status: number; body: Record<string, unknown> }> =>
      client.get(at('/merge_requests/1'));
    expect((await request(stranger)).body).toMatchObject({ pipeline: null, head_pipeline: null });
    expect((await request(code.guest)).body).toMatchObject({ head_pipeline: { sha } });
    expect((await stranger.get(at('/merge_requests/1/pipelines'))).status).toBe(403);
    expect((await code.guest.get(at('/merge_requests/1/pipelines'))).body).toHaveLength(1);
    const environment = at(`/environments/${environmentId}`);
    expect((await stranger.get(environment)).body).toMatchObject({ last_deployment: null });
    expect((await code.guest.get(environment)).body).toMatchObject({ last_deployment: { sha } });
    const shipped = async (client: ApiClient): Promise<unknown> =>
      (await client.get<unknown[]>(at('/merge_requests?environment=production'))).body.length;
    await api.sql(
      `insert into deployment_merge_requests (deployment_id, merge_request_id, environment_id)
       select $1, m.id, $2 from merge_requests m where m.project_id = $3 on conflict do nothing`,
      [deploymentId, environmentId, code.id],
    );
    expect([await shipped(stranger), await shipped(code.guest)]).toEqual([0, 1]);
    await put({ repository_access_level: 'enabled' });
    expect(await shipped(stranger)).toBe(1);
  });

  it('shows guests of a private project only the ids of commits', async () => {
    await api.root.put(at(), { visibility: 'private' });
    const ids = { id: sha, short_id: sha.slice(0, 8) };
    const jobs = async (client: ApiClient): Promise<Shown[]> => (await client.get<Shown[]>(at('/jobs'))).body;
    for (const { commit } of await jobs(code.guest)) expect(commit).toEqual(ids);
    for (const { commit } of await jobs(code.reporter)) expect(commit).toMatchObject({ title: SECRET });
    expect((await code.guest.get<Shown>(at(`/jobs/${jobId}`))).body.commit).toEqual(ids);
    expect((await telling(code.guest)).filter((path) => !path.includes('/artifacts'))).toEqual([]);
    await api.root.put(at(), { visibility: 'public' });
  });

  it('shows jobs in deployments only to users who may read jobs', async () => {
    const deployable = async (client: ApiClient): Promise<unknown[]> => {
      const one = await client.get<Shown>(at(`/deployments/${deploymentId}`));
      const [listed] = (await client.get<Shown[]>(at('/deployments'))).body;
      const { body } = await client.get<Shown>(at(`/environments/${environmentId}`));
      return [one.body, listed, body.last_deployment].map((shown) => shown?.deployable !== null);
    };
    expect(await deployable(stranger)).toEqual([true, true, true]);
    for (const closed of [{ builds_access_level: 'private' }, { public_jobs: false }]) {
      await put(closed);
      expect(await deployable(stranger)).toEqual([false, false, false]);
      expect(await deployable(code.reporter)).toEqual([true, true, true]);
      await put({ builds_access_level: 'enabled', public_jobs: true });
    }
  });

  it('is never more restricted than the data derived from it', async () => {
    const error = {
      builds_access_level: ['cannot have higher visibility level than repository access level'],
    };
    const refused = { status: 400, body: { message: error } };
    expect((await put({ repository_access_level: 'private' })).body).toMatchObject({
      repository_access_level: 'private',
      builds_access_level: 'private',
      jobs_enabled: true,
    });
    expect(await put({ builds_access_level: 'enabled' })).toMatchObject(refused);
    expect(await put({ repository_access_level: 'disabled', builds_access_level: 'private' })).toMatchObject(
      refused,
    );
    expect((await put({ builds_access_level: 'private' })).status).toBe(200);
    const open = { repository_access_level: 'enabled', builds_access_level: 'enabled' };
    expect((await put(open)).body).toMatchObject(open);
    const wide = { name: 'Wide', repository_access_level: 'private', builds_access_level: 'enabled' };
    expect(await api.root.post('/projects', wide)).toMatchObject(refused);
    const { id } = await buildProject(api.root, { ...wide, builds_access_level: 'private' });
    expect((await api.root.get(`/projects/${id}`)).body).toMatchObject({ builds_access_level: 'private' });
  });
});
