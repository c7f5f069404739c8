import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { TestApi } from '../../../support/api.js';
import { registerRunner, requestJob, type BuiltRunner } from '../../../support/builders/runner.js';
import { CiEngine } from '../../../support/ci-engine.js';
import type { Answer } from '../../../support/client.js';
import { borrowApi } from '../../../support/shared-api.js';

const DEPLOY = 'deploy: { script: x, environment: shop }';

interface Deployment {
  readonly pipeline: number;
  readonly jobId: number;
  readonly id: number;
}

describe('approvals of deployments, checked again when a runner takes the job', () => {
  let api: TestApi;
  let ci: CiEngine;
  let runner: BuiltRunner;

  beforeAll(async () => {
    api = await borrowApi();
    ci = await CiEngine.start(api);
    runner = await registerRunner(api, { project: ci.project.id });
    await ci.put({ auto_cancel_pending_pipelines: 'disabled' });
  });
  afterAll(() => api.close());
  beforeEach(async () => {
    await api.sql('delete from ci_pending_jobs', []);
    await api.sql('delete from protected_environments', []);
  });

  const at = (suffix: string): string => `/projects/${ci.project.id}${suffix}`;
  async function protect(name: string): Promise<void> {
    const made = await ci.project.maintainer.post(at('/protected_environments'), {
      name,
      deploy_access_levels: [{ access_level: 30 }],
      required_approval_count: 1,
    });
    expect(made.status).toBe(201);
  }
  async function idOf(pipeline: number): Promise<number> {
    const jobId = await ci.job(pipeline, 'deploy');
    const [row] = await api.sql<{ id: number }>('select id from deployments where job_id = $1', [jobId]);
    return row?.id ?? 0;
  }
  /** A deployment that waits for an approval. */
  async function deployment(yaml: string): Promise<Deployment> {
    await protect('shop');
    const pipeline = await ci.run(yaml);
    return { pipeline, jobId: await ci.job(pipeline, 'deploy'), id: await idOf(pipeline) };
  }
  const shown = async (id: number): Promise<Record<string, unknown>> =>
    (await ci.project.reporter.get(at(`/deployments/${id}`))).body;
  const approve = (id: number): Promise<Answer> =>
    ci.project.developer.post(at(`/deployments/${id}/approval`), { status: 'approved' });
  const play = (jobId: number): Promise<Answer> => ci.project.developer.post(at(`/jobs/${jobId}/play`));

  /** A runner requests a job and gets none: the job is manual as if no runner had ever taken it. */
  const waits = async (pipeline: number, id: number): Promise<void> => {
    const jobId = await ci.job(pipeline, 'deploy');
    expect((await requestJob(api, runner)).status).toBe(204);
    expect(await ci.state(pipeline)).toBe('pipeline:manual deploy:manual');
    const { body } = await ci.project.reporter.get(at(`/jobs/${jobId}`));
    expect(body).toMatchObject({ status: 'manual', started_at: null, runner: null });
    const [row] = await api.sql('select token_digest, timeout, runner_seen_at from ci_jobs where id = $1', [
      jobId,
    ]);
    expect(row).toEqual({ token_digest: null, timeout: null, runner_seen_at: null });
    expect(await shown(id)).toMatchObject({ status: 'blocked', pending_approval_count: 1 });
    expect((await requestJob(api, runner)).status).toBe(204);
  };
  const goesOn = async (pipeline: number, id: number): Promise<void> => {
    expect((await approve(id)).status).toBe(201);
    const jobId = await ci.job(pipeline, 'deploy');
    expect((await play(jobId)).status).toBe(200);
    const given = await requestJob(api, runner);
    expect([given.status, given.body.id]).toEqual([201, jobId]);
    expect(await ci.state(pipeline)).toBe('pipeline:running deploy:running');
    expect((await shown(id))['status']).toBe('running');
  };

  it('hold the job if the environment was protected after it began to wait', async () => {
    const pipeline = await ci.run('deploy: { script: x, environment: shop }');
    expect(await ci.state(pipeline)).toBe('pipeline:pending deploy:pending');
    const id = await idOf(pipeline);
    await protect('shop');
    await waits(pipeline, id);
    await goesOn(pipeline, id);
  });

  it('hold a delayed job at once, not only when its time has come', async () => {
    const { pipeline, id } = await deployment(
      'deploy: { script: x, environment: shop, when: delayed, start_in: 1 day }',
    );
    await waits(pipeline, id);
    await goesOn(pipeline, id);
  });

  it('hold the job if an approval was removed since', async () => {
    const { id, pipeline, jobId } = await deployment(DEPLOY);
    expect((await approve(id)).status).toBe(201);
    expect((await play(jobId)).status).toBe(200);
    expect(await ci.state(pipeline)).toBe('pipeline:pending deploy:pending');
    await api.sql('delete from deployment_approvals where deployment_id = $1', [id]);
    await waits(pipeline, id);
    await goesOn(pipeline, id);
  });

  it('release the resource of a job that they hold', async () => {
    const { id, pipeline, jobId } = await deployment(DEPLOY);
    await api.sql(`update ci_jobs set resource_group = 'shop' where id = $1`, [jobId]);
    const next = await ci.run('other: { script: x, resource_group: shop, tags: [none] }');
    expect(await ci.end(next, 'other', 'success')).toBe('pipeline:success other:success');
    expect((await approve(id)).status).toBe(201);
    expect((await play(jobId)).status).toBe(200);
    const second = await ci.run('other: { script: x, resource_group: shop, tags: [none] }');
    expect(await ci.state(second)).toBe('pipeline:waiting_for_resource other:waiting_for_resource');
    await api.sql('delete from deployment_approvals where deployment_id = $1', [id]);
    await waits(pipeline, id);
    await ci.reaches(second, 'pipeline:pending other:pending');
  });

  it('hold a bridge whose child is about to start', async () => {
    await ci.configure('deploy: { trigger: { include: child.yml }, environment: shop }', {
      'child.yml': 'inner: { script: x }',
    });
    await protect('shop');
    const pipeline = await ci.create();
    const id = await idOf(pipeline);
    expect((await approve(id)).status).toBe(201);
    const bridge = await ci.job(pipeline, 'deploy');
    // The approval is removed at the moment when the bridge is processed: a trigger plays the user who
    // revokes it.
    await api.sql(`create function take_back() returns trigger language plpgsql as $$ begin
      delete from deployment_approvals where deployment_id = ${id}; return new; end $$`);
    await api.sql(`create trigger take_back after update of status on ci_jobs for each row
      when (new.id = ${bridge} and new.status = 'pending') execute function take_back()`);
    try {
      expect((await play(bridge)).status).toBe(200);
      await ci.reaches(pipeline, 'pipeline:manual deploy:manual');
    } finally {
      await api.sql('drop trigger take_back on ci_jobs');
      await api.sql('drop function take_back');
    }
    expect(await api.sql('select 1 from ci_pipelines where parent_id = $1', [pipeline])).toEqual([]);
    expect(await shown(id)).toMatchObject({ status: 'blocked', pending_approval_count: 1 });
  });
});
