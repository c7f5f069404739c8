import { afterAll, beforeAll, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { JobPayloadService } from '#features/runners/protocol/payload/job-payload.service.js';
import { RunnerPresenceService } from '#features/runners/protocol/runner-presence.service.js';
import { startApi, type TestApi } from '../../../support/api.js';
import { buildJob, buildPipeline } from '../../../support/builders/ci.js';
import { buildGroup } from '../../../support/builders/group.js';
import { buildProject } from '../../../support/builders/project.js';
import { registerRunner, requestJob, type BuiltRunner } from '../../../support/builders/runner.js';
import { JobQueue } from '../../../support/job-queue.js';

const TICK = 'X-GitLab-Last-Update';

describe('runners that request jobs', () => {
  let api: TestApi;
  let queue: JobQueue;

  beforeAll(async () => {
    api = await startApi();
  });
  beforeAll(async () => {
    queue = await JobQueue.build(api);
  });
  afterAll(() => api.close());
  beforeEach(() => queue.clear());

  it('need a runner token', async () => {
    const none = await api.anonymous.post('/jobs/request', {});
    expect([none.status, none.body]).toEqual([400, { message: '400 (Bad request) "token" not given' }]);
    const wrong = await api.anonymous.post('/jobs/request', { token: 'wrong' });
    expect([wrong.status, wrong.body]).toEqual([403, { message: '403 Forbidden' }]);
  });

  it('are refused if they are removed meanwhile', async () => {
    const { id, token } = await registerRunner(api, 'instance');
    await queue.wait();
    const seen = jest.spyOn(api.app.get(RunnerPresenceService), 'seen').mockImplementationOnce(async () => {
      await api.sql('delete from ci_runners where id = $1', [id]);
    });
    try {
      const answer = await api.anonymous.post('/jobs/request', { token });
      expect([answer.status, answer.body]).toEqual([403, { message: '403 Forbidden' }]);
    } finally {
      seen.mockRestore();
    }
    expect(await isOffered(queue.runner)).toBe(true);
  });

  it('get 204 without a job, and learn whether the queue has changed', async () => {
    const first = await requestJob(api, queue.runner);
    expect([first.status, first.text, first.headers.get(TICK)]).toEqual([
      204,
      '',
      expect.stringMatching(/^.{8,}$/),
    ]);
    const tick = first.headers.get(TICK);
    const again = await requestJob(api, queue.runner, { last_update: tick });
    expect([again.status, again.headers.get(TICK)]).toEqual([204, tick]);
    const job = await queue.wait();
    await api.sql('delete from ci_pending_jobs where job_id = $1', [job.id]);
    const changed = await requestJob(api, queue.runner, { last_update: tick });
    expect([changed.status, changed.headers.get(TICK) === tick]).toEqual([204, false]);
    const waiting = await queue.wait();
    const found = await requestJob(api, queue.runner, { last_update: changed.headers.get(TICK) });
    expect([found.status, found.body.id, found.headers.get(TICK)]).toEqual([201, waiting.id, null]);
  });

  const isOffered = async (
    asking: BuiltRunner,
    values: Readonly<Record<string, unknown>> = {},
  ): Promise<boolean> => (await requestJob(api, asking, values)).status === 201;

  it('get jobs of their project, group or instance', async () => {
    const elsewhere = await buildProject(api.root);
    const foreign = await registerRunner(api, { project: elsewhere.id });
    const foreignGroup = await registerRunner(api, { group: (await buildGroup(api)).id });
    const ofGroup = await registerRunner(api, { group: queue.group });
    const shared = await registerRunner(api, 'instance');
    await queue.wait();
    expect(await isOffered(foreign)).toBe(false);
    expect(await isOffered(foreignGroup)).toBe(false);
    const settings = { shared_runners_enabled: false, group_runners_enabled: false };
    await api.root.put(`/projects/${queue.code.id}`, settings);
    expect([await isOffered(ofGroup), await isOffered(shared)]).toEqual([false, false]);
    await api.root.put(`/projects/${queue.code.id}`, { group_runners_enabled: true });
    expect([await isOffered(shared), await isOffered(ofGroup)]).toEqual([false, true]);
    await queue.wait();
    await api.root.put(`/projects/${queue.code.id}`, { shared_runners_enabled: true });
    const answer = await requestJob(api, shared);
    expect(answer.body['job_info']).toMatchObject({
      project_jobs_running_on_instance_runners_count: '0',
    });
  });

  it.each([
    [{}, ['a'], false],
    [{ tag_list: 'b' }, ['a'], false],
    [{ tag_list: 'a,b' }, ['a', 'b', 'c'], false],
    [{ tag_list: 'a,b' }, ['a'], true],
    [{ tag_list: 'a,b' }, [], true],
    [{ tag_list: 'a,b', run_untagged: false }, [], false],
    [{ tag_list: 'a,b', run_untagged: false }, ['b'], true],
  ])('get jobs by their tags: %j and %j', async (values, tagList, expected) => {
    const tagged = await registerRunner(api, { project: queue.code.id }, values);
    await queue.wait({ tagList });
    expect(await isOffered(tagged)).toBe(expected);
  });

  it('get only jobs of protected refs if their access level is ref_protected', async () => {
    const guarded = await registerRunner(api, { project: queue.code.id }, { access_level: 'ref_protected' });
    await queue.wait();
    expect(await isOffered(guarded)).toBe(false);
    const branches = `/projects/${queue.code.id}/protected_branches`;
    expect((await api.root.post(branches, { name: 'main' })).status).toBe(201);
    const job = await queue.wait({ protected: true });
    expect((await requestJob(api, guarded)).body.id).toBe(job.id);
    await api.root.delete(`${branches}/main`);
  });

  it('get jobs that have waited long enough', async () => {
    const job = await queue.wait();
    expect(await isOffered(queue.runner, { job_age: 60 })).toBe(false);
    await api.sql(`update ci_pending_jobs set created_at = now() - interval '2 minutes' where job_id = $1`, [
      job.id,
    ]);
    expect(await isOffered(queue.runner, { job_age: 60 })).toBe(true);
  });

  it('get none while paused, and none of projects that are removed, archived or without CI', async () => {
    await queue.wait();
    await api.sql('update ci_runners set paused = true where id = $1', [queue.runner.id]);
    expect((await requestJob(api, queue.runner)).headers.get(TICK)).not.toBeNull();
    await api.sql('update ci_runners set paused = false where id = $1', [queue.runner.id]);
    const off = [
      `settings = settings || '{"builds_access_level": "disabled"}'`,
      'archived = true',
      'pending_delete = true',
    ];
    const on = [`settings = settings - 'builds_access_level'`, 'archived = false', 'pending_delete = false'];
    for (const [index, change] of off.entries()) {
      await api.sql(`update projects set ${change} where id = $1`, [queue.code.id]);
      expect([change, await isOffered(queue.runner)]).toEqual([change, false]);
      await api.sql(`update projects set ${on[index] ?? ''} where id = $1`, [queue.code.id]);
    }
    expect(await isOffered(queue.runner)).toBe(true);
  });

  it('get the oldest jobs first, and those of projects with the fewest running jobs first', async () => {
    const shared = await registerRunner(api, 'instance');
    const other = await buildProject(api.root);
    const busy = [await queue.wait(), await queue.wait(), await queue.wait()];
    const calm = await buildJob(api, await buildPipeline(api, other.id));
    await api.sql(`update ci_jobs set status = 'success' where status = 'running'`, []);
    const order = [];
    for (let index = 0; index < 4; index += 1) order.push((await requestJob(api, shared)).body.id);
    expect(order).toEqual([busy[0]?.id, calm.id, busy[1]?.id, busy[2]?.id]);
  });

  it('are not delayed by jobs that cannot run, which fail', async () => {
    const blocked = await queue.wait({ userId: null });
    const broken = await queue.wait();
    await api.sql(`update ci_job_definitions set definition = '{"variables": 5}' where job_id = $1`, [
      broken.id,
    ]);
    const good = await queue.wait();
    const answer = await requestJob(api, queue.runner);
    expect([answer.status, answer.body.id]).toEqual([201, good.id]);
    const reasons = 'select id, status, failure_reason from ci_jobs where id in ($1, $2) order by id';
    expect(await api.sql(reasons, [blocked.id, broken.id])).toEqual([
      { id: blocked.id, status: 'failed', failure_reason: 'user_blocked' },
      { id: broken.id, status: 'failed', failure_reason: 'data_integrity_failure' },
    ]);
  });

  it('get jobs despite a short outage of the database', async () => {
    const away = Object.assign(new Error('terminating connection'), { code: '57P01' });
    const payload = jest.spyOn(api.app.get(JobPayloadService), 'of').mockRejectedValueOnce(away);
    try {
      const job = await queue.wait();
      const answer = await requestJob(api, queue.runner);
      expect([answer.status, answer.body.id]).toEqual([201, job.id]);
      payload.mockRejectedValue(away);
      const lost = await queue.wait();
      expect(await isOffered(queue.runner)).toBe(false);
      const row = 'select status, failure_reason from ci_jobs where id = $1';
      expect(await api.sql(row, [lost.id])).toEqual([
        { status: 'failed', failure_reason: 'scheduler_failure' },
      ]);
    } finally {
      payload.mockRestore();
    }
  });

  it('get no job that is not waiting', async () => {
    const job = await queue.wait();
    await api.sql(`update ci_jobs set status = 'canceled' where id = $1`, [job.id]);
    expect(await isOffered(queue.runner)).toBe(false);
    expect((await api.root.get(`/projects/${queue.code.id}/jobs/${job.id}`)).body['status']).toBe('canceled');
  });
});
