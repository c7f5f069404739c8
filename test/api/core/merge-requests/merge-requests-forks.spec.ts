import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { RemoveSourceBranchService } from '#core/merge-requests/code/merging/after-merge/remove-source-branch.service.js';
import { RecoverLockedProcessor } from '#core/merge-requests/code/merging/recovery/recover-locked.processor.js';
import type { TestApi } from '../../../support/api.js';
import { buildIssue } from '../../../support/builders/issue.js';
import { buildMember } from '../../../support/builders/member.js';
import { buildMergeRequestProject } from '../../../support/builders/merge-request.js';
import { buildMergeRequestRow } from '../../../support/builders/merge-request-row.js';
import { buildProject } from '../../../support/builders/project.js';
import { createUser } from '../../../support/builders/user.js';
import type { CodeProject } from '../../../support/builders/code-project.js';
import type { ApiClient } from '../../../support/client.js';
import { borrowApi } from '../../../support/shared-api.js';
import { until } from '../../../support/until.js';

const HEAD = 'f'.repeat(40);

describe('a merge request of a private fork', () => {
  let api: TestApi;
  let project: CodeProject;
  let forker: { id: number; client: ApiClient };
  let forkId: number;
  let path: string;

  beforeAll(async () => {
    api = await borrowApi();
    project = await buildMergeRequestProject(api, { visibility: 'public' });
    forker = await createUser(api);
    ({ id: forkId } = await buildProject(api.root, { visibility: 'private' }));
    await api.sql('update projects set forked_from_id = $2 where id = $1', [forkId, project.id]);
    await buildMember(api, `projects/${forkId}`, forker.id, 30);
    const { id, iid } = await buildMergeRequestRow(api, project.id, {
      sourceProjectId: forkId,
      sourceBranch: 'secret',
      authorId: forker.id,
      headSha: HEAD,
      startSha: 'a'.repeat(40),
    });
    path = `/projects/${project.id}/merge_requests/${String(iid)}`;
    await api.sql(
      `insert into ci_pipelines (project_id, iid, ref, sha, source, status, user_id) values ($1, 1, 'secret', $2, 'push', 'failed', $3)`,
      [forkId, HEAD, forker.id],
    );
    await api.sql(
      'update merge_requests set head_pipeline_id = (select id from ci_pipelines where project_id = $1) where id = $2',
      [forkId, id],
    );
  });
  afterAll(() => api.close());

  it('shows the pipeline of the fork only to users who may read it', async () => {
    const seenBy = async (client: ApiClient): Promise<unknown[]> => {
      const { body } = await client.get(path);
      return [
        (body['head_pipeline'] as { project_id: number } | null)?.project_id,
        body['pipeline'] !== null,
      ];
    };
    expect(await seenBy(forker.client)).toEqual([forkId, true]);
    expect(await seenBy(api.root)).toEqual([forkId, true]);
    expect(await seenBy(project.maintainer)).toEqual([undefined, false]);
    expect(await seenBy(api.anonymous)).toEqual([undefined, false]);
  });

  it('closes no confidential issue that its author may not read', async () => {
    const { client } = forker;
    const open = await buildIssue(project.reporter, project.id);
    const hidden = await buildIssue(project.reporter, project.id, { confidential: true });
    const own = await buildIssue(client, project.id, { confidential: true });
    const description = `Closes #${open.iid}, #${hidden.iid} and #${own.iid}`;
    const closed = async (): Promise<number[]> =>
      (await project.maintainer.get<{ id: number }[]>(`${path}/closes_issues`)).body
        .map(({ id }) => id)
        .sort();
    expect((await client.put(path, { description })).status).toBe(200);
    expect(await closed()).toEqual([open.id, own.id]);
    const assignees = { assignee_ids: [forker.id] };
    const assigned = await project.reporter.put(`/projects/${project.id}/issues/${hidden.iid}`, assignees);
    expect(assigned.status).toBe(200);
    expect((await client.put(path, { description: `${description}.` })).status).toBe(200);
    expect(await closed()).toEqual([open.id, hidden.id, own.id]);
    const limit = (level: string): Promise<unknown> =>
      project.maintainer.put(`/projects/${project.id}`, { issues_access_level: level });
    await limit('private');
    expect((await client.put(path, { description })).status).toBe(200);
    expect(await closed()).toEqual([]);
    await limit('enabled');
  });

  it('loses its source branch only through users who may push there', async () => {
    const branch = `/projects/${project.id}/repository/branches/four`;
    const { commit } = (await project.developer.get<{ commit: { id: string } }>(branch)).body;
    const values = { sourceBranch: 'four', state: 'merged', headSha: commit.id } as const;
    const { id } = await buildMergeRequestRow(api, project.id, values);
    const reporter = (await project.reporter.get<{ id: number }>('/user')).body.id;
    const branches = api.app.get(RemoveSourceBranchService, { strict: false });
    await branches.remove(id, reporter);
    expect((await project.developer.get(branch)).status).toBe(200);
    await branches.remove(id, project.developerId);
    expect((await project.developer.get(branch)).status).toBe(404);
  });

  it('is closed with the fork', async () => {
    const { id: goneId } = await buildProject(api.root, { visibility: 'public' });
    const values = { sourceProjectId: goneId, authorId: forker.id, headSha: HEAD };
    const rowOf = (sourceBranch: string, state: 'opened' | 'merged'): Promise<{ iid: number }> =>
      buildMergeRequestRow(api, project.id, { ...values, sourceBranch, state });
    const { iid } = await rowOf('gone', 'opened');
    const merged = await rowOf('merged', 'merged');
    const find = async (number: number): Promise<Record<string, unknown>> =>
      (await api.root.get(`/projects/${project.id}/merge_requests/${number}`)).body;
    expect((await api.root.delete(`/projects/${goneId}`)).status).toBe(202);
    await until(async () => (await find(iid))['source_project_id'] === null);
    expect(await find(iid)).toMatchObject({
      state: 'closed',
      merge_status: 'cannot_be_merged',
      detailed_merge_status: 'not_open',
      closed_by: null,
    });
    expect(await find(merged.iid)).toMatchObject({ state: 'merged', source_project_id: null });
    const path = `/projects/${project.id}/merge_requests/${iid}`;
    const reopened = await api.root.put(path, { state_event: 'reopen' });
    expect([reopened.status, reopened.body]).toEqual([
      422,
      { message: ['Source project is not a fork of the target project'] },
    ]);
    const notes = await api.root.get<{ body: string }[]>(
      `/projects/${project.id}/merge_requests/${iid}/notes`,
    );
    expect(notes.body.map(({ body }) => body)).toEqual(['closed']);
    expect((await api.root.put(path, { title: 'Left' })).body).toMatchObject({
      title: 'Left',
      state: 'closed',
    });
  });

  it('is closed with the fork, also if that goes during a merge which then fails', async () => {
    const { id: goneId } = await buildProject(api.root, { visibility: 'public' });
    const values = { sourceProjectId: goneId, authorId: forker.id, headSha: HEAD, sourceBranch: 'locked' };
    const { id, iid } = await buildMergeRequestRow(api, project.id, values);
    const at = `/projects/${project.id}/merge_requests/${iid}`;
    const find = async (): Promise<Record<string, unknown>> => (await api.root.get(at)).body;
    await api.sql(
      `update merge_requests set state = 'locked', merge_user_id = 1, merge_status = 'can_be_merged',
        locked_at = now() - interval '10 minutes' where id = $1`,
      [id],
    );
    await api.root.delete(`/projects/${goneId}`);
    await until(async () => (await find())['source_project_id'] === null);
    expect(await find()).toMatchObject({ state: 'locked' });
    const recover = api.app.get(RecoverLockedProcessor, { strict: false });
    await recover.process({}, { signal: new AbortController().signal } as Parameters<
      typeof recover.process
    >[1]);
    expect(await find()).toMatchObject({
      state: 'closed',
      merge_status: 'cannot_be_merged',
      closed_by: null,
      merge_user: null,
    });
    const notes = await api.root.get<{ body: string }[]>(`${at}/notes`);
    expect(notes.body.map(({ body }) => body)).toEqual(['closed']);
  });

  it('gives the owner of the fork no code that they may not read', async () => {
    const hide = { repository_access_level: 'private' };
    await project.maintainer.put(`/projects/${project.id}`, hide);
    const refused = [
      await forker.client.put(`${path}/rebase`),
      await forker.client.get(`${path}/diffs`),
      await forker.client.get(`/projects/${project.id}/repository/commits/main/merge_requests`),
      await forker.client.post(`/projects/${forkId}/merge_requests`, {
        source_branch: 'secret',
        target_branch: 'main',
        target_project_id: project.id,
        title: 'Tell me where main is',
      }),
    ];
    expect(refused.map(({ status }) => status)).toEqual([403, 403, 403, 403]);
  });
});
