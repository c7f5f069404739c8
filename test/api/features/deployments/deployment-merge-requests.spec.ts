import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { MergeRequest } from '#core/merge-requests/merge-request.entity.js';
import type { TestApi } from '../../../support/api.js';
import { buildMergeRequestRow } from '../../../support/builders/merge-request-row.js';
import type { ApiClient } from '../../../support/client.js';
import { CiEngine } from '../../../support/ci-engine.js';
import { borrowApi } from '../../../support/shared-api.js';
import { until } from '../../../support/until.js';

interface Listed {
  readonly iid: number;
  readonly state: string;
  readonly web_url: string;
}

describe('merge requests of deployments', () => {
  let api: TestApi;
  let ci: CiEngine;
  /** Commits of `main`, in order: the first, a merge, a squash, a fast-forward, a cherry-pick. */
  const commits: string[] = [];
  const merged: Record<'merge' | 'squash' | 'forward' | 'picked' | 'later', MergeRequest> = {} as never;

  beforeAll(async () => {
    api = await borrowApi();
    ci = await CiEngine.start(api);
    const { work, repositoryPath, id } = ci.project;
    const commit = (message: string): Promise<string> => work.commit({ 'f.txt': message }, message);
    const row = (values: Partial<MergeRequest>): Promise<MergeRequest> =>
      buildMergeRequestRow(api, id, {
        state: 'merged',
        mergedAt: new Date(),
        sourceBranch: 'gone',
        ...values,
      });
    commits.push(await work.git('rev-parse', 'HEAD'), await commit('Merge'), await commit('Squash'));
    commits.push(await commit('Forward'));
    const elsewhere = 'c'.repeat(40);
    commits.push(await commit(`Pick\n\n(cherry picked from commit ${elsewhere})`), await commit('Later'));
    await work.git('push', '--quiet', repositoryPath, 'main');
    merged.merge = await row({ mergeCommitSha: commits[1] ?? '', headSha: 'a'.repeat(40) });
    merged.squash = await row({ squashCommitSha: commits[2] ?? '', headSha: 'b'.repeat(40) });
    merged.forward = await row({ headSha: commits[3] ?? '' });
    merged.picked = await row({ targetBranch: 'stable', mergeCommitSha: elsewhere });
    merged.later = await row({ mergeCommitSha: commits[5] ?? '' });
    await row({ state: 'closed', mergeCommitSha: commits[1] ?? '' });
  });
  afterAll(() => api.close());

  const at = (suffix = ''): string => `/projects/${ci.project.id}/deployments${suffix}`;
  const idle = (): Promise<number> =>
    until(async () => {
      const [row] = await api.sql<{ left: number }>(
        `select count(*)::int as left from background_jobs where name = 'deployments.link_merge_requests' and state in ('pending', 'handed', 'running')`,
        [],
      );
      return row?.left === 0;
    });
  const deploy = async (environment: string, commit: number, status = 'success'): Promise<number> => {
    const values = { environment, sha: commits[commit], ref: 'main', tag: false, status };
    const made = await ci.project.developer.post<{ id: number }>(at(), values);
    expect(made.status).toBe(201);
    await idle();
    return made.body.id;
  };
  const shipped = async (id: number, query = ''): Promise<number[]> => {
    const { status, body } = await ci.project.reporter.get<Listed[]>(
      at(`/${id}/merge_requests?sort=asc${query}`),
    );
    expect(status).toBe(200);
    return body.map(({ iid }) => iid);
  };
  const iids = (...names: (keyof typeof merged)[]): number[] => names.map((name) => merged[name].iid);

  it('are those of all commits since the previous success, once per environment', async () => {
    await deploy('staging', 0);
    const failed = await deploy('staging', 4, 'failed');
    expect(await shipped(failed)).toEqual([]);
    const second = await deploy('staging', 2);
    expect(await shipped(second)).toEqual([]);
    await api.sql('delete from deployment_merge_requests', []);
    const third = await deploy('staging', 4);
    expect(await shipped(third)).toEqual(iids('forward', 'picked'));
    expect(await shipped(await deploy('staging', 1))).toEqual([]);
    // Back again: `forward` and the cherry-picks were there before; `squash` is now linked.
    expect(await shipped(await deploy('staging', 4))).toEqual(iids('squash'));
  });

  it('are all of the branch for the first one, and record the first deployment to production', async () => {
    const first = await deploy('production', 0);
    expect(await shipped(first)).toEqual(iids('merge', 'squash', 'forward', 'later'));
    const rows = await api.sql<{ iid: number; at: Date | null }>(
      'select iid, first_deployed_to_production_at as at from merge_requests where project_id = $1 order by iid',
      [ci.project.id],
    );
    expect(rows.filter((row) => row.at !== null).map(({ iid }) => iid)).toEqual(
      iids('merge', 'squash', 'forward', 'later'),
    );
    // A deployment that was undone and succeeds again keeps its merge requests.
    await ci.project.developer.put(at(`/${first}`), { status: 'failed' });
    await ci.project.developer.put(at(`/${first}`), { status: 'success' });
    await idle();
    expect(await shipped(first)).toHaveLength(4);
  });

  it('are also linked when a job deploys, but not for review environments', async () => {
    const yaml = (name: string): string => `deploy: { script: x, environment: ${name} }`;
    const run = async (name: string): Promise<number[]> => {
      const pipeline = await ci.run(yaml(name));
      await ci.end(pipeline, 'deploy', 'success');
      await idle();
      const [row] = await api.sql<{ id: number }>('select id from deployments order by id desc limit 1', []);
      return shipped(row?.id ?? 0);
    };
    expect(await run('prod-eu')).toEqual(iids('merge', 'squash', 'forward', 'later'));
    expect(await run('review/one')).toEqual([]);
  });

  it('are found by environment and time by those who may read the deployment', async () => {
    const list = `/projects/${ci.project.id}/merge_requests?state=all`;
    const found = async (client: ApiClient): Promise<number[]> =>
      Promise.all(
        ['environment=production', 'deployed_after=2020-01-01', 'deployed_before=2999-01-01'].map(
          async (filter) => (await client.get<Listed[]>(`${list}&${filter}`)).body.length,
        ),
      );
    const everywhere = async (client: ApiClient): Promise<number> => {
      const { headers } = await client.get('/merge_requests?scope=all&state=all&environment=production');
      return Number(headers.get('x-total'));
    };
    const path = `/projects/${ci.project.id}`;
    await api.root.put(path, { visibility: 'public' });
    const all = await found(ci.project.reporter);
    expect(all).toEqual([4, 5, 5]);
    expect(await found(api.anonymous)).toEqual(all);
    await ci.put({ environments_access_level: 'private' });
    expect([await found(api.anonymous), await everywhere(api.anonymous)]).toEqual([[0, 0, 0], 0]);
    expect([await found(ci.project.reporter), await everywhere(ci.project.reporter)]).toEqual([all, 4]);
    await ci.put({ environments_access_level: 'disabled' });
    expect(await found(ci.project.reporter)).toEqual([0, 0, 0]);
    await api.root.put(path, { environments_access_level: 'enabled', visibility: 'private' });
  });

  it('are filtered, shown and hidden like in every list of merge requests', async () => {
    const [row] = await api.sql<{ id: number }>(
      `select d.id from deployments d join environments e on e.id = d.environment_id where e.name = 'production'`,
      [],
    );
    const id = row?.id ?? 0;
    expect(await shipped(id, '&state=opened')).toEqual([]);
    expect(await shipped(id, '&search=Change&environment=production&per_page=2')).toEqual(
      iids('merge', 'squash'),
    );
    expect(await shipped(id, '&environment=nowhere')).toEqual([]);
    expect(await shipped(id, `&deployed_after=${new Date(Date.now() + 60_000).toISOString()}`)).toEqual([]);
    const simple = await ci.project.reporter.get<Listed[]>(at(`/${id}/merge_requests?view=simple`));
    expect(Object.keys(simple.body[0] ?? {})).toHaveLength(9);
    expect((await ci.project.reporter.get(at('/0/merge_requests'))).status).toBe(404);
    expect(
      (await ci.project.reporter.get(at(`/${id}/merge_requests?author_id=1&author_username=x`))).status,
    ).toBe(400);
    expect((await ci.project.guest.get(at(`/${id}/merge_requests`))).status).toBe(403);
    await ci.put({ merge_requests_access_level: 'disabled' });
    expect(await shipped(id)).toEqual([]);
    await ci.put({ merge_requests_access_level: 'enabled' });
    // Nor does a deployment of another project show the merge requests that it shipped.
    const other = await CiEngine.start(api);
    const foreign = `/projects/${other.project.id}/deployments/${id}/merge_requests`;
    expect((await other.project.reporter.get(foreign)).status).toBe(404);
  });
});
