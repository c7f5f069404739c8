import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { Logger } from '@nestjs/common';
import { DataSource } from 'typeorm';
import type { TestApi } from '../../../support/api.js';
import { buildJob, buildPipeline } from '../../../support/builders/ci.js';
import { buildProjectTeam } from '../../../support/builders/project-team.js';
import { buildProject } from '../../../support/builders/project.js';
import { registerRunner, requestJob } from '../../../support/builders/runner.js';
import { untilBlocking } from '../../../support/lock-waits.js';
import { borrowApi } from '../../../support/shared-api.js';

const RUNNERS = 20;
const JOBS = 200;

describe('many runners at once', () => {
  let api: TestApi;

  beforeAll(async () => {
    api = await borrowApi();
  });
  afterAll(() => api.close());

  it(`${RUNNERS} of them take ${JOBS} jobs of three projects, each once, and run them`, async () => {
    const projects = [
      await buildProject(api.root),
      await buildProject(api.root),
      await buildProject(api.root),
    ];
    const expected: number[] = [];
    const pipelines: number[] = [];
    for (let index = 0; index < JOBS / 10; index += 1) {
      const pipeline = await buildPipeline(api, projects[index % 3]?.id ?? 0);
      pipelines.push(pipeline.id);
      for (let job = 0; job < 10; job += 1)
        expected.push((await buildJob(api, pipeline, { name: `job ${job}` })).id);
    }
    const taken: number[] = [];
    let conflicts = 0;
    const work = async (): Promise<void> => {
      const runner = await registerRunner(api, 'instance');
      for (;;) {
        const { status, body } = await requestJob(api, runner);
        if (status === 204) return;
        if (status === 409) conflicts += 1;
        else {
          expect(status).toBe(201);
          taken.push(body.id);
          const done = await api.anonymous.put(`/jobs/${body.id}`, { token: body.token, state: 'success' });
          expect(done.status).toBe(200);
        }
      }
    };
    await Promise.all(Array.from({ length: RUNNERS }, work));
    expect([...taken].sort((left, right) => left - right)).toEqual(expected);
    // A runner that gets a conflict requests again; that must not be the rule.
    expect(conflicts).toBeLessThan(JOBS);
    const left = `select (select count(*) from ci_pending_jobs)::int as waiting,
      (select count(*) from ci_jobs where status <> 'success')::int as jobs,
      (select count(*) from ci_pipelines where status <> 'success' and id = any($1))::int as pipelines`;
    expect(await api.sql(left, [pipelines])).toEqual([{ waiting: 0, jobs: 0, pipelines: 0 }]);
  });

  it('either take a job or find it canceled, never both', async () => {
    const team = await buildProjectTeam(api);
    const runners = await Promise.all(
      Array.from({ length: 4 }, () => registerRunner(api, { project: team.projectId })),
    );
    let canceledFirst = 0;
    for (let round = 0; round < 15; round += 1) {
      const job = await buildJob(api, await buildPipeline(api, team.projectId));
      const [canceled, ...answers] = await Promise.all([
        team.developer.post(`/projects/${team.projectId}/jobs/${job.id}/cancel`),
        ...runners.map((runner) => requestJob(api, runner)),
      ]);
      expect(canceled.status).toBe(201);
      const got = answers.filter(({ status }) => status === 201);
      expect(got.length).toBeLessThanOrEqual(1);
      if (got.length === 0) canceledFirst += 1;
      const [row] = await api.sql(
        `select j.status, p.status as pipeline, exists (select 1 from ci_pending_jobs q where q.job_id = j.id) as waits
         from ci_jobs j join ci_pipelines p on p.id = j.pipeline_id where j.id = $1`,
        [job.id],
      );
      expect(row).toEqual({ status: 'canceled', pipeline: 'canceled', waits: false });
      for (const { body } of got) {
        const told = await api.anonymous.put(`/jobs/${body.id}`, { token: body.token, state: 'success' });
        expect([told.status, told.headers.get('Job-Status')]).toEqual([403, 'canceled']);
      }
    }
    expect(canceledFirst).toBeLessThanOrEqual(15);
  });

  it('get no job whose pipeline is removed while they take it, which is no error', async () => {
    const team = await buildProjectTeam(api);
    const runner = await registerRunner(api, { project: team.projectId });
    const pipeline = await buildPipeline(api, team.projectId);
    const job = await buildJob(api, pipeline);
    const told = jest.spyOn(Logger.prototype, 'error');
    const remover = api.app.get(DataSource).createQueryRunner();
    await remover.startTransaction();
    try {
      await remover.query('select 1 from ci_pipelines where id = $1 for update', [pipeline.id]);
      const asked = requestJob(api, runner);
      await untilBlocking(api, remover);
      // The runner has taken it, but not started it.
      expect(await api.sql('select status from ci_jobs where id = $1', [job.id])).toEqual([
        { status: 'running' },
      ]);
      await remover.query('delete from ci_pipelines where id = $1', [pipeline.id]);
      await remover.commitTransaction();
      expect((await asked).status).toBe(204);
      expect(told).not.toHaveBeenCalled();
    } finally {
      if (remover.isTransactionActive) await remover.rollbackTransaction();
      await remover.release();
      told.mockRestore();
    }
  });
});
