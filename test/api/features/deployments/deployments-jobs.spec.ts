import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Transactions } from '#kernel/database/transactions.js';
import { Jobs } from '#kernel/queue/jobs.js';
import { JobVariablesService } from '#core/ci/creation/job-variables.service.js';
import { StoredJobDefinition } from '#core/ci/jobs/definition/job-definition.entity.js';
import { Job } from '#core/ci/jobs/job.entity.js';
import { Pipeline } from '#core/ci/pipelines/pipeline.entity.js';
import { StopDueEnvironmentsJob } from '#core/environments/stop/stop-due-environments.job.js';
import type { TestApi } from '../../../support/api.js';
import { CiEngine } from '../../../support/ci-engine.js';
import { borrowApi } from '../../../support/shared-api.js';
import { until } from '../../../support/until.js';

interface Shown {
  readonly id: number;
  readonly iid: number;
  readonly status: string;
  readonly deployable: Record<string, unknown> | null;
  readonly environment: Record<string, unknown>;
  readonly user: { readonly id: number };
}

const WITH_STOP = `
deploy:
  script: x
  environment: { name: review/$CI_COMMIT_REF_NAME, url: 'https://$CI_ENVIRONMENT_SLUG.example.com', on_stop: stop, auto_stop_in: 2 hours }
stop:
  script: x
  when: manual
  environment: { name: review/$CI_COMMIT_REF_NAME, action: stop }
`;

const PLAIN = `
deploy:
  script: x
  environment: { name: NAME, url: 'https://$CI_COMMIT_REF_SLUG.example.com', deployment_tier: testing }
`;

describe('deployments by jobs', () => {
  let api: TestApi;
  let ci: CiEngine;

  beforeAll(async () => {
    api = await borrowApi();
    ci = await CiEngine.start(api);
  });
  afterAll(() => api.close());

  const at = (suffix = ''): string => `/projects/${ci.project.id}${suffix}`;
  const deployments = async (environment: string): Promise<Shown[]> =>
    (
      await ci.project.reporter.get<Shown[]>(
        at(`/deployments?environment=${encodeURIComponent(environment)}`),
      )
    ).body;
  const statuses = async (environment: string): Promise<string> =>
    (await deployments(environment)).map(({ status }) => status).join(' ');
  const environmentOf = async (name: string): Promise<{ id: number; [key: string]: unknown }> => {
    const [one] = (
      await ci.project.reporter.get<{ id: number }[]>(at(`/environments?name=${encodeURIComponent(name)}`))
    ).body;
    return (await ci.project.reporter.get<{ id: number }>(at(`/environments/${one?.id ?? 0}`))).body;
  };
  const plain = (name: string): Promise<number> => ci.run(PLAIN.replace('NAME', name));

  it('follow their job from its creation on, and show it completely', async () => {
    const id = await plain('followed');
    expect(await statuses('followed')).toBe('created');
    await ci.end(id, 'deploy', 'running');
    expect(await statuses('followed')).toBe('running');
    await ci.end(id, 'deploy', 'success');
    const [deployment] = await deployments('followed');
    const jobId = await ci.job(id, 'deploy');
    const { body: job } = await ci.project.reporter.get(at(`/jobs/${jobId}`));
    expect(deployment).toMatchObject({
      status: 'success',
      ref: 'main',
      user: job['user'] && { id: expect.any(Number) as unknown },
    });
    const shown = await ci.project.reporter.get<Shown>(at(`/deployments/${deployment?.id ?? 0}`));
    for (const deployable of [deployment?.deployable, shown.body.deployable])
      expect(deployable).toEqual({ ...job, duration: expect.any(Number) as unknown });
    expect(await environmentOf('followed')).toMatchObject({
      tier: 'testing',
      state: 'available',
      external_url: 'https://main.example.com',
      last_deployment: { id: deployment?.id, deployable: { id: jobId } },
    });
  });

  it.each([
    ['failed', 'failed'],
    ['canceled', 'canceled'],
  ] as const)('have the status of their job: %s', async (status, expected) => {
    const id = await plain(`end-${status}`);
    await ci.end(id, 'deploy', status);
    expect(await statuses(`end-${status}`)).toBe(expected);
  });

  it('are canceled when their job is skipped, and return with it', async () => {
    const id = await ci.run(`
stages: [a, b]
a: { stage: a, script: x }
deploy: { stage: b, script: x, environment: back }
`);
    await ci.end(id, 'a', 'failed');
    expect(await statuses('back')).toBe('canceled');
    const skipped = await ci.project.reporter.get(at('/deployments?status=skipped'));
    expect(skipped.status).toBe(400);
    await ci.project.developer.post(at(`/jobs/${await ci.job(id, 'a')}/retry`));
    expect(await statuses('back')).toBe('created');
  });

  it('are created anew for retried jobs', async () => {
    const id = await plain('again');
    await ci.end(id, 'deploy', 'failed');
    const answer = await ci.project.developer.post(at(`/jobs/${await ci.job(id, 'deploy')}/retry`));
    expect(answer.status).toBe(201);
    expect(await statuses('again')).toBe('failed created');
    await ci.end(id, 'deploy', 'success');
    expect(await statuses('again')).toBe('failed success');
    const [, second] = await deployments('again');
    expect(second?.user.id).toBe(ci.project.developerId);
  });

  it('cannot be updated by the API', async () => {
    await plain('fixed');
    const [deployment] = await deployments('fixed');
    for (const client of [ci.project.developer, ci.project.maintainer]) {
      const answer = await client.put(at(`/deployments/${deployment?.id ?? 0}`), { status: 'success' });
      expect([answer.status, answer.body]).toEqual([
        403,
        { message: '403 Forbidden - Deployments created using GitLab CI can not be updated using the API' },
      ]);
    }
  });

  it('fail with their job when the name cannot be one', async () => {
    const id = await ci.run(`
build: { script: x, variables: { BAD: 'a;b' } , environment: 'x/$BAD' }
`);
    expect(await ci.state(id)).toBe('pipeline:failed build:failed');
    const { body } = await ci.project.reporter.get(at(`/jobs/${await ci.job(id, 'build')}`));
    expect(body['failure_reason']).toBe('environment_creation_failure');
  });

  it('have the name and the end that variables of their job say', async () => {
    const id = await ci.run(`
deploy 1:
  script: x
  parallel: 2
  variables: { LIFE: 2 hours }
  environment: { name: $CI_JOB_STAGE/$CI_JOB_NAME_SLUG/$CI_NODE_INDEX-of-$CI_NODE_TOTAL, auto_stop_in: $LIFE }
`);
    for (const index of [1, 2]) {
      const name = `test/deploy-1-${index}-2/${index}-of-2`;
      await ci.end(id, `deploy 1 ${index}/2`, 'success');
      const due = Date.parse(String((await environmentOf(name))['auto_stop_at'])) - Date.now();
      expect([name, due > 7_100_000 && due < 7_200_001]).toEqual([name, true]);
    }
  });

  it('only go forward: older deployments fail, unless the project allows them', async () => {
    const manual = `deploy: { script: x, when: manual, environment: forward }`;
    const older = await ci.run(manual);
    const newer = await ci.run(manual);
    const play = async (pipeline: number): Promise<number> =>
      (await ci.project.developer.post(at(`/jobs/${await ci.job(pipeline, 'deploy')}/play`))).status;
    expect(await play(newer)).toBe(200);
    await ci.end(newer, 'deploy', 'success');
    expect(await play(older)).toBe(200);
    const { body } = await ci.project.reporter.get(at(`/jobs/${await ci.job(older, 'deploy')}`));
    expect(body).toMatchObject({ status: 'failed', failure_reason: 'forward_deployment_failure' });
    expect(await statuses('forward')).toBe('failed success');
    await ci.project.maintainer.put(at(), { ci_forward_deployment_enabled: false });
    const free = await ci.run(manual);
    const last = await ci.run(manual);
    await play(last);
    await ci.end(last, 'deploy', 'success');
    await play(free);
    expect(await ci.state(free)).toContain('deploy:pending');
    await ci.project.maintainer.put(at(), { ci_forward_deployment_enabled: true });
  });

  it('fail while they wait if a newer one starts', async () => {
    const config = `deploy: { script: x, environment: overtaken }`;
    await ci.project.maintainer.put(at(), { auto_cancel_pending_pipelines: 'disabled' });
    const older = await ci.run(config);
    const newer = await ci.run(config);
    await ci.end(newer, 'deploy', 'running');
    await until(async () => (await statuses('overtaken')) === 'failed running');
    expect(await ci.state(older)).toContain('deploy:failed');
  });

  it('pass the environment to their jobs', async () => {
    const id = await ci.run(WITH_STOP);
    const jobId = await ci.job(id, 'deploy');
    const variables = await api.app.get(Transactions).run(async (tx) => {
      const job = await tx.findOneByOrFail(Job, { id: jobId });
      const stored = await tx.findOneByOrFail(StoredJobDefinition, { jobId });
      const pipeline = await tx.findOneByOrFail(Pipeline, { id });
      return api.app.get(JobVariablesService).of(pipeline, job, stored);
    });
    const environment = await environmentOf('review/main');
    const found = Object.fromEntries(
      variables.filter(({ key }) => key.startsWith('CI_ENVIRONMENT_')).map(({ key, value }) => [key, value]),
    );
    expect(found).toEqual({
      CI_ENVIRONMENT_NAME: 'review/main',
      CI_ENVIRONMENT_SLUG: environment['slug'],
      CI_ENVIRONMENT_TIER: 'development',
      CI_ENVIRONMENT_ACTION: 'start',
      CI_ENVIRONMENT_URL: 'https://$CI_ENVIRONMENT_SLUG.example.com',
    });
  });

  it('take the URL that the job itself reports', async () => {
    const id = await ci.run("deploy: { script: x, environment: { name: dynamic, url: '$ADDRESS/app' } }");
    await api.sql(
      `insert into ci_job_variables (job_id, key, value) values ($1, 'ADDRESS', 'https://d.example.com')`,
      [await ci.job(id, 'deploy')],
    );
    await ci.end(id, 'deploy', 'success');
    expect((await environmentOf('dynamic'))['external_url']).toBe('https://d.example.com/app');
  });

  describe('stopping', () => {
    const stop = async (id: number, values = {}, client = ci.project.developer) =>
      client.post<{ state: string }>(at(`/environments/${id}/stop`), values);
    const deployed = async (): Promise<{ pipeline: number; id: number }> => {
      const pipeline = await ci.run(WITH_STOP);
      await ci.end(pipeline, 'deploy', 'success');
      return { pipeline, id: (await environmentOf('review/main')).id };
    };

    it('plays the job that stops the environment, and waits for it', async () => {
      const { pipeline, id } = await deployed();
      const environment = await environmentOf('review/main');
      expect(environment).toMatchObject({
        external_url: `https://${String(environment['slug'])}.example.com`,
      });
      const due = Date.parse(String(environment['auto_stop_at'])) - Date.now();
      expect(due).toBeGreaterThan(7_100_000);
      expect(due).toBeLessThan(7_200_001);
      const answer = await stop(id);
      expect([answer.status, answer.body.state]).toEqual([200, 'stopping']);
      expect(await ci.state(pipeline)).toContain('stop:pending');
      expect((await stop(id)).body.state).toBe('stopping');
      await ci.end(pipeline, 'stop', 'success');
      expect(await environmentOf('review/main')).toMatchObject({ state: 'stopped', auto_stop_at: null });
      expect((await stop(id)).body.state).toBe('stopped');
    });

    it('leaves the environment unchanged when the job fails, and stops it immediately by force', async () => {
      const { pipeline, id } = await deployed();
      expect((await stop(id)).body.state).toBe('stopping');
      await ci.end(pipeline, 'stop', 'failed');
      expect((await environmentOf('review/main'))['state']).toBe('available');
      expect((await stop(id)).body.state).toBe('stopping');
      expect((await stop(id, { force: true })).body.state).toBe('stopped');
    });

    it('also happens when a user plays the job', async () => {
      const { pipeline } = await deployed();
      await ci.project.developer.post(at(`/jobs/${await ci.job(pipeline, 'stop')}/play`));
      await ci.end(pipeline, 'stop', 'success');
      expect((await environmentOf('review/main'))['state']).toBe('stopped');
    });

    it('happens automatically when it is due', async () => {
      const { pipeline, id } = await deployed();
      await api.sql(`update environments set auto_stop_at = now() - interval '1 s' where id = $1`, [id]);
      await ci.project.developer.post(at('/environments'), { name: 'due' });
      await api.sql(`update environments set auto_stop_at = now() - interval '1 s' where name = 'due'`);
      const { app } = api;
      await app.get(Transactions).run((tx) => app.get(Jobs).enqueue(tx, StopDueEnvironmentsJob, {}));
      await until(async () => (await environmentOf('due'))['state'] === 'stopped');
      expect((await environmentOf('review/main'))['state']).toBe('stopping');
      expect(await ci.state(pipeline)).toContain('stop:pending');
    });
  });
});
