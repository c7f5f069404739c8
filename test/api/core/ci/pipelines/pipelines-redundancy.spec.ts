import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { CreatePipelineService } from '#core/ci/creation/create-pipeline.service.js';
import type { TestApi } from '../../../../support/api.js';
import { buildJob, buildPipeline } from '../../../../support/builders/ci.js';
import { buildMergeRequestRow } from '../../../../support/builders/merge-request-row.js';
import { CiEngine } from '../../../../support/ci-engine.js';
import { borrowApi } from '../../../../support/shared-api.js';
import { until } from '../../../../support/until.js';

const INTERRUPTIBLE = 'a: { script: x, interruptible: true }';

describe('redundant pipelines', () => {
  let api: TestApi;
  let ci: CiEngine;

  beforeAll(async () => {
    api = await borrowApi();
    ci = await CiEngine.start(api);
  });
  afterAll(() => api.close());

  /** Creates the pipeline of a push of `main`, as its queued job does. */
  const ofPush = async (sha: string, ref = 'refs/heads/main'): Promise<number> => {
    const { id: projectId, developerId: userId } = ci.project;
    const wanted = { projectId, userId, ref, sha, source: 'push' as const, variables: [] };
    const made = await api.app.get(CreatePipelineService, { strict: false }).create(wanted);
    if ('errors' in made) throw new Error(made.errors.join());
    return made.pipeline.id;
  };
  /** Waits until it is settled which pipelines are redundant. */
  const settled = (): Promise<unknown> =>
    until(async () => {
      const [row] = await api.sql<{ left: number }>(
        `select count(*)::int as left from background_jobs
         where name in ('ci.cancel_redundant', 'ci.cancel_pipelines') and state in ('pending', 'handed', 'running')`,
      );
      return row?.left === 0;
    });

  it('are those of older commits, also if the pipeline of the newer one was created first', async () => {
    const older = await ci.configure(INTERRUPTIBLE);
    const newer = await ci.configure(`${INTERRUPTIBLE} # Newer`);
    const ofNewer = await ofPush(newer);
    const ofOlder = await ofPush(older);
    await settled();
    expect(await ci.state(ofNewer)).toBe('pipeline:pending a:pending');
    expect(await ci.state(ofOlder)).toBe('pipeline:canceled a:canceled');
  });

  it('are not those of a merge request whose ref has the name of a branch', async () => {
    const { id: mergeRequestId, iid } = await buildMergeRequestRow(api, ci.project.id, {
      sourceBranch: 'feature',
    });
    const ref = `refs/merge-requests/${String(iid)}/head`;
    const mergeRequests = await buildPipeline(api, ci.project.id, {
      ref,
      mergeRequestId,
      source: 'merge_request_event',
    });
    await buildJob(api, mergeRequests, { interruptible: true });
    const sha = await ci.configure(INTERRUPTIBLE);
    await ci.project.work.git('push', ci.project.repositoryPath, `main:refs/heads/${ref}`);
    await ofPush(sha, `refs/heads/${ref}`);
    await settled();
    expect(await ci.state(mergeRequests.id)).toBe('pipeline:pending build:pending');
  });

  it('are not those with an uninterruptible job in the child of a child', async () => {
    const down = (file: string): string =>
      `down: { interruptible: true, trigger: { include: ${file}, strategy: depend } }`;
    await ci.configure(down('child.yml'), {
      'child.yml': down('grandchild.yml'),
      'grandchild.yml': 'deploy: { script: x }',
    });
    const first = await ci.create();
    const lowest = async (): Promise<number | undefined> =>
      (
        await api.sql<{ id: number }>(
          'select g.id from ci_pipelines g join ci_pipelines c on c.id = g.parent_id where c.parent_id = $1',
          [first],
        )
      )[0]?.id;
    await until(async () => (await lowest()) !== undefined);
    const grandchild = (await lowest()) as number;
    await ci.end(grandchild, 'deploy', 'running');
    await ofPush(await ci.configure(INTERRUPTIBLE));
    await settled();
    expect([await ci.state(first), await ci.state(grandchild)]).toEqual([
      'pipeline:running down:running',
      'pipeline:running deploy:running',
    ]);
  });

  it('are not those with a job that a rule makes uninterruptible', async () => {
    const rules = (value: boolean): string => `rules: [{ if: $CI_COMMIT_BRANCH, interruptible: ${value} }]`;
    const config = (own: boolean, byRule: boolean): string =>
      `a: { script: x, interruptible: ${own}, ${rules(byRule)} }`;
    const first = await ofPush(await ci.configure(config(true, false)));
    await ci.end(first, 'a', 'running');
    const second = await ofPush(await ci.configure(config(false, true)));
    await settled();
    expect(await ci.state(first)).toBe('pipeline:running a:running');
    await ci.end(second, 'a', 'running');
    await ofPush(await ci.configure(INTERRUPTIBLE));
    await settled();
    expect(await ci.state(second)).toBe('pipeline:canceled a:canceled');
  });
});
