import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { CreatePipelineService } from '#core/ci/creation/create-pipeline.service.js';
import type { TestApi } from '../../../../support/api.js';
import { buildJob, buildPipeline } from '../../../../support/builders/ci.js';
import { buildMergeRequestRow } from '../../../../support/builders/merge-request-row.js';
import { CiEngine } from '../../../../support/ci-engine.js';
import { borrowApi } from '../../../../support/shared-api.js';
import { until } from '../../../../support/until.js';

const INTERRUPTIBLE = 'a: { script: x, interruptible: true }';

let api: TestApi;
let ci: CiEngine;

beforeAll(async () => {
  api = await borrowApi();
  ci = await CiEngine.start(api);
});
afterAll(() => api.close());

/** Waits until it is settled what is canceled. */
const settled = (): Promise<unknown> =>
  until(async () => {
    const [row] = await api.sql<{ left: number }>(
      `select count(*)::int as left from background_jobs
       where name in ('ci.cancel_redundant', 'ci.cancel_pipelines', 'ci.cancel_after_failure', 'ci.start_child')
         and state in ('pending', 'handed', 'running')`,
    );
    return row?.left === 0;
  });

describe('redundant pipelines', () => {
  /** Creates the pipeline of a push of `main`, as its queued job does. */
  const ofPush = async (sha: string, ref = 'refs/heads/main'): Promise<number> => {
    const { id: projectId, developerId: userId } = ci.project;
    const wanted = { projectId, userId, ref, sha, source: 'push' as const, variables: [] };
    const made = await api.app.get(CreatePipelineService, { strict: false }).create(wanted);
    if ('errors' in made) throw new Error(made.errors.join());
    return made.pipeline.id;
  };

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

describe('the configuration of what cancels pipelines', () => {
  const childOf = async (id: number): Promise<number> => {
    const [row] = await api.sql<{ id: number }>('select id from ci_pipelines where parent_id = $1', [id]);
    return row?.id ?? 0;
  };

  describe('for new commits', () => {
    const workflow = (onNewCommit: string, more = ''): string =>
      `workflow: { auto_cancel: { on_new_commit: ${onNewCommit} }${more} }\n`;
    const JOBS = 'keep: { script: x }\ndrop: { script: x, interruptible: true }\n';
    /** Runs the first job of a pipeline, and returns the state in which the pipeline of another commit leaves it. */
    const superseded = async (config: string): Promise<string> => {
      const older = await ci.run(`${config}${JOBS}`);
      await ci.end(older, 'keep', 'running');
      await ci.run(`${config}${JOBS}# Newer`);
      await settled();
      return ci.state(older);
    };

    it('is respected: none', async () => {
      const older = await ci.run(`${workflow('none')}drop: { script: x, interruptible: true }`);
      await ci.run('other: { script: x }');
      await settled();
      expect(await ci.state(older)).toBe('pipeline:pending drop:pending');
    });

    it('is respected: only interruptible jobs', async () => {
      expect(await superseded(workflow('interruptible'))).toBe('pipeline:running keep:running drop:canceled');
    });

    it('is respected: all jobs, unless one that is not interruptible has started', async () => {
      expect(await superseded(workflow('conservative'))).toBe('pipeline:running keep:running drop:pending');
    });

    it('is that of the rule that applies', async () => {
      const rules = (byRule: string): string =>
        `, rules: [{ if: $NONE, auto_cancel: { on_new_commit: none } }, { when: always${byRule} }]`;
      const byRule = ', auto_cancel: { on_new_commit: interruptible }';
      const taken = 'pipeline:running keep:running drop:canceled';
      expect(await superseded(workflow('none', rules(byRule)))).toBe(taken);
      expect(await superseded(workflow('interruptible', rules('')))).toBe(taken);
    });

    it('holds for child pipelines too', async () => {
      const down = 'down: { interruptible: true, trigger: { include: child.yml, strategy: depend } }\n';
      await ci.configure(`${workflow('interruptible')}${down}`, { 'child.yml': JOBS });
      const older = await ci.create();
      await settled();
      const child = await childOf(older);
      await ci.end(child, 'keep', 'running');
      await ci.run('other: { script: x }');
      await settled();
      expect(await ci.state(older)).toBe('pipeline:running down:running');
      expect(await ci.state(child)).toBe('pipeline:running keep:running drop:canceled');
    });
  });

  describe('for failed jobs', () => {
    const workflow = (onJobFailure: string): string =>
      `workflow: { auto_cancel: { on_job_failure: ${onJobFailure} } }\nstages: [one, two]\n`;
    const REST = 'b: { stage: one, script: x }\nc: { stage: two, script: x, when: always }';
    /** Lets the job `a` fail while `b` runs, and returns the pipeline. */
    const withFailure = async (config: string, a = ''): Promise<number> => {
      const id = await ci.run(`${config}a: { stage: one, script: x${a} }\n${REST}`);
      await ci.end(id, 'b', 'running');
      await ci.end(id, 'a', 'failed', { failureReason: 'script_failure' });
      await settled();
      return id;
    };

    it('cancels all other jobs, which can be retried one by one', async () => {
      const id = await withFailure(workflow('all'));
      expect(await ci.state(id)).toBe('pipeline:failed a:failed b:canceled c:canceled');
      expect((await ci.act(id, 'b', 'retry')).status).toBe(201);
      await settled();
      expect(await ci.state(id)).toBe('pipeline:running a:failed b:pending c:canceled');
    });

    it.each([
      ['none', 'by default', '', ''],
      ['none', 'if the workflow says none', workflow('none'), ''],
      ['none', 'while the failed job is allowed to fail', workflow('all'), ', allow_failure: true'],
    ])('cancels %s %s', async (_, _case, config, a) => {
      const id = await withFailure(config || 'stages: [one, two]\n', a);
      expect(await ci.state(id)).toBe('pipeline:running a:failed b:running c:created');
    });

    it('cancels none while the failed job is retried automatically', async () => {
      const id = await withFailure(workflow('all'), ', retry: 1');
      expect(await ci.state(id)).toBe('pipeline:running b:running a:pending c:created');
      await ci.end(id, 'a', 'failed', { failureReason: 'script_failure' });
      await settled();
      expect(await ci.state(id)).toBe('pipeline:failed b:canceled a:failed c:canceled');
    });

    it('cancels child pipelines', async () => {
      const down = 'down: { trigger: { include: child.yml } }\na: { script: x }';
      await ci.configure(`workflow: { auto_cancel: { on_job_failure: all } }\n${down}`, {
        'child.yml': 'b: { script: x }',
      });
      const id = await ci.create();
      await settled();
      await ci.end(id, 'a', 'failed', { failureReason: 'script_failure' });
      await settled();
      expect(await ci.state(await childOf(id))).toBe('pipeline:canceled b:canceled');
    });
  });

  it('is refused if it has no meaning', async () => {
    const errors = async (autoCancel: string): Promise<unknown> => {
      const content = `workflow: { auto_cancel: ${autoCancel} }\na: { script: x }`;
      const { maintainer, id } = ci.project;
      const { body } = await maintainer.post<{ errors: unknown }>(`/projects/${id}/ci/lint`, { content });
      return body.errors;
    };
    expect(await errors('{ on_new_commit: interruptible, on_job_failure: none }')).toEqual([]);
    expect(await errors('{ on_new_commit: all }')).toEqual([
      'workflow:auto_cancel on new commit should be one of: conservative, interruptible, none',
    ]);
    expect(await errors('{ on_job_failure: some }')).toEqual([
      'workflow:auto_cancel on job failure should be one of: none, all',
    ]);
    expect(await errors('{ on_merge: all }')).toEqual([
      'workflow:auto_cancel config contains unknown keys: on_merge',
    ]);
  });
});
