import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { MergeRequest } from '#core/merge-requests/merge-request.entity.js';
import { projectRepository } from '#core/repositories/repository-ref.js';
import type { TestApi } from '../../../support/api.js';
import { buildMergeRequestRow, tellOfMergeRequest } from '../../../support/builders/merge-request-row.js';
import type { Answer } from '../../../support/client.js';
import { CiEngine } from '../../../support/ci-engine.js';
import { seedRepository } from '../../../support/git.js';
import { borrowApi } from '../../../support/shared-api.js';
import { until } from '../../../support/until.js';

const CONFIG = `
mine: { script: x, rules: [{ if: '$CI_MERGE_REQUEST_TARGET_BRANCH_NAME == "main"' }] }
old: { script: x, only: [merge_requests] }
changed: { script: x, rules: [{ if: $CI_MERGE_REQUEST_IID, changes: [feature.txt] }] }
unchanged: { script: x, rules: [{ if: $CI_MERGE_REQUEST_IID, changes: [README.md] }] }
branch: { script: x }
`;

const INTERRUPTIBLE = 'a: { script: x, interruptible: true, only: [merge_requests] }';

interface Shown {
  readonly id: number;
  readonly project_id: number;
  readonly ref: string;
  readonly sha: string;
  readonly source: string;
  readonly web_url: string;
  readonly message?: unknown;
}

describe('pipelines of merge requests', () => {
  let api: TestApi;
  let ci: CiEngine;

  beforeAll(async () => {
    api = await borrowApi();
    ci = await CiEngine.start(api);
    await ci.configure(CONFIG);
  });
  afterAll(() => api.close());

  const path = ({ iid }: MergeRequest): string =>
    `/projects/${ci.project.id}/merge_requests/${String(iid)}/pipelines`;
  const listed = async (one: MergeRequest): Promise<Shown[]> =>
    (await ci.project.reporter.get<Shown[]>(path(one))).body;
  const headOf = async ({ id }: MergeRequest): Promise<number | null> => {
    const [row] = await api.sql<{ head: number | null }>(
      'select head_pipeline_id as head from merge_requests where id = $1',
      [id],
    );
    return row?.head ?? null;
  };
  const jobsOf = async (pipelineId: number): Promise<string> =>
    (
      await api.sql<{ name: string }>('select name from ci_jobs where pipeline_id = $1 order by name', [
        pipelineId,
      ])
    )
      .map(({ name }) => name)
      .join(' ');
  /** Creates a branch off `main` with one commit, and its merge request. */
  const arrange = async (branch: string, yaml = CONFIG, values: Partial<MergeRequest> = {}) => {
    const { work, repositoryPath, id } = ci.project;
    await work.git('checkout', '--quiet', '-b', branch, 'main');
    const baseSha = await work.git('rev-parse', 'main');
    await work.commit({ 'feature.txt': branch, '.gitlab-ci.yml': yaml }, 'Feature');
    const headSha = await work.git('rev-parse', 'HEAD');
    await work.git('push', '--quiet', repositoryPath, branch);
    await work.git('checkout', '--quiet', 'main');
    return buildMergeRequestRow(api, id, {
      sourceBranch: branch,
      headSha,
      baseSha,
      startSha: baseSha,
      ...values,
    });
  };
  /** Does the same through the API, as a developer. */
  const open = async (branch: string, yaml: string): Promise<MergeRequest> => {
    const { id } = await arrange(branch, yaml);
    await api.sql('delete from merge_requests where id = $1', [id]);
    const values = { source_branch: branch, target_branch: 'main', title: branch };
    const made = await ci.project.developer.post<{ id: number; iid: number; sha: string }>(
      `/projects/${ci.project.id}/merge_requests`,
      values,
    );
    expect(made.status).toBe(201);
    return { ...made.body, headSha: made.body.sha } as unknown as MergeRequest;
  };
  const idle = (): Promise<number> =>
    until(async () => {
      const [row] = await api.sql<{ left: number }>(
        `select count(*)::int as left from background_jobs where name like 'merge_requests.%' and state in ('pending', 'handed', 'running')`,
        [],
      );
      return row?.left === 0;
    });

  it('are created with a merge request, with the matching jobs and files', async () => {
    const mergeRequest = await open('feature', CONFIG);
    await until(async () => (await headOf(mergeRequest)) !== null);
    const [pipeline, ...others] = await listed(mergeRequest);
    expect(others).toEqual([]);
    expect(pipeline).toMatchObject({
      id: await headOf(mergeRequest),
      source: 'merge_request_event',
      ref: `refs/merge-requests/${String(mergeRequest.iid)}/head`,
      sha: mergeRequest.headSha,
      project_id: ci.project.id,
    });
    expect(await jobsOf(pipeline?.id ?? 0)).toBe('changed mine old');
    // Reopened: no new pipeline, unless the target has changed.
    const change = (values: object): Promise<Answer> =>
      ci.project.developer.put(path(mergeRequest).replace('/pipelines', ''), values);
    for (const state of ['close', 'reopen']) expect((await change({ state_event: state })).status).toBe(200);
    await idle();
    expect(await listed(mergeRequest)).toHaveLength(1);
    await ci.project.work.git('push', '--quiet', ci.project.repositoryPath, 'main:stable');
    expect((await change({ target_branch: 'stable' })).status).toBe(200);
    await until(async () => (await listed(mergeRequest)).length === 2);
    expect(await jobsOf((await listed(mergeRequest))[0]?.id ?? 0)).toBe('changed old');
    const branches = await ci.project.reporter.get<Shown[]>(
      `/projects/${ci.project.id}/pipelines?scope=branches`,
    );
    expect(branches.body.map(({ source }) => source)).not.toContain('merge_request_event');
  });

  it('describe the merge request to their jobs', async () => {
    const mergeRequest = await arrange('told', CONFIG, {
      title: 'Draft: told',
      description: 'Words',
      draft: true,
      squash: true,
    });
    const made = await ci.project.developer.post<Shown>(path(mergeRequest));
    expect(made.body.message).toBeUndefined();
    expect(made.status).toBe(201);
    const variables = await ci.variablesOf(await ci.job(made.body.id, 'mine'));
    const reference = `${ci.project.fullPath}!${String(mergeRequest.iid)}`;
    expect(Object.fromEntries(variables)).toMatchObject({
      CI_PIPELINE_SOURCE: 'merge_request_event',
      CI_COMMIT_REF_NAME: 'told',
      CI_COMMIT_REF_SLUG: 'told',
      CI_COMMIT_SHA: mergeRequest.headSha,
      CI_MERGE_REQUEST_ID: String(mergeRequest.id),
      CI_MERGE_REQUEST_IID: String(mergeRequest.iid),
      CI_MERGE_REQUEST_REF_PATH: `refs/merge-requests/${String(mergeRequest.iid)}/head`,
      CI_MERGE_REQUEST_PROJECT_PATH: ci.project.fullPath,
      CI_MERGE_REQUEST_SOURCE_PROJECT_ID: String(ci.project.id),
      CI_MERGE_REQUEST_SOURCE_BRANCH_NAME: 'told',
      CI_MERGE_REQUEST_TARGET_BRANCH_NAME: 'main',
      CI_MERGE_REQUEST_TARGET_BRANCH_PROTECTED: 'false',
      CI_MERGE_REQUEST_DIFF_BASE_SHA: mergeRequest.baseSha,
      CI_MERGE_REQUEST_TITLE: 'Draft: told',
      CI_MERGE_REQUEST_DESCRIPTION: 'Words',
      CI_MERGE_REQUEST_EVENT_TYPE: 'detached',
      CI_MERGE_REQUEST_SQUASH_ON_MERGE: 'true',
      CI_MERGE_REQUEST_DRAFT: 'true',
      CI_OPEN_MERGE_REQUESTS: reference,
    });
    expect(variables.has('CI_COMMIT_BRANCH')).toBe(false);
  });

  it('are not created if no job is for merge requests: the head pipeline is that of the branch', async () => {
    const mergeRequest = await arrange('plain', 'branch: { script: x }');
    await tellOfMergeRequest(api, mergeRequest, 'created', ci.project.developerId);
    const made = await ci.create({ ref: 'plain' });
    await until(async () => (await headOf(mergeRequest)) === made);
    expect((await listed(mergeRequest)).map(({ id, source }) => [id, source])).toEqual([[made, 'api']]);
    const refused = await ci.project.developer.post(path(mergeRequest));
    expect([refused.status, refused.body]).toEqual([
      400,
      { message: { base: [expect.stringContaining('Pipeline will not run')] } },
    ]);
  });

  it('are canceled when the head changes, and replaced', async () => {
    const mergeRequest = await open('moves', INTERRUPTIBLE);
    await until(async () => (await headOf(mergeRequest)) !== null);
    const first = (await headOf(mergeRequest)) as number;
    const commit = await ci.project.developer.post(`/projects/${ci.project.id}/repository/commits`, {
      branch: 'moves',
      commit_message: 'More',
      actions: [{ action: 'create', file_path: 'more.txt', content: 'x' }],
    });
    expect(commit.status).toBe(201);
    await ci.reaches(first, 'pipeline:canceled a:canceled');
    await until(async () => ![first, null].includes(await headOf(mergeRequest)));
  });

  it('merge on success if requested, and not on failure', async () => {
    const mergeRequest = await open('waits', INTERRUPTIBLE);
    const place = path(mergeRequest).replace('/pipelines', '');
    await until(async () => (await headOf(mergeRequest)) !== null);
    const first = (await headOf(mergeRequest)) as number;
    const merged = await ci.project.maintainer.put<{ state: string; merge_when_pipeline_succeeds: boolean }>(
      `${place}/merge`,
      { merge_when_pipeline_succeeds: true },
    );
    expect(merged.body).toMatchObject({ state: 'opened', merge_when_pipeline_succeeds: true });
    await ci.end(first, 'a', 'failed');
    await idle();
    const shown = async () =>
      (await ci.project.reporter.get(place)).body as {
        state: string;
        head_pipeline: { id: number; status: string };
        latest_build_finished_at: string | null;
      };
    expect(await shown()).toMatchObject({ state: 'opened', head_pipeline: { id: first, status: 'failed' } });
    await ci.act(first, 'a', 'retry');
    await ci.end(first, 'a', 'success');
    await until(async () => (await shown()).state === 'merged');
    expect(await shown()).toMatchObject({
      head_pipeline: { id: first, status: 'success' },
      latest_build_finished_at: expect.any(String),
    });
  });

  it('have protected variables only as their branch does, and require permission to change it', async () => {
    const { maintainer, developer, id } = ci.project;
    await maintainer.post(`/projects/${id}/variables`, { key: 'SECRET', value: 'hidden', protected: true });
    await maintainer.post(`/projects/${id}/protected_branches`, {
      name: 'kept',
      push_access_level: 40,
      merge_access_level: 40,
    });
    const guarded = await arrange('kept');
    const open = await arrange('open');
    expect((await developer.post<Shown>(path(guarded))).status).toBe(400);
    const secretOf = async (one: MergeRequest): Promise<string | undefined> => {
      const made = await maintainer.post<Shown>(path(one));
      return (await ci.variablesOf(await ci.job(made.body.id, 'mine'))).get('SECRET');
    };
    expect(await secretOf(guarded)).toBe('hidden');
    expect(await secretOf(open)).toBeUndefined();
    const pipelineId = (await headOf(guarded)) as number;
    expect((await ci.act(pipelineId, 'mine', 'cancel')).status).toBe(403);
    expect((await developer.post(`/projects/${id}/pipelines/${pipelineId}/cancel`)).status).toBe(403);
  });

  it('of forks run in the fork, or in the project if a member requests it, without protected variables', async () => {
    const { id, work, maintainer, developer, developerId } = ci.project;
    const fork = await CiEngine.start(api);
    const mergeRequest = await arrange('forked', CONFIG, {
      sourceProjectId: fork.project.id,
      sourceBranch: 'kept',
    });
    await work.git('branch', '-f', 'kept', mergeRequest.headSha ?? '');
    await seedRepository(api, projectRepository(fork.project.id), work).catch(() => undefined);
    await work.git('push', '--quiet', '--force', fork.project.repositoryPath, 'kept');
    await tellOfMergeRequest(api, mergeRequest, 'created', fork.project.developerId);
    await until(async () => (await headOf(mergeRequest)) !== null);
    const inFork = (await headOf(mergeRequest)) as number;
    // The fork is private: its pipelines are not visible to everyone who can read the merge request.
    expect(await listed(mergeRequest)).toEqual([]);
    expect((await api.root.get<Shown[]>(path(mergeRequest))).body).toMatchObject([
      {
        id: inFork,
        project_id: fork.project.id,
        ref: 'kept',
        web_url: expect.stringContaining(fork.project.fullPath),
      },
    ]);
    expect((await fork.project.developer.post(path(mergeRequest))).status).toBe(404);
    const asked = await developer.post<Shown>(path(mergeRequest));
    expect(asked.body).toMatchObject({
      project_id: id,
      ref: `refs/merge-requests/${String(mergeRequest.iid)}/head`,
    });
    const variables = await ci.variablesOf(await ci.job(asked.body.id, 'mine'));
    expect(variables.get('CI_COMMIT_REF_NAME')).toBe('kept');
    expect([variables.get('SECRET'), variables.get('CI_COMMIT_REF_PROTECTED')]).toEqual([undefined, 'false']);
    await maintainer.put(`/projects/${id}`, { ci_allow_fork_pipelines_to_run_in_parent_project: false });
    expect((await developer.post(path(mergeRequest))).status).toBe(400);
    expect(developerId).not.toBe(fork.project.developerId);
  });

  it('require permission to read and run pipelines', async () => {
    const mergeRequest = await arrange('rights');
    const { guest, reporter, developer } = ci.project;
    const same = await arrange('same', CONFIG, {});
    await api.sql('update merge_requests set base_sha = head_sha where id = $1', [same.id]);
    const codes = await Promise.all([
      api.anonymous.get(path(mergeRequest)),
      guest.get(path(mergeRequest)),
      reporter.post(path(mergeRequest)),
      reporter.get(`/projects/${ci.project.id}/merge_requests/999/pipelines`),
      developer.post(`/projects/${ci.project.id}/merge_requests/999/pipelines`),
      developer.post(path(same)),
      developer.post(`/projects/${ci.project.id}/pipeline`, {
        ref: `refs/merge-requests/${String(mergeRequest.iid)}/head`,
      }),
    ]);
    expect(codes.map(({ status }) => status)).toEqual([404, 403, 403, 404, 404, 400, 400]);
    await ci.put({ builds_access_level: 'disabled' });
    expect((await reporter.get(path(mergeRequest))).status).toBe(403);
    await ci.put({ builds_access_level: 'enabled' });
  });
});
