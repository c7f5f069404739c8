import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { JobDefinition } from '#core/ci/jobs/definition/job-definition.js';
import { PrunePipelineRefsProcessor } from '#features/runners/protocol/refs/prune-pipeline-refs.processor.js';
import type { TestApi } from '../../../support/api.js';
import { buildJob } from '../../../support/builders/ci.js';
import { requestJob, type Payload } from '../../../support/builders/runner.js';
import { JobQueue } from '../../../support/job-queue.js';
import { WorkingCopy } from '../../../support/git.js';
import { gitUrl } from '../../../support/git-http.js';
import { borrowApi } from '../../../support/shared-api.js';

describe('the code of jobs', () => {
  let api: TestApi;
  let queue: JobQueue;

  beforeAll(async () => {
    api = await borrowApi();
  });
  beforeAll(async () => {
    queue = await JobQueue.build(api);
  });
  afterAll(() => api.close());
  beforeEach(() => queue.clear());

  it('is fetched with the job token, also after its branch has moved on', async () => {
    const { token, git_info: info } = await queue.pick({}, {}, { sha: queue.code.commits[0] ?? '' });
    const { refspecs, sha } = info as { refspecs: string[]; sha: string };
    const clone = await new WorkingCopy().init();
    const url = gitUrl(api, `/${queue.code.fullPath}.git`, ['gitlab-ci-token', token]);
    await clone.git('fetch', '--quiet', '--depth', '1', url, ...refspecs);
    await clone.git('checkout', '--quiet', '--force', sha);
    expect(await clone.git('rev-parse', 'HEAD')).toBe(queue.code.commits[0]);
    const own = refspecs[0]?.split(':')[1] ?? '';
    // No one else moves it.
    const asRoot = gitUrl(api, `/${queue.code.fullPath}.git`, ['root', 'glpat-root-token-of-tests-0001']);
    await expect(clone.git('push', '--force', asRoot, `refs/remotes/origin/main:${own}`)).rejects.toThrow(
      /hidden ref|deny/,
    );
    await expect(clone.git('push', url, 'HEAD:refs/heads/by-job')).rejects.toThrow();
    await api.sql(`update ci_jobs set status = 'success' where id = $1`, [info && (await lastJob())]);
    await expect(clone.git('fetch', '--quiet', url, 'main')).rejects.toThrow();
  });

  it('is kept for a day after the end of its pipeline, and no longer', async () => {
    const ids: number[] = [];
    for (let index = 0; index < 3; index += 1) {
      const { git_info: info } = await queue.pick();
      ids.push(Number((info as { refspecs: string[] }).refspecs[0]?.split('/').at(-1)));
    }
    const [running, fresh, old] = ids;
    const end = `update ci_pipelines set status = 'success', finished_at = now() - interval '1 hour' * $2 where id = $1`;
    await api.sql(end, [fresh, 23]);
    await api.sql(end, [old, 25]);
    const prune = api.app.get(PrunePipelineRefsProcessor, { strict: false });
    await prune.process({ projectId: queue.code.id });
    const [row] = await api.sql<{ minutes: number }>(
      `select extract(epoch from run_at - now())::float8 / 60 as minutes from background_jobs
       where name = 'runners.prune-pipeline-refs' and state = 'pending' order by run_at limit 1`,
      [],
    );
    expect(row?.minutes).toBeLessThan(61);
    const left = await queue.code.work.git(
      '--git-dir',
      queue.code.repositoryPath,
      'for-each-ref',
      'refs/pipelines',
    );
    expect(left).toContain(`refs/pipelines/${running ?? ''}`);
    expect(left).toContain(`refs/pipelines/${fresh ?? ''}`);
    expect(left).not.toContain(`refs/pipelines/${old ?? ''}`);
  });

  const lastJob = async (): Promise<number> =>
    (await api.sql<{ id: number }>('select max(id) as id from ci_jobs', []))[0]?.id ?? 0;

  it('includes tags for jobs of tags, and the whole history if no depth is set', async () => {
    const tagged = await queue.pick({ ref: 'v1', tag: true }, {}, { ref: 'v1', tag: true });
    expect(tagged['git_info']).toMatchObject({
      ref_type: 'tag',
      refspecs: [expect.stringMatching('^\\+refs/pipelines/'), '+refs/tags/v1:refs/tags/v1'],
    });
    const variable = (value: string): Partial<JobDefinition> => ({
      variables: [{ key: 'GIT_DEPTH', value, public: true, masked: false }],
    });
    expect((await queue.pick({}, variable('5')))['git_info']).toMatchObject({ depth: 5 });
    for (const value of ['0', 'all', '-3'])
      expect((await queue.pick({}, variable(value)))['git_info']).toMatchObject({
        depth: 0,
        refspecs: [
          expect.any(String),
          '+refs/heads/*:refs/remotes/origin/*',
          '+refs/tags/*:refs/tags/*',
        ] as unknown,
      });
    await api.root.put(`/projects/${queue.code.id}`, { ci_default_git_depth: null });
    expect((await queue.pick())['git_info']).toMatchObject({ depth: 0 });
    await api.root.put(`/projects/${queue.code.id}`, { ci_default_git_depth: 20 });
  });

  it('comes with the timeout that project, job and runner allow', async () => {
    const timeout = (payload: Payload): unknown => payload['runner_info'];
    await api.root.put(`/projects/${queue.code.id}`, { build_timeout: 1000 });
    expect(timeout(await queue.pick())).toMatchObject({ timeout: 1000 });
    expect(timeout(await queue.pick({}, { timeout: 1500 }))).toMatchObject({ timeout: 1500 });
    for (const [maximum, expected] of [
      [900, 900],
      [2000, 1000],
    ]) {
      await api.sql('update ci_runners set maximum_timeout = $2 where id = $1', [queue.runner.id, maximum]);
      expect(timeout(await queue.pick())).toMatchObject({ timeout: expected });
    }
    await api.sql('update ci_runners set maximum_timeout = null where id = $1', [queue.runner.id]);
    await api.root.put(`/projects/${queue.code.id}`, { build_timeout: 3600 });
  });

  it('comes with the archives of the named jobs, and of no others', async () => {
    const on = await queue.pipeline();
    for (const name of ['a', 'b', 'later'])
      await buildJob(api, on, { name, status: 'success', stageIndex: name === 'later' ? 2 : 0 });
    const [a] = await api.sql<{ id: number }>(
      `select id from ci_jobs where pipeline_id = $1 and name = 'a'`,
      [on.id],
    );
    await api.sql(
      `insert into ci_job_artifacts (project_id, job_id, file_type, file_format, filename, size, sha256, object_key)
       values ($1, $2, 'archive', 'zip', 'a.zip', 7, 'x', 'artifacts/1/x')`,
      [queue.code.id, a?.id],
    );
    const names = async (definition: Partial<JobDefinition>): Promise<unknown[]> => {
      await buildJob(api, on, { stageIndex: 1, name: `n${Math.random()}` }, definition);
      const { body } = await requestJob(api, queue.runner);
      return (body['dependencies'] as { name: string }[]).map(({ name }) => name);
    };
    expect(await names({})).toEqual(['a', 'b']);
    expect(await names({ dependencies: ['b'] })).toEqual(['b']);
    expect(await names({ dependencies: [] })).toEqual([]);
    expect(await names({ needs: [] })).toEqual([]);
    const need = (job: string, artifacts = true): NonNullable<JobDefinition['needs']>[number] => ({
      job,
      artifacts,
      optional: false,
    });
    expect(await names({ needs: [need('a', false), need('later')] })).toEqual(['later']);
    expect(await names({ needs: [need('a'), need('b')], dependencies: ['a'] })).toEqual(['a']);
    await buildJob(api, on, { stageIndex: 1, name: 'last' }, { dependencies: ['a'] });
    const { body } = await requestJob(api, queue.runner);
    expect(body['dependencies']).toEqual([
      { id: a?.id, name: 'a', token: body.token, artifacts_file: { filename: 'a.zip', size: 7 } },
    ]);
  });
});
