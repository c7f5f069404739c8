import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { RemoveSourceBranchJob } from '#core/merge-requests/code/merging/after-merge/remove-source-branch.job.js';
import { RemoveSourceBranchProcessor } from '#core/merge-requests/code/merging/after-merge/remove-source-branch.processor.js';
import { MergeAutomaticallyJob } from '#core/merge-requests/code/merging/auto-merge/merge-automatically.job.js';
import { MergeExecutionService } from '#core/merge-requests/code/merging/merge-execution.service.js';
import { MergeMergeRequest } from '#core/merge-requests/code/merging/merge-merge-request.use-case.js';
import { RecoverLockedProcessor } from '#core/merge-requests/code/merging/recovery/recover-locked.processor.js';
import { RepositoryWritesService } from '#core/repositories/pushes/repository-writes.service.js';
import { unavailable } from '#kernel/http/errors.js';
import { startApi, type TestApi } from '../../../support/api.js';
import { untilIdle } from '../../../support/lock-waits.js';
import { MergeWorld } from '../../../support/merge-world.js';
import { until } from '../../../support/until.js';

describe('auto-merge', () => {
  let api: TestApi;
  let world: MergeWorld;

  beforeAll(async () => {
    api = await startApi();
    world = await MergeWorld.build(api);
  });
  afterAll(() => api.close());

  const move = (moves: boolean): Promise<unknown> =>
    api.sql('update projects set repository_read_only = $2 where id = $1', [world.code.id, moves]);

  it('does not merge once it is canceled, also if its pipeline has just succeeded', async () => {
    const opened = await world.open('doubt');
    const [pipeline] = await api.sql<{ id: number }>(
      `insert into ci_pipelines (project_id, iid, sha, ref, status, source, user_id)
       values ($1, 9003, $2, 'doubt', 'running', 'push', 1) returning id`,
      [world.code.id, opened.sha],
    );
    await api.sql('update merge_requests set head_pipeline_id = $2 where id = $1', [opened.id, pipeline?.id]);
    expect((await world.merge(opened.iid, { auto_merge: true })).body.merge_when_pipeline_succeeds).toBe(
      true,
    );
    await api.sql(`update ci_pipelines set status = 'success' where id = $1`, [pipeline?.id]);
    const execution = api.app.get(MergeExecutionService, { strict: false });
    const execute = execution.execute.bind(execution);
    const canceled: number[] = [];
    jest.spyOn(execution, 'execute').mockImplementation(async (...given) => {
      const path = `${world.base}/merge_requests/${opened.iid}/cancel_merge_when_pipeline_succeeds`;
      canceled.push((await world.dev.post(path)).status);
      await execute(...given);
    });
    await api.app.get(MergeMergeRequest, { strict: false }).mergeAutomatically(opened.id);
    // The job of the service may have been first.
    expect([canceled.includes(201), (await world.find(opened.iid)).state]).toEqual([true, 'opened']);
  });

  it('merges after a storage move that was running when its pipeline succeeded', async () => {
    const opened = await world.open('moved');
    const report = { state: 'running', ref: 'moved', name: 'check' };
    await world.dev.post(`${world.base}/statuses/${opened.sha}`, report);
    await untilIdle(api);
    await world.merge(opened.iid, { auto_merge: true, should_remove_source_branch: true });
    await move(true);
    await world.dev.post(`${world.base}/statuses/${opened.sha}`, { ...report, state: 'success' });
    await untilIdle(api);
    const refused = await world.merge(opened.iid);
    const during = await world.find(opened.iid);
    await move(false);
    expect(refused.status).toBe(400);
    expect(during).toMatchObject({
      state: 'opened',
      merge_when_pipeline_succeeds: true,
      merge_user: { id: world.code.developerId },
    });
    await api.sql(`update background_jobs set run_at = now() where name = $1 and state = 'pending'`, [
      MergeAutomaticallyJob.name,
    ]);
    await until(async () => (await world.find(opened.iid)).state === 'merged');
    const { body: notes } = await world.dev.get<{ body: string }[]>(
      `${world.base}/merge_requests/${opened.iid}/notes`,
    );
    expect(notes.filter(({ body }) => body.startsWith('aborted'))).toEqual([]);
  });

  it('keeps trying to remove the source branch while the repository is moved', async () => {
    const opened = await world.open('left');
    expect((await world.merge(opened.iid)).body.state).toBe('merged');
    await untilIdle(api);
    await move(true);
    const removal = { id: opened.id, userId: world.code.developerId };
    const remove = api.app.get(RemoveSourceBranchProcessor, { strict: false });
    await remove.process(removal);
    await move(false);
    await api.sql(`update background_jobs set run_at = now() where name = $1 and state = 'pending'`, [
      RemoveSourceBranchJob.name,
    ]);
    await until(async () => !(await world.hasBranch('left')));
  });

  it('is tried again after a failure that passes', async () => {
    const opened = await world.open('passing');
    const report = { state: 'running', ref: 'passing', name: 'check' };
    await world.dev.post(`${world.base}/statuses/${opened.sha}`, report);
    await untilIdle(api);
    await world.merge(opened.iid, { auto_merge: true });
    const writes = api.app.get(RepositoryWritesService, { strict: false });
    const failing = jest.spyOn(writes, 'change').mockRejectedValue(unavailable());
    await world.dev.post(`${world.base}/statuses/${opened.sha}`, { ...report, state: 'success' });
    await until(() => failing.mock.calls.length > 0);
    await until(async () => (await world.find(opened.iid)).state === 'opened');
    const after = await world.find(opened.iid);
    failing.mockRestore();
    expect(after.merge_when_pipeline_succeeds).toBe(true);
    await until(async () => (await world.find(opened.iid)).state === 'merged');
  });

  it('says that it has ended with a merge that fails', async () => {
    const opened = await world.open('failing');
    const report = { state: 'running', ref: 'failing', name: 'check' };
    await world.dev.post(`${world.base}/statuses/${opened.sha}`, report);
    await untilIdle(api);
    await world.merge(opened.iid, { auto_merge: true });
    await api.sql(
      `update merge_requests set state = 'locked', locked_at = now() - interval '10 minutes', merge_commit_sha = $2
        where id = $1 and auto_merge is not null`,
      [opened.id, 'b'.repeat(40)],
    );
    const recover = api.app.get(RecoverLockedProcessor, { strict: false });
    await recover.process({}, { signal: new AbortController().signal } as Parameters<
      typeof recover.process
    >[1]);
    const { merge_error: error, ...after } = await world.find(opened.iid);
    expect(after).toMatchObject({ state: 'opened', merge_when_pipeline_succeeds: false });
    const path = `${world.base}/merge_requests/${opened.iid}/notes?sort=asc`;
    const { body: notes } = await world.dev.get<{ body: string }[]>(path);
    expect(notes.map(({ body }) => body)).toEqual([
      `enabled an automatic merge when the pipeline for ${opened.sha} succeeds`,
      `aborted the automatic merge because ${error}`,
    ]);
  });
});
