import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { MergeExecutionService } from '#core/merge-requests/code/merging/merge-execution.service.js';
import { MergeMergeRequest } from '#core/merge-requests/code/merging/merge-merge-request.use-case.js';
import { startApi, type TestApi } from '../../../support/api.js';
import { MergeWorld } from '../../../support/merge-world.js';

describe('auto-merge', () => {
  let api: TestApi;
  let world: MergeWorld;

  beforeAll(async () => {
    api = await startApi();
    world = await MergeWorld.build(api);
  });
  afterAll(() => api.close());

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
});
