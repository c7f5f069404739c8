import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { JobContext } from '#kernel/queue/job-processor.js';
import { UnlockUnkeptProcessor } from '#core/ci/locking/unlock-unkept.processor.js';
import { NO_OBJECT } from '#core/repositories/pushes/ref-change.js';
import { projectRepository } from '#core/repositories/repository-ref.js';
import type { TestApi } from '../../../../support/api.js';
import { CiEngine } from '../../../../support/ci-engine.js';
import { pushRefs } from '../../../../support/git.js';
import { borrowApi } from '../../../../support/shared-api.js';
import { until } from '../../../../support/until.js';

const THREE = `
stages: [build, test, deploy]
build: { stage: build, script: make }
test: { stage: test, script: make test }
deploy: { stage: deploy, script: make deploy }
`;

describe('pipelines of pushes', () => {
  let api: TestApi;
  let ci: CiEngine;

  beforeAll(async () => {
    api = await borrowApi();
    ci = await CiEngine.start(api);
  });
  afterAll(() => api.close());

  describe('pushing', () => {
    const push = async (
      branch: string,
      message = 'Pushed',
      ref = `refs/heads/${branch}`,
    ): Promise<string> => {
      const { work } = ci.project;
      const sha = await work.commit({ [`${branch}.txt`]: String(Math.random()) }, message);
      const before = pushed.get(ref) ?? NO_OBJECT;
      await pushRefs(api, projectRepository(ci.project.id), work, [{ ref, before, after: sha }]);
      pushed.set(ref, sha);
      return sha;
    };
    const pushed = new Map<string, string>();
    const ofRef = (ref: string) =>
      api.sql<{ status: string; tag: boolean; source: string; yaml_errors: string | null; sha: string }>(
        'select status, tag, source, yaml_errors, sha from ci_pipelines where project_id = $1 and ref = $2 order by id',
        [ci.project.id, ref],
      );

    it('creates pipelines of branches and tags', async () => {
      await ci.configure(THREE);
      const sha = await push('pushed');
      await until(async () => (await ofRef('pushed')).length === 1);
      expect(await ofRef('pushed')).toEqual([
        { status: 'pending', tag: false, source: 'push', yaml_errors: null, sha },
      ]);
      await push('v1', 'Tagged', 'refs/tags/v1');
      await until(async () => (await ofRef('v1')).length === 1);
      expect((await ofRef('v1'))[0]?.tag).toBe(true);
    });

    it('respects the push option that skips jobs', async () => {
      await push('quiet', 'Words only [skip ci]');
      await until(async () => (await ofRef('quiet')).length === 1);
      expect((await ofRef('quiet'))[0]?.status).toBe('skipped');
    });

    it('stores the errors of the configuration', async () => {
      await ci.configure('job: { stage: nowhere, script: x }');
      await push('wrong');
      await until(async () => (await ofRef('wrong')).length === 1);
      expect(await ofRef('wrong')).toMatchObject([
        { status: 'failed', yaml_errors: expect.stringContaining('nowhere') },
      ]);
    });

    it('makes older pipelines of the branch redundant, unless an uninterruptible job has started', async () => {
      await ci.configure(`
a: { stage: build, script: x, interruptible: true }
b: { stage: test, script: x }
`);
      await push('busy');
      await until(async () => (await ofRef('busy')).length === 1);
      const [first] = await ids('busy');
      await ci.end(first as number, 'a', 'running');
      await push('busy');
      await ci.reaches(first as number, 'pipeline:canceled a:canceled b:canceled');
      await until(async () => (await ofRef('busy')).length === 2);
      const second = (await ids('busy'))[1] as number;
      await ci.end(second, 'a', 'success');
      await ci.end(second, 'b', 'running');
      await push('busy');
      await until(async () => (await ofRef('busy')).length === 3);
      const third = (await ids('busy'))[2] as number;
      await until(async () => {
        const [row] = await api.sql<{ left: number }>(
          `select count(*)::int as left from background_jobs where name = 'ci.cancel_redundant' and state in ('pending', 'handed', 'running')
             and (payload ->> 'pipelineId')::bigint = $1`,
          [third],
        );
        return row?.left === 0;
      });
      expect(await ci.state(second)).toBe('pipeline:running a:success b:running');
    });

    const ids = async (ref: string): Promise<number[]> =>
      (
        await api.sql<{ id: number }>(
          'select id from ci_pipelines where project_id = $1 and ref = $2 order by id',
          [ci.project.id, ref],
        )
      ).map(({ id }) => id);

    it('unlocks the artifacts of older or removed refs', async () => {
      const child = 'child: { when: manual, allow_failure: true, trigger: { include: child.yml } }';
      await ci.configure(`a: { script: x, interruptible: false }\n${child}`, {
        'child.yml': 'in: { script: x }',
      });
      const first = await ci.create();
      await ci.end(first, 'a', 'success');
      const childLocks = async () =>
        (
          await api.sql<{ locked: boolean }>(
            'select locked from ci_pipelines where parent_id = $1 order by id',
            [first],
          )
        ).map(({ locked }) => locked);
      await ci.act(first, 'child', 'play');
      await until(async () => (await childLocks()).join() === 'true');
      const second = await ci.create();
      const locks = async () =>
        (
          await api.sql<{ locked: boolean }>(
            'select locked from ci_pipelines where id in ($1, $2) order by id',
            [first, second],
          )
        ).map(({ locked }) => locked);
      expect(await locks()).toEqual([true, true]);
      await ci.end(second, 'a', 'success');
      await until(async () => (await locks()).join() === 'false,true');
      await until(async () => (await childLocks()).join() === 'false');
      // An artifact created afterwards is not locked, and one created at the same time is only locked
      // temporarily.
      await ci.act(first, 'child', 'retry');
      await until(async () => (await childLocks()).join() === 'false,false');
      await api.sql('update ci_pipelines set locked = true where parent_id = $1', [first]);
      await ci.end(await ci.create(), 'a', 'success');
      await until(async () => (await childLocks()).join() === 'false,false');
      const sha = await push('doomed');
      await until(async () => (await ids('doomed')).length === 1);
      await pushRefs(api, projectRepository(ci.project.id), ci.project.work, [
        { ref: 'refs/heads/doomed', before: sha, after: NO_OBJECT },
      ]);
      await until(async () => {
        const [row] = await api.sql<{ locked: boolean }>('select locked from ci_pipelines where id = $1', [
          (await ids('doomed'))[0],
        ]);
        return row?.locked === false;
      });
    });

    it('unlocks all artifacts if the latest are no longer kept, in a project and in the instance', async () => {
      const context = { signal: new AbortController().signal } as unknown as JobContext;
      const unlocked = async (id: number): Promise<boolean> => {
        await api.app.get(UnlockUnkeptProcessor, { strict: false }).process({}, context);
        const [row] = await api.sql<{ locked: boolean }>('select locked from ci_pipelines where id = $1', [
          id,
        ]);
        return row?.locked === false;
      };
      await ci.configure('a: { script: x }');
      const [first, second] = [await ci.create(), await ci.create()];
      expect(await unlocked(first)).toBe(false);
      await ci.put({ keep_latest_artifact: false });
      expect([await unlocked(first), await unlocked(second)]).toEqual([true, true]);
      await ci.put({ keep_latest_artifact: true });
      const third = await ci.create();
      expect(await unlocked(third)).toBe(false);
      await api.root.put('/application/settings', { keep_latest_artifact: false });
      expect(await unlocked(third)).toBe(true);
      await api.root.put('/application/settings', { keep_latest_artifact: true });
    });
  });
});
