import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { MergeRequestHeadsService } from '#core/merge-requests/code/merge-request-heads.service.js';
import { MergeMergeRequest } from '#core/merge-requests/code/merging/merge-merge-request.use-case.js';
import { RecoverLockedProcessor } from '#core/merge-requests/code/merging/recovery/recover-locked.processor.js';
import { git } from '#core/repositories/git/git.js';
import { RepositoriesService } from '#core/repositories/repositories.service.js';
import { projectRepository } from '#core/repositories/repository-ref.js';
import type { TestApi } from '../../../support/api.js';
import { untilIdle } from '../../../support/lock-waits.js';
import { MergeWorld, type ShownMergeRequest } from '../../../support/merge-world.js';
import { borrowApi } from '../../../support/shared-api.js';
import { until } from '../../../support/until.js';

/** What was agreed to for one head and one target does not hold for others. */
describe('merge requests with another head or target', () => {
  let api: TestApi;
  let world: MergeWorld;

  beforeAll(async () => {
    api = await borrowApi();
    world = await MergeWorld.build(api);
    const { dev, base } = world;
    expect((await dev.post(`${base}/repository/branches`, { branch: 'next', ref: 'main' })).status).toBe(201);
  });
  afterAll(() => api.close());

  const pathOf = ({ iid }: ShownMergeRequest): string => `${world.base}/merge_requests/${iid}`;
  const change = async (
    one: ShownMergeRequest,
    values: Readonly<Record<string, unknown>>,
  ): Promise<ShownMergeRequest> => {
    expect((await world.dev.put(pathOf(one), values)).status).toBe(200);
    return world.checked(one.iid);
  };
  const approve = async (one: ShownMergeRequest): Promise<void> => {
    expect((await world.code.maintainer.post(`${pathOf(one)}/approve`)).status).toBe(201);
  };
  const approvers = async (one: ShownMergeRequest): Promise<number> =>
    (await world.dev.get<{ approved_by: unknown[] }>(`${pathOf(one)}/approvals`)).body.approved_by.length;

  it('lose their approvals if commits were pushed while they were closed', async () => {
    const opened = await world.open('shut');
    await approve(opened);
    await change(opened, { state_event: 'close' });
    const unchanged = await change(opened, { state_event: 'reopen' });
    expect([unchanged.sha, await approvers(opened)]).toEqual([opened.sha, 1]);
    await change(opened, { state_event: 'close' });
    const sha = await world.commit('shut', { 'more.txt': 'unseen\n' });
    const reopened = await change(opened, { state_event: 'reopen' });
    expect([reopened.sha, await approvers(opened)]).toEqual([sha, 0]);
  });

  it('lose their approvals with another target, unless the project keeps them', async () => {
    const opened = await world.open('aimed', undefined, { target_branch: 'next' });
    await approve(opened);
    await change(opened, { target_branch: 'main' });
    expect(await approvers(opened)).toBe(0);
    const settings = `${world.base}/approvals`;
    await world.code.maintainer.post(settings, { reset_approvals_on_push: false });
    await approve(opened);
    await change(opened, { target_branch: 'next' });
    expect(await approvers(opened)).toBe(1);
    await world.code.maintainer.post(settings, { reset_approvals_on_push: true });
  });

  const notesOf = async (one: ShownMergeRequest): Promise<string[]> =>
    (await world.dev.get<{ body: string }[]>(`${pathOf(one)}/notes?sort=asc`)).body.map(({ body }) => body);
  const headsOf = async (one: ShownMergeRequest): Promise<string[]> =>
    (await world.dev.get<{ head_commit_sha: string }[]>(`${pathOf(one)}/versions`)).body.map(
      (version) => version.head_commit_sha,
    );

  it('tell of commits that were pushed just before they were aimed at another target', async () => {
    const opened = await world.open('early');
    const { body: ahead } = await world.dev.post<{ id: string }>(`${world.base}/repository/commits`, {
      branch: 'ahead',
      start_branch: 'early',
      commit_message: 'More',
      actions: [{ action: 'create', file_path: 'more.txt', content: 'more' }],
    });
    const repositories = api.app.get(RepositoriesService, { strict: false });
    const { path } = await repositories.open(projectRepository(world.code.id));
    // The push is not recorded yet.
    await git(path, ['update-ref', 'refs/heads/early', ahead.id]);
    await change(opened, { target_branch: 'next' });
    await until(async () => (await notesOf(opened)).includes('added 1 commit'), 5_000);
    expect((await world.find(opened.iid)).sha).toBe(ahead.id);
    expect([...new Set(await headsOf(opened))]).toEqual([ahead.id, opened.sha]);
  });

  it('keep the commits that were pushed while they were aimed at another target', async () => {
    const opened = await world.open('within');
    const heads = api.app.get(MergeRequestHeadsService, { strict: false });
    const compare = heads.compare.bind(heads);
    const pushed: string[] = [];
    const spied = jest.spyOn(heads, 'compare').mockImplementationOnce(async (found) => {
      const compared = await compare(found);
      const sha = await world.commit('within', { 'more.txt': 'more' });
      pushed.push(sha);
      await world.when(opened.iid, (now) => now.sha === sha);
      return compared;
    });
    await change(opened, { target_branch: 'next' });
    spied.mockRestore();
    expect(pushed).toHaveLength(1);
    await untilIdle(api);
    expect((await world.find(opened.iid)).sha).toBe(pushed[0]);
    expect(await headsOf(opened)).toEqual([pushed[0], opened.sha]);
    expect((await notesOf(opened)).filter((body) => /added|changed the source/.test(body))).toEqual([
      'added 1 commit',
    ]);
  });

  it('keep the approvals with which they were merged', async () => {
    const opened = await world.open('done');
    await approve(opened);
    expect((await world.merge(opened.iid)).body.state).toBe('merged');
    expect((await world.code.maintainer.post(`${pathOf(opened)}/unapprove`)).status).toBe(404);
    expect(await approvers(opened)).toBe(1);
  });

  it('are not merged automatically into another target than the one that it was enabled for', async () => {
    const opened = await world.open('later', undefined, { target_branch: 'next' });
    const [pipeline] = await api.sql<{ id: number }>(
      `insert into ci_pipelines (project_id, iid, sha, ref, status, source, user_id)
       values ($1, 9002, $2, 'later', 'running', 'push', 1) returning id`,
      [world.code.id, opened.sha],
    );
    await api.sql('update merge_requests set head_pipeline_id = $2 where id = $1', [opened.id, pipeline?.id]);
    const wanted = await world.merge(opened.iid, { auto_merge: true }, world.code.maintainer);
    expect(wanted.body.merge_when_pipeline_succeeds).toBe(true);
    const moved = await change(opened, { target_branch: 'main' });
    await api.sql(`update ci_pipelines set status = 'success' where id = $1`, [pipeline?.id]);
    await api.app.get(MergeMergeRequest, { strict: false }).mergeAutomatically(opened.id);
    const after = await world.find(opened.iid);
    expect([moved.merge_when_pipeline_succeeds, moved.merge_user, after.state]).toEqual([
      false,
      null,
      'opened',
    ]);
    const notes = await world.dev.get<{ body: string }[]>(`${pathOf(opened)}/notes`);
    expect(notes.body.map(({ body }) => body)).toContain(
      'aborted the automatic merge because the target branch was changed',
    );
  });

  it('show what was pushed during a merge that failed, with the user who did', async () => {
    const opened = await world.open('during');
    const lock = `update merge_requests set state = 'locked', merge_user_id = 1, merge_commit_sha = $2,
      locked_at = now() - interval '10 minutes' where id = $1`;
    await api.sql(lock, [opened.id, 'b'.repeat(40)]);
    const sha = await world.commit('during', { 'late.txt': 'late\n' });
    const waiting = `select 1 from background_jobs where name = 'merge_requests.follow_branches' and state in ('pending', 'handed')`;
    await until(async () => (await api.sql(waiting)).length === 0);
    const recover = api.app.get(RecoverLockedProcessor, { strict: false });
    const context = { signal: new AbortController().signal } as Parameters<typeof recover.process>[1];
    await recover.process({}, context);
    expect(await world.find(opened.iid)).toMatchObject({ state: 'opened' });
    await until(async () => (await world.find(opened.iid)).sha === sha, 5_000);
    const notes = await world.dev.get<{ body: string; author: { id: number } }[]>(`${pathOf(opened)}/notes`);
    const added = notes.body.find(({ body }) => body === 'added 1 commit');
    expect(added?.author.id).toBe(world.code.developerId);
    const versions = await world.dev.get<{ head_commit_sha: string }[]>(`${pathOf(opened)}/versions`);
    expect(versions.body.map((version) => version.head_commit_sha)).toEqual([sha, opened.sha]);
  });
});
