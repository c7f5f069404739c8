import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Transactions } from '#kernel/database/transactions.js';
import { Jobs } from '#kernel/queue/jobs.js';
import { FollowBranchesJob } from '#core/merge-requests/code/following/follow-branches.job.js';
import { MergeRequestFollowingService } from '#core/merge-requests/code/following/merge-request-following.service.js';
import type { TestApi } from '../../../../support/api.js';
import { CiEngine } from '../../../../support/ci-engine.js';
import { borrowApi } from '../../../../support/shared-api.js';
import { until } from '../../../../support/until.js';

const CONFIG = 'mine: { script: x, only: [merge_requests] }';

/** Jobs of a pipeline have the permissions of its user: that must be the user who pushed the code. */
describe('pushes to merge requests', () => {
  let api: TestApi;
  let ci: CiEngine;

  beforeAll(async () => {
    api = await borrowApi();
    ci = await CiEngine.start(api);
    await ci.configure(CONFIG);
  });
  afterAll(() => api.close());

  const idle = (): Promise<number> =>
    until(async () => {
      const [row] = await api.sql<{ left: number }>(
        `select count(*)::int as left from background_jobs where name like 'merge_requests.%' and state in ('pending', 'handed', 'running')`,
      );
      return row?.left === 0;
    });

  it('are attributed to their pusher, even if another user changes the other branch at the same time', async () => {
    const { work, repositoryPath, id: projectId, developer } = ci.project;
    const push = async (text: string): Promise<string> => {
      await work.commit({ 'feature.txt': text }, text);
      await work.git('push', '--quiet', repositoryPath, 'feature');
      return work.git('rev-parse', 'HEAD');
    };
    await work.git('checkout', '--quiet', '-b', 'feature', 'main');
    await push('one');
    const made = await developer.post<{ id: number; iid: number }>(`/projects/${projectId}/merge_requests`, {
      source_branch: 'feature',
      target_branch: 'main',
      title: 'Feature',
    });
    expect(made.status).toBe(201);
    const { id, iid } = made.body;
    await idle();
    const me = (await developer.get<{ id: number }>('/user')).body.id;
    const path = `/projects/${projectId}/merge_requests/${iid}`;
    await api.root.post(`${path}/subscribe`);
    const noted = async (): Promise<unknown[]> => {
      const notes = await developer.get<{ body: string; author: { id: number } | null }[]>(`${path}/notes`);
      return notes.body.filter(({ body }) => body.startsWith('added')).map(({ author }) => author?.id);
    };
    const mailed = (): Promise<object[]> =>
      api.sql(
        `select user_id, event -> 'actorId' as actor from sent_notifications where target_type = 'MergeRequest'
          and target_id = $1 and event ->> 'kind' = 'push_to_merge_request' order by id`,
        [id],
      );
    const following = api.app.get(MergeRequestFollowingService, { strict: false });
    const pipelines = (sha: string): Promise<object[]> =>
      api.sql('select user_id from ci_pipelines where merge_request_id = $1 and sha = $2', [id, sha]);

    // Processed first by the job of the administrator, who pushed to the target.
    const sha = await push('two');
    await following.follow(id, { userId: 1, head: null });
    await idle();
    const seen = await developer.get<{ sha: string }>(`/projects/${projectId}/merge_requests/${iid}`);
    expect([seen.body.sha, await pipelines(sha)]).toEqual([sha, []]);
    await following.follow(id, { userId: me, head: sha });
    await idle();
    expect(await pipelines(sha)).toEqual([{ user_id: me }]);
    // Subscribers get one mail, and the pusher, who takes part, none.
    expect(await noted()).toEqual([me]);
    await until(async () => (await mailed()).length > 0);
    expect(await mailed()).toEqual([{ user_id: 1, actor: me }]);
    await following.follow(id, { userId: 1, head: sha });
    await idle();
    expect(await pipelines(sha)).toHaveLength(1);

    // Processed by the job of an older push.
    const last = await push('three');
    await following.follow(id, { userId: 1, head: sha });
    await idle();
    expect(await pipelines(last)).toEqual([]);

    // Merged before the push has been processed.
    await api.root.put(`${path}/merge`);
    expect((await developer.get<{ state: string }>(path)).body.state).toBe('merged');
    const pushed = { projectId, branches: [{ name: 'feature', sha: last }], userId: me };
    await api.app.get(Transactions).run((tx) => api.app.get(Jobs).enqueue(tx, FollowBranchesJob, pushed));
    await idle();
    expect(await noted()).toEqual([me, me]);
    await until(async () => (await mailed()).length > 1);
    expect(await mailed()).toEqual(Array.from({ length: 2 }, () => ({ user_id: 1, actor: me })));
  });
});
