import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { Pipeline } from '#core/ci/pipelines/pipeline.entity.js';
import type { MergeRequest } from '#core/merge-requests/merge-request.entity.js';
import { NO_OBJECT } from '#core/repositories/pushes/ref-change.js';
import { projectRepository } from '#core/repositories/repository-ref.js';
import type { TestApi } from '../../../support/api.js';
import { buildArchive, zipOf } from '../../../support/builders/artifacts.js';
import { buildJob, buildPipeline } from '../../../support/builders/ci.js';
import { buildMergeRequestRow, tellOfMergeRequest } from '../../../support/builders/merge-request-row.js';
import { CiEngine } from '../../../support/ci-engine.js';
import { pushRefs } from '../../../support/git.js';
import { borrowApi } from '../../../support/shared-api.js';
import { until } from '../../../support/until.js';

describe('artifacts of a merge request whose ref has the name of a branch', () => {
  let api: TestApi;
  let ci: CiEngine;
  let mergeRequest: MergeRequest;
  let ref: string;
  let ofMergeRequest: Pipeline;
  let ofBranch: Pipeline;
  let branches = 0;

  beforeAll(async () => {
    api = await borrowApi();
    ci = await CiEngine.start(api);
  });
  afterAll(() => api.close());

  const build = (values: Partial<Pipeline> = {}): Promise<Pipeline> =>
    buildPipeline(api, ci.project.id, { ref, status: 'success', locked: true, ...values });

  beforeEach(async () => {
    mergeRequest = await buildMergeRequestRow(api, ci.project.id, {
      sourceBranch: `feature-${String((branches += 1))}`,
    });
    ref = `refs/merge-requests/${String(mergeRequest.iid)}/head`;
    ofMergeRequest = await build({ mergeRequestId: mergeRequest.id, source: 'merge_request_event' });
    ofBranch = await build();
  });

  const isLocked = async ({ id }: Pipeline): Promise<boolean> => {
    const [row] = await api.sql<{ locked: boolean }>('select locked from ci_pipelines where id = $1', [id]);
    return row?.locked === true;
  };
  const unlocked = (pipeline: Pipeline): Promise<unknown> => until(async () => !(await isLocked(pipeline)));

  it('are those of its ref', async () => {
    await buildArchive(api, ofMergeRequest, await zipOf({ which: 'merge request' }), { name: 'build' });
    await buildArchive(api, ofBranch, await zipOf({ which: 'branch' }), { name: 'build' });
    const path = `/projects/${ci.project.id}/jobs/artifacts/${encodeURIComponent(ref)}/raw/which?job=build`;
    expect((await ci.project.developer.get(path)).text).toBe('merge request');
  });

  it('are kept when the pipeline of the branch succeeds', async () => {
    const next = await build({ status: 'running' });
    await buildJob(api, next, { ref });
    expect(await ci.end(next.id, 'build', 'success')).toBe('pipeline:success build:success');
    await unlocked(ofBranch);
    expect(await isLocked(ofMergeRequest)).toBe(true);
  });

  it('are kept when the branch is removed', async () => {
    const { work, repositoryPath, commits } = ci.project;
    const before = commits[1] ?? '';
    await work.git('push', '--quiet', repositoryPath, `${before}:refs/heads/${ref}`);
    await pushRefs(api, projectRepository(ci.project.id), work, [
      { ref: `refs/heads/${ref}`, before, after: NO_OBJECT },
    ]);
    await unlocked(ofBranch);
    expect(await isLocked(ofMergeRequest)).toBe(true);
  });

  it('are let go when it is closed, but not those of the branch', async () => {
    await tellOfMergeRequest(api, mergeRequest, 'closed', 1, { state: 'closed' });
    await unlocked(ofMergeRequest);
    expect(await isLocked(ofBranch)).toBe(true);
  });

  it('stay when all other artifacts of the project are removed', async () => {
    const kept = await buildArchive(api, ofMergeRequest, await zipOf({ a: 'x' }), { name: 'build' });
    const old = await buildArchive(api, await build({ status: 'failed' }), await zipOf({ a: 'x' }));
    expect((await ci.project.maintainer.delete(`/projects/${ci.project.id}/artifacts`)).status).toBe(202);
    const left = async (): Promise<unknown[]> =>
      api.sql('select job_id as id from ci_job_artifacts where job_id = any($1) order by 1', [
        [kept.id, old.id],
      ]);
    await until(async () => (await left()).length < 2);
    expect(await left()).toEqual([{ id: kept.id }]);
  });
});
