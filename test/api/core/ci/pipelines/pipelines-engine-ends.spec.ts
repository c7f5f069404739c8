import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Transactions } from '#kernel/database/transactions.js';
import type { JobContext } from '#kernel/queue/job-processor.js';
import { Job } from '#core/ci/jobs/job.entity.js';
import { Pipeline } from '#core/ci/pipelines/pipeline.entity.js';
import { JobTransitionsService } from '#core/ci/processing/job-transitions.service.js';
import { ProcessPipeline } from '#core/ci/processing/process-pipeline.use-case.js';
import { WatchJobsProcessor } from '#core/ci/watch/watch-jobs.processor.js';
import { LostJobsService } from '#core/ci/watch/lost-jobs.service.js';
import type { TestApi } from '../../../../support/api.js';
import { CiEngine } from '../../../../support/ci-engine.js';
import { refusalOf } from '../../../../support/code.js';
import { borrowApi } from '../../../../support/shared-api.js';
import { until } from '../../../../support/until.js';

const context = { signal: new AbortController().signal } as unknown as JobContext;

const THREE = `
stages: [build, test, deploy]
build: { stage: build, script: make }
test: { stage: test, script: make test }
deploy: { stage: deploy, script: make deploy }
`;

describe('how jobs of pipelines end, wait and stop', () => {
  let api: TestApi;
  let ci: CiEngine;

  beforeAll(async () => {
    api = await borrowApi();
    ci = await CiEngine.start(api);
  });
  afterAll(() => api.close());

  describe('failures', () => {
    const RETRY = `
a: { stage: test, script: x, retry: { max: 2, when: [runner_system_failure] } }
b: { stage: deploy, script: x }
`;

    it('are retried automatically up to the configured number, for the configured reasons only', async () => {
      const id = await ci.run(RETRY);
      const broken = { failureReason: 'runner_system_failure' } as const;
      expect(await ci.end(id, 'a', 'failed', broken)).toBe('pipeline:pending a:pending b:created');
      expect(await ci.end(id, 'a', 'failed', broken)).toBe('pipeline:pending a:pending b:created');
      expect(await ci.end(id, 'a', 'failed', broken)).toBe('pipeline:failed a:failed b:skipped');
      await ci.act(id, 'a', 'retry');
      expect(await ci.end(id, 'a', 'failed', { failureReason: 'script_failure' })).toBe(
        'pipeline:failed a:failed b:skipped',
      );
    });

    it('are retried automatically for the configured exit codes only', async () => {
      const id = await ci.run(`
a: { script: x, retry: { max: 1, exit_codes: 137 } }
b: { script: x, retry: { max: 1, exit_codes: [1, 2], when: runner_system_failure } }
`);
      expect(await ci.end(id, 'a', 'failed', { exitCode: 1 })).toContain('a:failed');
      await ci.act(id, 'a', 'retry');
      expect(await ci.end(id, 'a', 'failed', { exitCode: 137 })).toContain('a:pending');
      expect(await ci.end(id, 'b', 'failed', { exitCode: 2 })).toContain('b:pending');
      await ci.end(id, 'b', 'success');
      await ci.act(id, 'b', 'retry');
      expect(await ci.end(id, 'b', 'failed', { failureReason: 'runner_system_failure' })).toContain(
        'b:pending',
      );
    });

    it('are set for jobs that time out, wait too long, lose their runner or belong to a blocked user', async () => {
      const id = await ci.run(`
a: { script: x }
b: { script: x }
c: { script: x }
d: { script: x }
e: { script: x }
`);
      await ci.end(id, 'a', 'running');
      await ci.end(id, 'b', 'running');
      const blocked = await api.sql<{ id: number }>(
        `insert into users (username, name, email, state) values ('blocked', 'B', 'blocked@example.com', 'blocked') returning id`,
      );
      await api.sql('update ci_jobs set user_id = $2 where id = $1', [await ci.job(id, 'd'), blocked[0]?.id]);
      await api.sql('update ci_jobs set user_id = null where id = $1', [await ci.job(id, 'e')]);
      await api.sql(`update ci_jobs set runner_seen_at = now() - interval '16 minutes' where id = $1`, [
        await ci.job(id, 'a'),
      ]);
      await api.sql(
        `update ci_jobs set timeout = 60, started_at = now() - interval '12 minutes' where id = $1`,
        [await ci.job(id, 'b')],
      );
      await api.sql(`update ci_pending_jobs set created_at = now() - interval '25 hours' where job_id = $1`, [
        await ci.job(id, 'c'),
      ]);
      await api.app.get(LostJobsService).end(new AbortController().signal);
      const rows = await api.sql<{ name: string; reason: string }>(
        'select name, failure_reason as reason from ci_jobs where pipeline_id = $1 order by id',
        [id],
      );
      expect(rows.map(({ name, reason }) => `${name}:${reason}`)).toEqual([
        'a:stuck_or_timeout_failure',
        'b:job_execution_timeout',
        'c:stuck_or_timeout_failure',
        'd:user_blocked',
        'e:user_blocked',
      ]);
      expect(await ci.state(id)).toContain('pipeline:failed');
      expect(
        await api.sql('select 1 from ci_pending_jobs where job_id = any($1)', [[await ci.job(id, 'c')]]),
      ).toEqual([]);
    });
  });

  describe('cancelling', () => {
    it('a job skips the later stages; a canceled job stays canceled', async () => {
      const id = await ci.run(THREE);
      expect((await ci.act(id, 'build', 'cancel')).status).toBe(201);
      expect(await ci.state(id)).toBe('pipeline:canceled build:canceled test:skipped deploy:skipped');
      expect((await ci.act(id, 'build', 'cancel')).body.status).toBe('canceled');
    });

    it('a pipeline cancels its unfinished jobs, which a retry runs', async () => {
      const id = await ci.run(THREE);
      await ci.end(id, 'build', 'success');
      await ci.end(id, 'test', 'running');
      const path = `/projects/${ci.project.id}/pipelines/${id}`;
      expect(refusalOf(await ci.project.reporter.post(`${path}/cancel`))[0]).toBe(403);
      await ci.project.developer.post(`${path}/cancel`);
      expect(await ci.state(id)).toBe('pipeline:canceled build:success test:canceled deploy:canceled');
      await ci.project.developer.post(`${path}/retry`);
      expect(await ci.state(id)).toBe('pipeline:running build:success test:pending deploy:created');
    });

    it('while a runner takes the job cancels it, and leaves no row in the queue', async () => {
      const { app } = api;
      for (let round = 0; round < 5; round += 1) {
        const id = await ci.create();
        const jobId = await ci.job(id, 'build');
        const take = app.get(Transactions).run(async (tx) => {
          const taken = await tx.query<unknown[]>(
            'with t as (delete from ci_pending_jobs where job_id = $1 returning 1) select * from t',
            [jobId],
          );
          if (taken.length === 0) return;
          const job = await tx.findOneByOrFail(Job, { id: jobId });
          await app.get(JobTransitionsService).move(tx, job, 'running');
        });
        const [, cancelled] = await Promise.all([take, ci.act(id, 'build', 'cancel')]);
        expect(cancelled.status).toBe(201);
        expect(await ci.state(id)).toBe('pipeline:canceled build:canceled test:skipped deploy:skipped');
        expect(await api.sql('select 1 from ci_pending_jobs where job_id = $1', [jobId])).toEqual([]);
      }
    });
  });

  describe('delayed jobs', () => {
    it('wait until they are due, or until a user plays them', async () => {
      const id = await ci.run(`
a: { script: x, when: delayed, start_in: 1 second }
b: { script: x, when: delayed, start_in: 1 hour }
`);
      expect(await ci.state(id)).toBe('pipeline:scheduled a:scheduled b:scheduled');
      await ci.reaches(id, 'pipeline:pending a:pending b:scheduled');
      expect((await ci.act(id, 'b', 'play')).status).toBe(200);
      expect(await ci.state(id)).toBe('pipeline:pending a:pending b:pending');
    });
  });

  describe('resource groups', () => {
    it('run one job at a time', async () => {
      const id = await ci.run(`
a: { script: x, resource_group: phone }
b: { script: x, resource_group: phone }
c: { script: x }
`);
      expect(await ci.state(id)).toBe('pipeline:running a:pending b:waiting_for_resource c:pending');
      const other = await ci.create();
      expect(await ci.state(other)).toContain('a:waiting_for_resource');
      await ci.end(id, 'a', 'failed');
      await until(async () => (await ci.state(id)).includes('b:pending'));
      expect(await ci.state(other)).toContain('a:waiting_for_resource');
      await ci.act(id, 'b', 'cancel');
      await until(async () => (await ci.state(other)).includes('a:pending'));
      expect(await ci.state(other)).toContain('b:waiting_for_resource');
    });
  });

  describe('resource groups of two pipelines', () => {
    it('are locked in the same order, whatever the order of the jobs', async () => {
      const id = await ci.run(`
first: { stage: build, script: x }
y: { stage: test, script: x, resource_group: b-group }
x: { stage: test, script: x, resource_group: a-group }
`);
      const { app } = api;
      const hash = (group: string): string =>
        `hashtextextended('ci resource group ${ci.project.id} ${group}', 0)`;
      let ended: Promise<string> | undefined;
      await app.get(Transactions).run(async (tx) => {
        await tx.query(`select pg_advisory_xact_lock(${hash('a-group')})`);
        ended = ci.end(id, 'first', 'success');
        await until(async () => {
          const waiting = await api.sql(
            `select 1 from pg_locks where locktype = 'advisory' and not granted
               and database = (select oid from pg_database where datname = current_database())`,
          );
          return waiting.length > 0;
        });
        expect(await tx.query(`select pg_try_advisory_xact_lock(${hash('b-group')}) as free`)).toEqual([
          { free: true },
        ]);
      });
      expect(await ended).toBe('pipeline:running first:success y:pending x:pending');
    });
  });

  describe('bridges', () => {
    it('continue even if the queued job that should notify them is lost', async () => {
      const id = await ci.run(
        `
t: { trigger: { include: child.yml, strategy: depend } }
u: { trigger: { include: child.yml, strategy: depend } }
v: { when: manual, trigger: { include: child.yml, strategy: depend } }
`,
        { 'child.yml': 'in: { script: x }' },
      );
      await until(async () => (await ci.state(id)).includes('t:running u:running v:manual'));
      const bridges = await Promise.all(['t', 'u', 'v'].map((name) => ci.job(id, name)));
      // As if the event were lost: bypasses the engine.
      await api.sql(
        `update ci_pipelines set status = 'success', updated_at = now() - interval '2 minutes' where bridge_id = $1`,
        [bridges[0]],
      );
      await api.sql('delete from ci_pipelines where bridge_id = $1', [bridges[1]]);
      await api.sql(
        `update ci_jobs set updated_at = now() - interval '6 minutes', status = case when id = $2 then 'pending' else status end
         where id in ($1, $2)`,
        [bridges[1], bridges[2]],
      );
      await api.app.get(WatchJobsProcessor, { strict: false }).process({}, context);
      await until(async () => (await ci.state(id)).includes('t:success u:failed v:running'));
    });
  });

  it('processes a pipeline of 1,000 jobs in a short time', async () => {
    const jobs = Array.from(
      { length: 1_000 },
      (_, at) => `j${at}: { stage: ${at < 500 ? 'build' : 'test'}, script: x }`,
    );
    const id = await ci.run(jobs.join('\n'));
    await api.sql(
      `update ci_jobs set status = 'success', finished_at = now() where pipeline_id = $1 and stage = 'build' and name <> 'j0'`,
      [id],
    );
    await api.sql(
      'delete from ci_pending_jobs where job_id in (select id from ci_jobs where pipeline_id = $1 and name <> $2)',
      [id, 'j0'],
    );
    const begun = Date.now();
    await ci.end(id, 'j0', 'success');
    expect(Date.now() - begun).toBeLessThan(5_000);
    const [row] = await api.sql<{ pending: number }>(
      'select count(*)::int as pending from ci_pending_jobs q join ci_jobs j on j.id = q.job_id where j.pipeline_id = $1',
      [id],
    );
    expect(row?.pending).toBe(500);
    const { app } = api;
    const again = Date.now();
    await app.get(Transactions).run(async (tx) => {
      const pipeline = await tx.findOneByOrFail(Pipeline, { id });
      await app.get(ProcessPipeline).process(tx, pipeline);
    });
    expect(Date.now() - again).toBeLessThan(5_000);
  });

  it('have at most 200 descendants, also if many start at once', async () => {
    const bridges = Array.from(
      { length: 8 },
      (_, at) => `child ${at}: { stage: b, trigger: { include: child.yml } }`,
    );
    const files = { 'child.yml': 'made: { script: x }' };
    const id = await ci.run(`stages: [a, b]\ngate: { stage: a, script: x }\n${bridges.join('\n')}`, files);
    await api.sql(
      `insert into ci_pipelines select (jsonb_populate_record(null::ci_pipelines, to_jsonb(p)
         || jsonb_build_object('id', 1000000 + n, 'iid', 1000000 + n, 'parent_id', p.id, 'status', 'success'))).*
       from ci_pipelines p, generate_series(1, 199) n where p.id = $1`,
      [id],
    );
    await ci.end(id, 'gate', 'success');
    await until(async () => /^((?!:pending|:created).)*$/.test((await ci.state(id)).replace(/^\S+ /, '')));
    const [row] = await api.sql<{ count: number }>(
      'select count(*)::int as count from ci_pipelines where parent_id = $1',
      [id],
    );
    expect(row?.count).toBe(200);
  });
});
