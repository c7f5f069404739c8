import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Pipeline } from '#core/ci/pipelines/pipeline.entity.js';
import { git, gitText } from '#core/repositories/git/git.js';
import type { TestApi } from '../../../../support/api.js';
import { buildJob, buildPipeline } from '../../../../support/builders/ci.js';
import type { CodeProject } from '../../../../support/builders/code-project.js';
import type { CreatedUser } from '../../../../support/builders/user.js';
import { importRecords } from '../../../../support/transfer-target.js';
import { portable, TransferWorld } from '../../../../support/transfer-world.js';
import { until } from '../../../../support/until.js';

let world: TransferWorld;
let api: TestApi;
let from: CodeProject;
let to: CodeProject;
let alice: CreatedUser;
beforeAll(async () => {
  world = await TransferWorld.build();
  ({ api, from, to, alice } = world);
});
afterAll(() => world.close());

describe('the history of code', () => {
  let ended: Pipeline;

  beforeAll(async () => {
    await world.fetchCode();
    const { commits } = from;
    ended = await buildPipeline(api, from.id, {
      sha: commits[1] ?? '',
      status: 'success',
      userId: alice.id,
      name: 'Nightly',
      duration: 61,
      startedAt: new Date('2024-01-01T00:00:00Z'),
      finishedAt: new Date('2024-01-01T00:01:01Z'),
    });
    await buildJob(api, ended, {
      name: 'compile',
      stage: 'build',
      status: 'success',
      coverage: 12.5,
    });
    await buildJob(api, ended, {
      name: 'lint',
      stageIndex: 1,
      status: 'failed',
      allowFailure: true,
    });
    const running = await buildPipeline(api, from.id, { sha: commits[0] ?? '', status: 'running' });
    await buildJob(api, running, { name: 'slow', status: 'running', startedAt: new Date() });
    await buildJob(api, running, { name: 'later', stageIndex: 1, status: 'manual', when: 'manual' });
  });

  it('includes pipelines, which never run again', async () => {
    await world.bring('ci_pipelines');
    const list = async (id: number): Promise<{ id: number; iid: number; status: string }[]> =>
      (await api.root.get<{ id: number; iid: number; status: string }[]>(`/projects/${id}/pipelines`)).body;
    const [latest, first] = await list(to.id);
    expect([latest?.status, first?.status]).toEqual(['canceled', 'success']);
    const both = await Promise.all(
      [`${from.id}/pipelines/${ended.id}`, `${to.id}/pipelines/${first?.id ?? 0}`].map(async (path) => {
        const one = await api.root.get(`/projects/${path}`);
        const jobs = await api.root.get<object[]>(`/projects/${path}/jobs`);
        return portable([one.body, jobs.body]);
      }),
    );
    expect(both[1]).toEqual(both[0]);
    const jobs = await api.sql<{ name: string; status: string }>(
      'select name, status from ci_jobs where pipeline_id = $1 order by id',
      [latest?.id],
    );
    expect(jobs).toEqual([
      { name: 'slow', status: 'canceled' },
      { name: 'later', status: 'skipped' },
    ]);
    expect(
      await api.sql(
        'select 1 from ci_pending_jobs q join ci_jobs j on j.id = q.job_id where j.project_id = $1',
        [to.id],
      ),
    ).toEqual([]);
  });

  it('cannot be run again, and its numbering continues', async () => {
    const jobs = await api.sql<{ id: number; pipeline_id: number; name: string }>(
      'select id, pipeline_id, name from ci_jobs where project_id = $1',
      [to.id],
    );
    for (const { id } of jobs)
      for (const action of ['retry', 'play'])
        expect(
          (await api.root.post(`/projects/${to.id}/jobs/${id}/${action}`)).status,
        ).toBeGreaterThanOrEqual(400);
    for (const id of new Set(jobs.map((job) => job.pipeline_id)))
      expect((await api.root.post(`/projects/${to.id}/pipelines/${id}/retry`)).status).toBe(201);
    const after = await api.sql<{ status: string }>(
      `select distinct status from ci_jobs where project_id = $1 order by 1`,
      [to.id],
    );
    expect(after.map(({ status }) => status)).toEqual(['canceled', 'failed', 'skipped', 'success']);
    const next = await buildPipeline(api, to.id);
    expect(next.iid).toBe(3);
  });

  it('includes merge requests with their notes, users and code', async () => {
    const open = await world.post<{ iid: number }>('/merge_requests', {
      title: 'Draft: Bring feature',
      description: 'Closes #1, says @root\n\n- [x] one\n- [ ] two',
      source_branch: 'feature',
      target_branch: 'main',
      labels: 'bug,ui',
      assignee_ids: [alice.id],
      reviewer_ids: [from.developerId],
      squash: true,
      remove_source_branch: true,
    });
    const done = await world.post<{ iid: number }>('/merge_requests', {
      title: 'Bring done',
      source_branch: 'done',
      target_branch: 'main',
    });
    const gone = await world.post<{ iid: number }>('/merge_requests', {
      title: 'Bring gone',
      source_branch: 'gone',
      target_branch: 'main',
    });
    const at = (iid: number): string => `/projects/${from.id}/merge_requests/${iid}`;
    const status = async (iid: number): Promise<unknown> =>
      (await api.root.get<{ merge_status: string }>(at(iid))).body.merge_status;
    for (const { iid } of [open, done, gone])
      await until(async () => (await status(iid)) === 'can_be_merged');
    await alice.client.post(`${at(open.iid)}/approve`);
    await api.root.post(`${at(open.iid)}/time_estimate`, { duration: '3h' });
    await api.root.post(`${at(open.iid)}/add_spent_time`, { duration: '1h' });
    await api.root.post(`${at(open.iid)}/award_emoji`, { name: 'thumbsup' });
    const { body: refs } = await api.root.get<{ diff_refs: object }>(at(open.iid));
    const noted = await alice.client.post(`${at(open.iid)}/discussions`, {
      body: 'Why?',
      position: {
        ...refs.diff_refs,
        position_type: 'text',
        new_path: 'feature.txt',
        old_path: 'feature.txt',
        new_line: 1,
      },
    });
    expect(noted.status).toBe(201);
    expect((await api.root.put(`${at(done.iid)}/merge`)).status).toBe(200);
    expect((await api.root.put(at(gone.iid), { state_event: 'close' })).status).toBe(200);
    await api.root.delete(`/projects/${from.id}/repository/branches/gone`);
    await until(
      async () =>
        (await api.sql('select 1 from background_jobs where state in ($1, $2)', ['pending', 'handed']))
          .length === 0,
    );
    await world.fetchCode();
    await git(to.repositoryPath, ['update-ref', '-d', 'refs/heads/gone']);

    const told = (): Promise<object[]> =>
      api.sql('select count(*) from events where project_id = $1', [to.id]);
    const before = await told();
    const { problems } = await world.bring('merge_requests');
    expect(problems).toEqual([]);
    const there = `/projects/${to.id}/merge_requests`;
    await until(
      async () =>
        (await api.root.get<{ merge_status: string }>(`${there}/${open.iid}`)).body.merge_status ===
        'can_be_merged',
    );
    for (const { iid } of [open, done, gone])
      for (const part of [
        '',
        '/notes',
        '/discussions',
        '/approvals',
        '/reviewers',
        '/participants',
        '/time_stats',
        '/award_emoji',
        '/versions',
      ])
        await world.same(`/merge_requests/${iid}${part}`);
    for (const { iid } of [open, done])
      for (const part of ['/diffs', '/changes', '/commits'])
        await world.same(`/merge_requests/${iid}${part}`);
    await until(async () =>
      (
        await gitText(to.repositoryPath, ['for-each-ref', '--format=%(refname)', 'refs/merge-requests'])
      ).includes(`/${done.iid}/head`),
    );
    expect(await told()).toEqual(before);
  });

  it('is imported even if its commits were not', async () => {
    const sha = (digit: string): string => digit.repeat(40);
    const record = {
      iid: 50,
      title: 'Long ago',
      source_branch: 'lost',
      target_branch: 'main',
      source_project_id: 9,
      target_project_id: 8,
      state: 'merged',
      author_id: 4711,
      created_at: '2019-01-01T00:00:00.000Z',
      updated_at: '2019-01-03T00:00:00.000Z',
      metrics: { merged_at: '2019-01-02T00:00:00.000Z', merged_by_id: alice.id },
      merge_request_diff: {
        base_commit_sha: sha('a'),
        start_commit_sha: sha('a'),
        head_commit_sha: sha('b'),
        real_size: '3',
      },
    };
    await importRecords(api, world.target(), 'merge_requests', [record]);
    const path = `/projects/${to.id}/merge_requests/50`;
    const { body } = await api.root.get(path);
    expect(body).toMatchObject({
      state: 'merged',
      sha: sha('b'),
      source_project_id: null,
      merged_at: '2019-01-02T00:00:00.000Z',
      merge_user: { id: alice.id },
      author: { id: 1 },
      changes_count: '3',
      updated_at: '2019-01-03T00:00:00.000Z',
    });
    for (const part of ['diffs', 'commits', 'changes', 'raw_diffs']) {
      const answer = await api.root.get(`${path}/${part}`);
      expect([part, answer.status, answer.body]).toEqual([part, 404, { message: '404 Commit Not Found' }]);
    }
    const { body: versions } = await api.root.get<{ id: number }[]>(`${path}/versions`);
    const version = await api.root.get(`${path}/versions/${versions[0]?.id ?? 0}`);
    expect([version.status, version.body]).toEqual([404, { message: '404 Commit Not Found' }]);
    const { body: notes } = await api.root.get<{ system: boolean }[]>(`${path}/notes`);
    expect(notes).toEqual([
      expect.objectContaining({ system: true, body: expect.stringContaining('imported this merge request') }),
    ]);
    const next = await api.root.post<{ iid: number }>(`/projects/${to.id}/merge_requests`, {
      title: 'Next',
      source_branch: 'done',
      target_branch: 'feature',
    });
    expect(next.body.iid).toBe(51);
  });

  it('includes deployments, with their merge requests', async () => {
    const [, main] = from.commits;
    const made = await world.post<{ id: number; iid: number }>('/deployments', {
      environment: 'production',
      sha: main,
      ref: 'main',
      tag: false,
      status: 'success',
    });
    await world.post('/deployments', {
      environment: 'production',
      sha: main,
      ref: 'main',
      tag: false,
      status: 'running',
    });
    const shipped = async (id: number, deployment: number): Promise<{ iid: number }[]> =>
      (await api.root.get<{ iid: number }[]>(`/projects/${id}/deployments/${deployment}/merge_requests`))
        .body;
    await until(async () => (await shipped(from.id, made.id)).length === 1);
    await world.bring('environments');
    expect((await world.bring('deployments')).problems).toEqual([]);
    const { body: list } = await api.root.get<{ id: number; iid: number; status: string }[]>(
      `/projects/${to.id}/deployments`,
    );
    expect(list.map(({ iid, status }) => [iid, status])).toEqual([
      [1, 'success'],
      [2, 'canceled'],
    ]);
    const [first] = list;
    const one = await api.root.get(`/projects/${from.id}/deployments/${made.id}`);
    const other = await api.root.get(`/projects/${to.id}/deployments/${first?.id ?? 0}`);
    const noState = (value: unknown): unknown =>
      JSON.parse(JSON.stringify(portable(value)), (name, v: unknown) =>
        ['state', 'environment'].includes(name) ? undefined : v,
      );
    expect(noState(other.body)).toEqual(noState(one.body));
    expect((await shipped(to.id, first?.id ?? 0)).map(({ iid }) => iid)).toEqual(
      (await shipped(from.id, made.id)).map(({ iid }) => iid),
    );
    await until(async () =>
      (
        await gitText(to.repositoryPath, ['for-each-ref', '--format=%(refname)', 'refs/environments'])
      ).includes('refs/environments/production/deployments/1'),
    );
  });
});
