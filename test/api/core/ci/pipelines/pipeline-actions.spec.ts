import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Transactions } from '#kernel/database/transactions.js';
import type { TestApi } from '../../../../support/api.js';
import type { Answer } from '../../../../support/client.js';
import { buildCodeProject, type CodeProject } from '../../../../support/builders/code-project.js';
import { borrowApi } from '../../../../support/shared-api.js';
import { untilBlocking } from '../../../../support/lock-waits.js';

interface PipelineBody {
  readonly id: number;
  readonly status: string;
  readonly [key: string]: unknown;
}

const CONFIG = `
build:
  stage: build
  script: [make]
test:
  stage: test
  script: [make test]
`;

describe('pipelines', () => {
  let api: TestApi;

  let project: CodeProject;
  const on = (suffix = ''): string => `/projects/${project.id}/pipelines${suffix}`;
  const create = (body: object, client = project.developer): Promise<Answer<PipelineBody>> =>
    client.post<PipelineBody>(`/projects/${project.id}/pipeline`, body);

  beforeAll(async () => {
    api = await borrowApi();
    project = await buildCodeProject(api, async (work) => {
      await work.commit({ '.gitlab-ci.yml': CONFIG }, 'CI');
      await work.git('branch', 'feature/x');
    });
  });

  afterAll(() => api.close());

  it('have no durations while no job has run, also once they are canceled', async () => {
    const waiting = await create({ ref: 'feature/x' });
    const none = { started_at: null, duration: null, queued_duration: null };
    expect([waiting.status, waiting.body]).toMatchObject([201, none]);
    const { id } = waiting.body;
    const canceled = await project.developer.post<PipelineBody>(on(`/${id}/cancel`));
    expect([canceled.status, canceled.body]).toMatchObject([200, { status: 'canceled', ...none }]);
    const stored = (): Promise<{ duration: number | null }[]> =>
      api.sql('select duration from ci_pipelines where id = $1', [id]);
    expect(await stored()).toEqual([{ duration: null }]);
    // As 1.0.0-rc.1 stored it.
    await api.sql('update ci_pipelines set duration = 2147483647 where id = $1', [id]);
    expect((await project.reporter.get(on(`/${id}`))).body).toMatchObject(none);
  });

  it('are created, shown as the latest, canceled, retried and removed', async () => {
    const variables = [
      { key: 'A', value: 'a' },
      { key: 'B', value: 'b', variable_type: 'file' },
    ];
    const made = await create({ ref: 'feature/x', variables });
    expect([made.status, made.body]).toMatchObject([
      201,
      { ref: 'feature/x', source: 'api', status: 'pending', user: { id: project.developerId } },
    ]);
    const { id } = made.body;
    const latest = await project.reporter.get(on(`/latest?ref=${encodeURIComponent('feature/x')}`));
    expect([latest.status, latest.body]).toEqual([200, made.body]);
    expect((await project.reporter.get(on('/latest'))).status).toBe(404);
    expect((await project.reporter.get(on('/latest?ref=none'))).body).toEqual({
      message: '404 Pipeline Not Found',
    });
    const jobs = await project.reporter.get<PipelineBody[]>(on(`/${id}/jobs`));
    expect(jobs.body).toMatchObject([
      { name: 'test', status: 'created', commit: { title: 'CI' } },
      { name: 'build', status: 'pending' },
    ]);
    expect((await project.developer.get(on(`/${id}/variables`))).body).toEqual([
      { key: 'A', value: 'a', variable_type: 'env_var', raw: false },
      { key: 'B', value: 'b', variable_type: 'file', raw: false },
    ]);
    const canceled = await project.developer.post<PipelineBody>(on(`/${id}/cancel`));
    expect([canceled.status, canceled.body.status]).toEqual([200, 'canceled']);
    const retried = await project.developer.post<PipelineBody>(on(`/${id}/retry`));
    expect([retried.status, retried.body.status]).toEqual([201, 'pending']);
    const named = await project.developer.put<PipelineBody>(on(`/${id}/metadata`), { name: 'new' });
    const again = await project.developer.put<PipelineBody>(on(`/${id}/metadata`), { name: 'new' });
    expect(again.body).toEqual(named.body);
    expect([named.status, named.body['name']]).toEqual([200, 'new']);
    expect((await project.maintainer.delete(on(`/${id}`))).status).toBe(403);
    const early = { 'If-Unmodified-Since': 'Mon, 01 Jan 2001 00:00:00 GMT' };
    expect((await api.root.delete(on(`/${id}`), early)).status).toBe(412);
    const removed = await api.root.delete(on(`/${id}`));
    expect([removed.status, removed.text]).toEqual([204, '']);
    expect((await api.root.get(on(`/${id}`))).status).toBe(404);
    expect(await api.sql('select 1 from ci_jobs where pipeline_id = $1', [id])).toEqual([]);
  });

  it('are removed without a deadlock with a runner that takes a job', async () => {
    const { id } = (await create({ ref: 'main' })).body;
    const waiting = `select q.job_id from ci_pending_jobs q join ci_jobs j on j.id = q.job_id where j.pipeline_id = $1 for update of q`;
    let removal: Promise<Answer> | undefined;
    await api.app.get(Transactions).run(async (tx) => {
      const [row] = await tx.query<{ job_id: number }[]>(waiting, [id]);
      removal = api.root.delete(on(`/${id}`));
      await untilBlocking(api, tx);
      const taken = await tx.query<object[]>('select 1 from ci_jobs where id = $1 for update nowait', [
        row?.job_id,
      ]);
      expect(taken).toHaveLength(1);
    });
    expect((await removal)?.status).toBe(204);
    expect(await api.sql('select 1 from ci_jobs where pipeline_id = $1', [id])).toEqual([]);
  });

  it('show variables to Maintainers and to the user who set them', async () => {
    const { id } = (await create({ ref: 'main', variables: [{ key: 'S', value: 'x' }] }, project.maintainer))
      .body;
    const path = on(`/${id}/variables`);
    expect((await project.maintainer.get(path)).body).toMatchObject([{ key: 'S', value: 'x' }]);
    const codes = [project.developer, project.reporter].map(
      async (client) => (await client.get(path)).status,
    );
    expect(await Promise.all(codes)).toEqual([403, 403]);
  });

  it.each([
    [{ ref: 'none' }, { base: ['Reference not found'] }],
    [{}, '400 (Bad request) "ref" not given'],
    [{ ref: 'main', variables: [{ key: 'A' }] }, '400 (Bad request) "variables[0][value]" not given'],
    [
      { ref: 'main', variables: [{ key: 'A', value: 'a', variable_type: 'x' }] },
      { 'variables[0]': { variable_type: ['does not have a valid value'] } },
    ],
  ])('are not created with %j', async (body, message) => {
    const answer = await create(body);
    expect([answer.status, answer.body]).toEqual([400, { message }]);
  });

  it('require a configuration', async () => {
    const other = await buildCodeProject(api);
    const answer = await other.developer.post(`/projects/${other.id}/pipeline`, { ref: 'main' });
    expect([answer.status, answer.body]).toEqual([400, { message: { base: ['Missing CI config file'] } }]);
  });

  it('require the Developer role', async () => {
    const { id } = (await create({ ref: 'main' })).body;
    const codes = [project.reporter, project.guest, api.anonymous].map(async (client) => [
      (await create({ ref: 'main' }, client)).status,
      (await client.post(on(`/${id}/cancel`))).status,
      (await client.post(on(`/${id}/retry`))).status,
      (await client.put(on(`/${id}/metadata`), { name: 'x' })).status,
      (await client.delete(on(`/${id}`))).status,
    ]);
    expect(await Promise.all(codes)).toEqual([Array(5).fill(403), Array(5).fill(403), Array(5).fill(401)]);
  });

  it('of protected branches are renamed only by users who may run them: jobs get the name', async () => {
    const { maintainer, developer, id: projectId } = project;
    const values = { name: 'feature/x', push_access_level: 40, merge_access_level: 40 };
    const { id } = (await create({ ref: 'feature/x' })).body;
    expect((await maintainer.post(`/projects/${projectId}/protected_branches`, values)).status).toBe(201);
    const name = { name: 'mine' };
    expect((await developer.post(on(`/${id}/cancel`))).status).toBe(403);
    expect((await developer.put(on(`/${id}/metadata`), name)).status).toBe(403);
    const renamed = await maintainer.put<PipelineBody>(on(`/${id}/metadata`), name);
    expect([renamed.status, renamed.body['name']]).toEqual([200, 'mine']);
  });
});
