import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { TestApi } from '../../../../support/api.js';
import { buildPipeline } from '../../../../support/builders/ci.js';
import { buildCodeProject, type CodeProject } from '../../../../support/builders/code-project.js';
import { buildMergeRequestRow } from '../../../../support/builders/merge-request-row.js';
import type { Answer, ApiClient } from '../../../../support/client.js';
import { borrowApi } from '../../../../support/shared-api.js';

interface StatusBody {
  readonly pipeline_id: number;
  readonly ref: string;
}

describe('the pipeline of a commit status', () => {
  let api: TestApi;
  let project: CodeProject;
  let sha: string;
  const post = (body: object = {}, client: ApiClient = project.developer): Promise<Answer<StatusBody>> =>
    client.post<StatusBody>(`/projects/${project.id}/statuses/${sha}`, { state: 'success', ...body });

  beforeAll(async () => {
    api = await borrowApi();
  });
  afterAll(() => api.close());
  beforeEach(async () => {
    project = await buildCodeProject(api, async (work) => {
      await work.git('branch', 'v1');
      await work.git('tag', 'v1');
    });
    sha = project.commits[1] ?? '';
  });

  it('may be that of a tag, also if a branch has its name', async () => {
    const { id } = await buildPipeline(api, project.id, { sha, ref: 'v1', tag: true });
    const wanted = [{}, { pipeline_id: id }, { ref: 'refs/tags/v1' }];
    for (const [at, body] of wanted.entries()) {
      const answer = await post({ ...body, name: `n${at}` });
      expect([answer.status, answer.body.pipeline_id]).toEqual([201, id]);
    }
    expect((await post({ ref: 'refs/heads/v1' })).body.pipeline_id).not.toBe(id);
  });

  it('may be that of a tag which was removed', async () => {
    const { id } = await buildPipeline(api, project.id, { sha, ref: 'gone', tag: true });
    expect((await post({ pipeline_id: id })).body.pipeline_id).toBe(id);
  });

  it('needs the right to create a protected tag, also if a branch has its name', async () => {
    await api.root.post(`/projects/${project.id}/protected_tags`, { name: 'v1', create_access_level: 40 });
    const { id } = await buildPipeline(api, project.id, { sha, ref: 'v1', tag: true });
    for (const body of [{}, { pipeline_id: id }, { ref: 'refs/tags/v1' }])
      expect((await post(body)).status).toBe(403);
    expect((await post({}, project.maintainer)).body.pipeline_id).toBe(id);
  });

  it('needs the right to push or merge to the source branch, if it is that of a merge request', async () => {
    await api.root.post(`/projects/${project.id}/protected_branches`, {
      name: 'v1',
      push_access_level: 40,
      merge_access_level: 40,
    });
    const { id: mergeRequestId } = await buildMergeRequestRow(api, project.id, { sourceBranch: 'v1' });
    const ref = 'refs/merge-requests/1/head';
    const { id } = await buildPipeline(api, project.id, {
      sha,
      ref,
      mergeRequestId,
      source: 'merge_request_event',
    });
    for (const body of [{}, { pipeline_id: id }, { ref }]) expect((await post(body)).status).toBe(403);
    expect((await post({}, project.maintainer)).body.pipeline_id).toBe(id);
  });
});
