import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { TestApi } from '../../../support/api.js';
import { patchTrace } from '../../../support/builders/runner.js';
import type { Answer } from '../../../support/client.js';
import { JobDesk, type Running } from '../../../support/job-desk.js';
import { borrowApi } from '../../../support/shared-api.js';

describe('updates of jobs by runners', () => {
  let api: TestApi;
  let desk: JobDesk;

  beforeAll(async () => {
    api = await borrowApi();
  });
  beforeAll(async () => {
    desk = await JobDesk.build(api);
  });
  afterAll(() => api.close());

  const pipelineOf = async (job: Running): Promise<unknown> =>
    (
      await api.sql<{ status: string }>(
        'select p.status from ci_pipelines p join ci_jobs j on j.pipeline_id = p.id where j.id = $1',
        [job.id],
      )
    )[0]?.status;

  it('report jobs as running, successful or failed', async () => {
    const job = await desk.run();
    const alive = await desk.update(job, { state: 'running' });
    expect([alive.status, alive.text, alive.headers.get('Job-Status')]).toEqual([200, '200', 'running']);
    const done = await desk.update(job, { state: 'success', info: { name: 'x' }, unknown: 1 });
    expect([done.status, done.text, done.headers.get('Job-Status')]).toEqual([200, '200', 'success']);
    expect(await desk.row(job)).toMatchObject({ status: 'success', failure_reason: null, exit_code: null });
    expect(await pipelineOf(job)).toBe('success');
    const failing = await desk.run();
    const failed = await desk.update(failing, {
      state: 'failed',
      failure_reason: 'script_failure',
      exit_code: 3,
    });
    expect([failed.status, failed.headers.get('Job-Status')]).toEqual([200, 'failed']);
    expect(await desk.row(failing)).toMatchObject({
      status: 'failed',
      failure_reason: 'script_failure',
      exit_code: 3,
    });
    expect(await pipelineOf(failing)).toBe('failed');
  });

  it('report whether a pipeline succeeds after one that failed', async () => {
    const kinds: unknown[] = [];
    for (const state of ['failed', 'success', 'success']) {
      const job = await desk.run();
      await desk.update(job, { state });
      kinds.push(
        ...(await api.sql(
          `select payload #>> '{event,kind}' as kind from background_jobs where name = 'notifications.fan-out'
             and payload #>> '{event,target,id}' = (select pipeline_id::text from ci_jobs where id = $1)`,
          [job.id],
        )),
      );
    }
    expect(kinds).toEqual(['failed', 'fixed', 'success'].map((kind) => ({ kind: `${kind}_pipeline` })));
  });

  it('accept only known failure reasons', async () => {
    for (const [reason, stored] of [
      [undefined, 'unknown_failure'],
      ['', 'unknown_failure'],
      ['<script>', 'unknown_failure'],
      ['made_up_by_a_runner', 'unknown_failure'],
      ['always', 'unknown_failure'],
      ['image_pull_failure', 'image_pull_failure'],
      ['runner_system_failure', 'runner_system_failure'],
    ]) {
      const job = await desk.run();
      await desk.update(job, { state: 'failed', failure_reason: reason });
      expect(await desk.row(job)).toMatchObject({ failure_reason: stored });
    }
  });

  it('allow failures with the exit codes that the configuration lists', async () => {
    const tolerant = { allowFailureExitCodes: [137] };
    const tolerated = await desk.run({}, tolerant);
    await desk.update(tolerated, { state: 'failed', failure_reason: 'script_failure', exit_code: 137 });
    expect([await desk.row(tolerated), await pipelineOf(tolerated)]).toMatchObject([
      { status: 'failed', allow_failure: true },
      'success',
    ]);
    const other = await desk.run({}, tolerant);
    await desk.update(other, { state: 'failed', failure_reason: 'script_failure', exit_code: 1 });
    expect(await pipelineOf(other)).toBe('failed');
  });

  it('end jobs that crashed on Windows, whose exit codes are unsigned', async () => {
    const [crash, most] = [0xc0000005, 0xffffffff];
    const tolerated = await desk.run({}, { allowFailureExitCodes: [crash] });
    const failed = { state: 'failed', failure_reason: 'script_failure' };
    expect((await desk.update(tolerated, { ...failed, exit_code: crash })).status).toBe(200);
    const stored = { status: 'failed', allow_failure: true, exit_code: -1_073_741_819 };
    expect(await desk.row(tolerated)).toMatchObject(stored);
    const other = await desk.run();
    expect((await desk.update(other, { ...failed, exit_code: most })).status).toBe(200);
    expect(await desk.row(other)).toMatchObject({ status: 'failed', exit_code: -1 });
  });

  it('are accepted only from their own runner, with valid states', async () => {
    const job = await desk.run();
    const other = await desk.run();
    const put = (body: object, headers = {}): Promise<Answer> =>
      api.anonymous.put(`/jobs/${job.id}`, body, headers);
    const none = await put({ state: 'running' });
    expect([none.status, none.body]).toEqual([400, { message: '400 (Bad request) "token" not given' }]);
    expect((await put({ state: 'running', token: other.token })).status).toBe(403);
    expect((await put({ state: 'running', token: [job.token] })).status).toBe(400);
    expect((await put({ state: 'running' }, { 'JOB-TOKEN': job.token })).status).toBe(200);
    for (const state of ['canceled', 'pending', '', undefined])
      expect([state, (await desk.update(job, { state })).status]).toEqual([state, 400]);
    const missing = await api.anonymous.put('/jobs/999999', { token: job.token, state: 'success' });
    expect([missing.status, missing.body]).toEqual([403, { message: '403 Forbidden' }]);
    expect(await desk.row(job)).toMatchObject({ status: 'running' });
  });

  it('are accepted only while they run, after which runners learn the result', async () => {
    for (const status of ['success', 'failed', 'canceled'] as const) {
      const job = await desk.run({ status });
      for (const answer of [
        await desk.update(job, { state: 'success' }),
        await patchTrace(api, job, '0-3', 'abcd'),
      ]) {
        expect([answer.status, answer.body]).toEqual([
          403,
          { message: '403 Forbidden - Job is not running' },
        ]);
        expect(answer.headers.get('Job-Status')).toBe(status);
      }
      expect(await desk.row(job)).toMatchObject({ status });
    }
    const erased = await desk.run({ erasedAt: new Date() });
    expect((await desk.update(erased, { state: 'success' })).body).toEqual({
      message: '403 Forbidden - Job has been erased!',
    });
  });

  it('are refused in projects that are being deleted', async () => {
    const job = await desk.run();
    await api.sql('update projects set pending_delete = true where id = $1', [desk.team.projectId]);
    const answers = [await desk.update(job, { state: 'success' }), await patchTrace(api, job, '0-3', 'abcd')];
    await api.sql('update projects set pending_delete = false where id = $1', [desk.team.projectId]);
    for (const answer of answers)
      expect([answer.status, answer.body]).toEqual([
        403,
        { message: '403 Forbidden - Project has been deleted!' },
      ]);
  });

  it('record the contact of the runner', async () => {
    const [runner] = await api.sql<{ id: number }>(
      `insert into ci_runners (runner_type, token_digest, contacted_at) values ('instance_type', 'x', '2020-01-01') returning id`,
      [],
    );
    const job = await desk.run({ runnerId: runner?.id ?? 0, runnerSeenAt: new Date('2020-01-01') });
    await desk.update(job, { state: 'running' });
    const [seen] = await api.sql(
      `select r.contacted_at > now() - interval '1 minute' as runner, j.runner_seen_at > now() - interval '1 minute' as job
       from ci_jobs j join ci_runners r on r.id = j.runner_id where j.id = $1`,
      [job.id],
    );
    expect(seen).toEqual({ runner: true, job: true });
  });
});
