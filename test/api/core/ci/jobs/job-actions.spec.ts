import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { SealedVariablesService } from '#core/ci/jobs/definition/sealed-variables.service.js';
import type { JobDefinition } from '#core/ci/jobs/definition/job-definition.js';
import type { Job } from '#core/ci/jobs/job.entity.js';
import type { TestApi } from '../../../../support/api.js';
import type { Answer, ApiClient } from '../../../../support/client.js';
import { buildJob, buildPipeline } from '../../../../support/builders/ci.js';
import { buildProjectTeam, type ProjectTeam } from '../../../../support/builders/project-team.js';
import { borrowApi } from '../../../../support/shared-api.js';

interface JobBody {
  readonly id: number;
  readonly status: string;
  readonly name: string;
}

describe('actions on jobs', () => {
  let api: TestApi;
  let team: ProjectTeam;
  const at = (suffix = ''): string => `/projects/${team.projectId}/jobs${suffix}`;
  const addArchive = (jobId: number): Promise<unknown> =>
    api.sql(
      `insert into ci_job_artifacts (project_id, job_id, file_type, file_format, filename, size, sha256, object_key)
       values ($1, $2, 'archive', 'zip', 'artifacts.zip', 1000, '', 'artifacts/' || gen_random_uuid())`,
      [team.projectId, jobId],
    );

  beforeAll(async () => {
    api = await borrowApi();
    team = await buildProjectTeam(api);
  });
  afterAll(() => api.close());

  const act = (jobId: number, verb: string, body?: object, client = team.developer) =>
    client.post<JobBody & Record<string, unknown>>(at(`/${jobId}/${verb}`), body);
  const userIdOf = async (client: ApiClient): Promise<number> =>
    (await client.get<{ id: number }>('/user')).body.id;
  const fresh = (values: Partial<Job> = {}, definition: Partial<JobDefinition> = {}) =>
    buildPipeline(api, team.projectId, { status: 'running' }).then((own) =>
      buildJob(api, own, values, definition),
    );

  it('cancels a job once', async () => {
    const job = await fresh();
    const first = await act(job.id, 'cancel');
    expect([first.status, first.body]).toMatchObject([201, { id: job.id, status: 'canceled' }]);
    const [pipeline] = await api.sql(`select status from ci_pipelines where id = $1`, [job.pipelineId]);
    expect(pipeline).toEqual({ status: 'canceled' });
    expect((await act(job.id, 'cancel')).body).toEqual(first.body);
    const done = await fresh({ status: 'success', finishedAt: new Date() });
    expect([(await act(done.id, 'cancel')).status, (await act(done.id, 'cancel')).body.status]).toEqual([
      201,
      'success',
    ]);
  });

  it('retries jobs of a pipeline only so often', async () => {
    const finished = { when: 'manual', finishedAt: new Date() } as const;
    const [job, other] = [
      await fresh({ ...finished, status: 'failed' }),
      await fresh({ ...finished, status: 'failed' }),
    ];
    await api.sql(
      `insert into ci_jobs select (jsonb_populate_record(j, jsonb_build_object('id', nextval('ci_jobs_id_seq'), 'retried', true))).*
         from ci_jobs j, generate_series(1, 9999) where j.id = $1`,
      [job.id],
    );
    const { body: again } = await act(job.id, 'retry');
    await act(again.id, 'cancel');
    const pipeline = (): Promise<Answer> =>
      team.developer.post(`/projects/${team.projectId}/pipelines/${job.pipelineId}/retry`);
    const refusals = [await act(again.id, 'retry'), await act(again.id, 'play'), await pipeline()];
    for (const { status, body } of refusals)
      expect([status, body]).toEqual([
        403,
        { message: '403 Forbidden - Pipeline has too many retried jobs! The limit is 10000.' },
      ]);
    expect((await act(other.id, 'retry')).status).toBe(201);
  });

  it('retries a finished job as a new one, and retries no other jobs', async () => {
    const job = await fresh({ status: 'canceled', finishedAt: new Date() });
    const answer = await act(job.id, 'retry');
    expect([answer.status, answer.body]).toMatchObject([201, { status: 'pending', name: 'build' }]);
    expect(answer.body.id).not.toBe(job.id);
    expect(answer.body['user']).toMatchObject({ id: await userIdOf(team.developer) });
    const jobs = `/projects/${team.projectId}/pipelines/${job.pipelineId}/jobs`;
    const idsOf = async (query: string) =>
      (await team.reporter.get<JobBody[]>(jobs + query)).body.map(({ id }) => id);
    expect(await idsOf('')).toEqual([answer.body.id]);
    expect(await idsOf('?include_retried=true')).toEqual([answer.body.id, job.id]);
    expect((await team.reporter.get(at(`/${job.id}`))).body).toMatchObject({ status: 'canceled' });
    for (const id of [job.id, answer.body.id]) {
      const again = await act(id, 'retry');
      expect([again.status, again.body]).toEqual([403, { message: '403 Forbidden - Job is not retryable' }]);
    }
  });

  it('plays a manual job, with variables', async () => {
    const job = await fresh({ status: 'manual', when: 'manual' });
    const attributes = [{ key: 'TEST_KEY', value: 'value' }];
    const answer = await act(job.id, 'play', { job_variables_attributes: attributes });
    expect([answer.status, answer.body]).toMatchObject([200, { id: job.id, status: 'pending' }]);
    expect(answer.body['user']).toMatchObject({ id: await userIdOf(team.developer) });
    const [stored] = await api.sql<{ play_variables: string }>(
      'select play_variables from ci_job_definitions where job_id = $1',
      [job.id],
    );
    expect(
      api.app.get(SealedVariablesService).openOfJob(job.id, stored?.play_variables ?? null),
    ).toMatchObject(attributes);
    const again = await act(job.id, 'play');
    expect([again.status, again.body]).toEqual([400, { message: '400 Bad request - Unplayable Job' }]);
    expect((await act((await fresh()).id, 'play')).status).toBe(400);
  });

  it.each([
    [
      { job_variables_attributes: [{ value: 'a' }] },
      '400 (Bad request) "job_variables_attributes[0][key]" not given',
    ],
    [
      { job_variables_attributes: [{ key: 'A', value: 'a' }, { key: 'B' }] },
      '400 (Bad request) "job_variables_attributes[1][value]" not given',
    ],
    [
      { job_variables_attributes: [{ key: 'A B', value: 'a' }] },
      { 'job_variables_attributes[0]': { key: ['is invalid'] } },
    ],
    [{ job_variables_attributes: 'A=b' }, { job_variables_attributes: ['is invalid'] }],
  ])('refuses to play with %j', async (body, message) => {
    const job = await fresh({ status: 'manual', when: 'manual' });
    const answer = await act(job.id, 'play', body);
    expect([answer.status, answer.body]).toEqual([400, { message }]);
  });

  it('erases finished jobs with output, for Maintainers and the owner of the job', async () => {
    const job = await fresh({ status: 'failed', finishedAt: new Date() });
    await addArchive(job.id);
    await api.sql('insert into ci_trace_chunks (job_id, start, data) values ($1, 0, $2)', [
      job.id,
      Buffer.from('x'),
    ]);
    expect((await act(job.id, 'erase')).status).toBe(403);
    const answer = await act(job.id, 'erase', undefined, team.maintainer);
    expect([answer.status, answer.body]).toMatchObject([
      201,
      { id: job.id, artifacts: [], artifacts_expire_at: null },
    ]);
    expect(answer.body['erased_at']).not.toBeNull();
    expect((await team.reporter.get(at(`/${job.id}/trace`))).text).toBe('');
    const again = await act(job.id, 'erase', undefined, team.maintainer);
    expect([again.status, again.body]).toEqual([403, { message: '403 Forbidden - Job is not erasable!' }]);
    const own = await fresh({ status: 'failed', userId: await userIdOf(team.developer) });
    await addArchive(own.id);
    expect((await act(own.id, 'erase')).status).toBe(201);
  });

  it.each(['cancel', 'retry', 'erase', 'play'])(
    '%s requires the Developer role in the project',
    async (verb) => {
      const job = await fresh({ status: 'manual', when: 'manual' });
      const codes = [team.reporter, team.guest, team.stranger, api.anonymous].map(
        async (client) => (await act(job.id, verb, undefined, client)).status,
      );
      expect(await Promise.all(codes)).toEqual([403, 403, 404, 401]);
      const status = await fresh({ kind: 'status', status: 'running' });
      const answer = await act(status.id, verb);
      expect([answer.status, answer.body]).toEqual([404, { message: '404 Job Not Found' }]);
      const other = await buildProjectTeam(api);
      const foreign = await other.maintainer.post(`/projects/${other.projectId}/jobs/${job.id}/${verb}`);
      expect([foreign.status, foreign.body]).toEqual([404, { message: '404 Job Not Found' }]);
    },
  );
});
