import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { JobGatesRegistry, type GateVerdict } from '#core/ci/processing/job-gates.registry.js';
import { startApi, type TestApi } from '../../../../support/api.js';
import { CiEngine } from '../../../../support/ci-engine.js';
import { refusalOf } from '../../../../support/code.js';

const THREE = `
stages: [build, test, deploy]
build: { stage: build, script: make }
test: { stage: test, script: make test }
deploy: { stage: deploy, script: make deploy }
`;

describe('the processing of pipelines', () => {
  let api: TestApi;
  let ci: CiEngine;
  const verdicts = new Map<string, GateVerdict>();

  beforeAll(async () => {
    api = await startApi();
    api.app.get(JobGatesRegistry).register((_tx, { name }) => Promise.resolve(verdicts.get(name) ?? 'pass'));
    ci = await CiEngine.start(api);
  });
  afterAll(() => api.close());

  describe('stages', () => {
    it('run one after the other, and the pipeline records its times', async () => {
      const id = await ci.run(THREE);
      expect(await ci.state(id)).toBe('pipeline:pending build:pending test:created deploy:created');
      expect(await ci.end(id, 'build', 'running')).toBe(
        'pipeline:running build:running test:created deploy:created',
      );
      expect(await ci.end(id, 'build', 'success')).toBe(
        'pipeline:running build:success test:pending deploy:created',
      );
      await ci.end(id, 'test', 'success');
      expect(await ci.end(id, 'deploy', 'success')).toBe(
        'pipeline:success build:success test:success deploy:success',
      );
      const { body } = await ci.project.reporter.get(`/projects/${ci.project.id}/pipelines/${id}`);
      expect(body).toMatchObject({ status: 'success', source: 'api', ref: 'main', tag: false });
      expect(body['started_at']).not.toBeNull();
      expect(body['finished_at']).not.toBeNull();
      expect(typeof body['duration']).toBe('number');
    });

    it('are skipped after a failure, and run when it is retried', async () => {
      const id = await ci.run(THREE);
      const failed = await ci.job(id, 'build');
      expect(await ci.end(id, 'build', 'failed', { failureReason: 'script_failure' })).toBe(
        'pipeline:failed build:failed test:skipped deploy:skipped',
      );
      const answer = await ci.act(id, 'build', 'retry');
      expect(answer.status).toBe(201);
      expect(answer.body).toMatchObject({ status: 'pending', name: 'build' });
      expect(answer.body.id).toBeGreaterThan(failed);
      expect(await ci.state(id)).toBe('pipeline:pending build:pending test:created deploy:created');
      const [row] = await api.sql<{ user_id: number; finished_at: Date | null }>(
        `select j.user_id, p.finished_at from ci_jobs j join ci_pipelines p on p.id = j.pipeline_id
         where j.pipeline_id = $1 and j.name = 'test'`,
        [id],
      );
      expect(row).toEqual({ user_id: ci.project.developerId, finished_at: null });
      const again = await ci.project.developer.post(`/projects/${ci.project.id}/jobs/${failed}/retry`);
      expect(refusalOf(again)).toEqual([403, '403 Forbidden - Job is not retryable']);
      await ci.end(id, 'build', 'success');
      expect(await ci.end(id, 'test', 'success')).toBe(
        'pipeline:running build:success test:success deploy:pending',
      );
    });

    it('continue after an allowed failure, also if allowed by its exit code', async () => {
      const id = await ci.run(`
stages: [a, b, c]
a: { stage: a, script: x, allow_failure: true }
b: { stage: b, script: x, allow_failure: { exit_codes: [7] } }
c: { stage: c, script: x }
`);
      expect(await ci.end(id, 'a', 'failed')).toBe('pipeline:running a:failed b:pending c:created');
      expect(await ci.end(id, 'b', 'failed', { exitCode: 7 })).toBe(
        'pipeline:running a:failed b:failed c:pending',
      );
      expect(await ci.end(id, 'c', 'success')).toBe('pipeline:success a:failed b:failed c:success');
      await ci.act(id, 'b', 'retry');
      expect(await ci.end(id, 'b', 'failed', { exitCode: 8 })).toBe(
        'pipeline:failed a:failed b:failed c:success',
      );
    });

    it('run jobs with `on_failure` after failures, and jobs with `always`', async () => {
      const config = `
stages: [a, b]
a: { stage: a, script: x }
clean: { stage: b, script: x, when: always }
mourn: { stage: b, script: x, when: on_failure }
`;
      const id = await ci.run(config);
      expect(await ci.end(id, 'a', 'failed')).toBe('pipeline:running a:failed clean:pending mourn:pending');
      await ci.end(id, 'clean', 'success');
      expect(await ci.end(id, 'mourn', 'success')).toBe(
        'pipeline:failed a:failed clean:success mourn:success',
      );
      const other = await ci.create();
      expect(await ci.end(other, 'a', 'success')).toBe(
        'pipeline:running a:success clean:pending mourn:skipped',
      );
    });

    it('do not hold back jobs that need other jobs', async () => {
      const id = await ci.run(`
stages: [a, b, c]
quick: { stage: a, script: x }
slow: { stage: a, script: x }
after: { stage: b, script: x, needs: [quick] }
last: { stage: c, script: x, needs: [after] }
alone: { stage: c, script: x, needs: [] }
`);
      expect(await ci.state(id)).toBe(
        'pipeline:pending quick:pending slow:pending after:created last:created alone:pending',
      );
      await ci.end(id, 'quick', 'success');
      await ci.end(id, 'after', 'success');
      expect(await ci.state(id)).toBe(
        'pipeline:running quick:success slow:pending after:success last:pending alone:pending',
      );
      await ci.act(id, 'quick', 'cancel');
      expect(await ci.end(id, 'slow', 'canceled')).toContain('last:pending alone:pending');
    });
  });

  describe('manual jobs', () => {
    const MANUAL = `
stages: [a, b, c]
gate: { stage: a, script: x, when: manual, allow_failure: false }
free: { stage: b, script: x, when: manual }
last: { stage: c, script: x }
needing: { stage: c, script: x, needs: [free] }
`;

    it('hold back later stages, unless they may fail', async () => {
      const id = await ci.run(MANUAL);
      expect(await ci.state(id)).toBe(
        'pipeline:manual gate:manual free:created last:created needing:created',
      );
      const played = await ci.act(id, 'gate', 'play', {
        job_variables_attributes: [{ key: 'COLOUR', value: 'red' }],
      });
      expect([played.status, played.body.status]).toEqual([200, 'pending']);
      expect(played.body.user.id).toBe(ci.project.developerId);
      expect(await ci.end(id, 'gate', 'success')).toBe(
        'pipeline:running gate:success free:manual last:pending needing:skipped',
      );
      expect(await ci.end(id, 'last', 'success')).toBe(
        'pipeline:success gate:success free:manual last:success needing:skipped',
      );
      await ci.act(id, 'free', 'play');
      expect(await ci.end(id, 'free', 'success')).toBe(
        'pipeline:running gate:success free:success last:success needing:pending',
      );
    });

    it('get the variables of the user who plays them, encrypted', async () => {
      const [stored] = await api.sql<{ id: number; played: string; text: string }>(
        `select j.id, d.play_variables as played, d::text as text from ci_jobs j join ci_job_definitions d on d.job_id = j.id
         where j.name = 'gate' and d.play_variables is not null`,
      );
      expect(stored?.text).not.toContain('COLOUR');
      const variables = await ci.variablesOf(stored?.id as number);
      expect(variables.get('COLOUR')).toBe('red');
      expect(variables.get('CI_JOB_MANUAL')).toBe('true');
    });

    it('are played once, however many requests come at once', async () => {
      const id = await ci.create();
      const answers = await Promise.all([1, 2, 3, 4].map(() => ci.act(id, 'gate', 'play')));
      expect(answers.map(({ status }) => status).sort()).toEqual([200, 400, 400, 400]);
      expect(answers.filter(({ status }) => status === 400).map(refusalOf)).toEqual(
        Array.from({ length: 3 }, () => [400, '400 Bad request - Unplayable Job']),
      );
      const [queue] = await api.sql('select 1 from ci_pending_jobs where job_id = $1', [
        await ci.job(id, 'gate'),
      ]);
      expect(queue).toBeDefined();
    });

    it('are played without starting other jobs', async () => {
      const id = await ci.run(THREE);
      expect(refusalOf(await ci.act(id, 'build', 'play'))).toEqual([400, '400 Bad request - Unplayable Job']);
      expect(refusalOf(await ci.act(id, 'test', 'play'))).toEqual([400, '400 Bad request - Unplayable Job']);
      expect(refusalOf(await ci.act(id, 'build', 'retry'))).toEqual([
        403,
        '403 Forbidden - Job is not retryable',
      ]);
    });
  });

  describe('gates', () => {
    it('hold a job until it is played, and let it fail', async () => {
      verdicts.set('build', 'hold');
      const id = await ci.run(THREE);
      expect(await ci.state(id)).toBe('pipeline:manual build:manual test:created deploy:created');
      expect(refusalOf(await ci.act(id, 'build', 'play'))).toEqual([400, '400 Bad request - Unplayable Job']);
      verdicts.set('build', { fail: 'unmet_prerequisites' });
      await ci.act(id, 'build', 'play');
      expect(await ci.state(id)).toBe('pipeline:failed build:failed test:skipped deploy:skipped');
      verdicts.delete('build');
      await ci.act(id, 'build', 'retry');
      expect(await ci.state(id)).toBe('pipeline:pending build:pending test:created deploy:created');
    });
  });
});
