import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { Role } from '#kernel/access/roles.js';
import type { TestApi } from '../../../../support/api.js';
import { buildGroup } from '../../../../support/builders/group.js';
import { buildMember } from '../../../../support/builders/member.js';
import { buildProject } from '../../../../support/builders/project.js';
import {
  registerRunner,
  requestJob,
  type BuiltRunner,
  type Payload,
} from '../../../../support/builders/runner.js';
import { createUser } from '../../../../support/builders/user.js';
import { CiEngine } from '../../../../support/ci-engine.js';
import type { ApiClient } from '../../../../support/client.js';
import { borrowApi } from '../../../../support/shared-api.js';
import { until } from '../../../../support/until.js';

interface Seen {
  readonly taken: string;
  readonly told: string | undefined;
  readonly secret: string | undefined;
}

/** What a runner is told with a job. */
function seenBy(payload: Payload, taken: string): Seen {
  const told = payload['variables'] as { key: string; value: string }[];
  const valueOf = (key: string): string | undefined => told.find((one) => one.key === key)?.value;
  return { taken, told: valueOf('CI_COMMIT_REF_PROTECTED'), secret: valueOf('DEPLOY_KEY') };
}

describe('jobs that are retried or handed out', () => {
  let api: TestApi;
  let ci: CiEngine;
  let guarded: BuiltRunner;
  let open: BuiltRunner;

  beforeAll(async () => {
    api = await borrowApi();
    ci = await CiEngine.start(api);
    guarded = await registerRunner(api, { project: ci.project.id }, { access_level: 'ref_protected' });
    open = await registerRunner(api, { project: ci.project.id });
    const secret = { key: 'DEPLOY_KEY', value: 'only-for-protected-refs', protected: true };
    await ci.project.maintainer.post(`/projects/${ci.project.id}/variables`, secret);
    await ci.put({ auto_cancel_pending_pipelines: 'disabled' });
  });
  afterAll(() => api.close());
  beforeEach(async () => {
    await api.sql('delete from ci_pending_jobs', []);
    await unprotect();
  });

  const path = (): string => `/projects/${ci.project.id}/protected_branches`;
  const protect = async (): Promise<void> => {
    const { status } = await ci.project.maintainer.post(path(), { name: 'main' });
    expect(status).toBe(201);
  };
  const unprotect = (): Promise<unknown> => ci.project.maintainer.delete(`${path()}/main`);
  /** Hands out the job to the runner of protected refs, or else to the other one, and returns its payload. */
  const handOut = async (jobId: number): Promise<Seen> => {
    const first = await requestJob(api, guarded);
    const given = first.status === 201 ? first : await requestJob(api, open);
    expect([given.status, given.body.id]).toEqual([201, jobId]);
    return seenBy(given.body, first.status === 201 ? 'guarded' : 'open');
  };
  const PROTECTED: Seen = { taken: 'guarded', told: 'true', secret: 'only-for-protected-refs' };
  const OPEN: Seen = { taken: 'open', told: 'false', secret: undefined };
  const retry = async (pipeline: number, name = 'build'): Promise<number> => {
    const job = await ci.job(pipeline, name);
    const { status } = await ci.project.maintainer.post(`/projects/${ci.project.id}/jobs/${job}/retry`);
    expect(status).toBe(201);
    return ci.job(pipeline, name);
  };

  it('lose the protection if their branch is no longer protected', async () => {
    await protect();
    const pipeline = await ci.run('build: { script: x }');
    expect(await handOut(await ci.job(pipeline, 'build'))).toEqual(PROTECTED);
    await ci.end(pipeline, 'build', 'failed');
    await unprotect();
    expect(await handOut(await retry(pipeline))).toEqual(OPEN);
  });

  it('gain the protection of their branch for users who may run them there', async () => {
    const pipeline = await ci.run('build: { script: x }');
    expect(await handOut(await ci.job(pipeline, 'build'))).toEqual(OPEN);
    await ci.end(pipeline, 'build', 'failed');
    await protect();
    expect((await ci.act(pipeline, 'build', 'retry')).status).toBe(403);
    expect(await handOut(await retry(pipeline))).toEqual(PROTECTED);
  });

  it('gain it together with all jobs that are retried with them', async () => {
    const pipeline = await ci.run(
      'stages: [build, test]\nbuild: { stage: build, script: x }\ntest: { stage: test, script: x }',
    );
    expect(await ci.end(pipeline, 'build', 'failed')).toContain('test:skipped');
    await api.sql('delete from ci_pending_jobs', []);
    await protect();
    const { status } = await ci.project.maintainer.post(
      `/projects/${ci.project.id}/pipelines/${pipeline}/retry`,
    );
    expect(status).toBe(201);
    expect(await handOut(await ci.job(pipeline, 'build'))).toEqual(PROTECTED);
    await ci.end(pipeline, 'build', 'success');
    expect(await handOut(await ci.job(pipeline, 'test'))).toEqual(PROTECTED);
  });

  it('gain it when a user plays them', async () => {
    const pipeline = await ci.run('build: { script: x, when: manual }');
    await protect();
    const job = await ci.job(pipeline, 'build');
    expect((await ci.act(pipeline, 'build', 'play')).status).toBe(403);
    await ci.project.maintainer.post(`/projects/${ci.project.id}/jobs/${job}/play`);
    expect(await handOut(job)).toEqual(PROTECTED);
  });

  it('do not gain it by an automatic retry', async () => {
    const pipeline = await ci.run('build: { script: x, retry: 1 }');
    const first = await ci.job(pipeline, 'build');
    await protect();
    await ci.end(pipeline, 'build', 'failed', { failureReason: 'script_failure' });
    const again = await ci.job(pipeline, 'build');
    expect(again).not.toBe(first);
    expect(await handOut(again)).toEqual(OPEN);
  });

  it('do not gain it in a child pipeline, unless a user who may run them there plays its bridge', async () => {
    const bridge = 'trigger: { include: child.yml }';
    const yaml = `stages: [build, test]\nbuild: { stage: build, script: x }
child: { stage: test, ${bridge} }\nasked: { stage: test, when: manual, ${bridge} }`;
    const pipeline = await ci.run(yaml, { 'child.yml': 'inner: { script: x }' });
    const childOf = async (name: string): Promise<number> => {
      const [child] = await api.sql<{ id: number }>('select id from ci_pipelines where bridge_id = $1', [
        await ci.job(pipeline, name),
      ]);
      return child?.id ?? 0;
    };
    await api.sql('delete from ci_pending_jobs', []);
    await protect();
    await ci.end(pipeline, 'build', 'success');
    await until(async () => (await childOf('child')) > 0);
    expect(await handOut(await ci.job(await childOf('child'), 'inner'))).toEqual(OPEN);
    const asked = await ci.job(pipeline, 'asked');
    await ci.project.maintainer.post(`/projects/${ci.project.id}/jobs/${asked}/play`);
    await until(async () => (await childOf('asked')) > 0);
    expect(await handOut(await ci.job(await childOf('asked'), 'inner'))).toEqual(PROTECTED);
  });

  it('do not gain it by the first push of a user who may not run jobs on the branch that it protects', async () => {
    const group = await buildGroup(api);
    const developer = await createUser(api);
    await buildMember(api, `groups/${group.id}`, developer.id, Role.Developer);
    const secret = { key: 'DEPLOY_KEY', value: 'only-for-protected-refs', protected: true };
    await api.root.post(`/groups/${group.id}/variables`, secret);
    const own = await registerRunner(api, { group: group.id });
    const project = await buildProject(developer.client, { namespace_id: group.id });
    const commit = async (client: ApiClient, action: string, script: string): Promise<Seen> => {
      const content = `build: { script: ${script} }`;
      const made = await client.post(`/projects/${project.id}/repository/commits`, {
        branch: 'main',
        commit_message: script,
        actions: [{ action, file_path: '.gitlab-ci.yml', content }],
      });
      expect(made.status).toBe(201);
      const waits = (): Promise<object[]> =>
        api.sql('select 1 from ci_pending_jobs where project_id = $1', [project.id]);
      await until(async () => (await waits()).length > 0);
      return seenBy((await requestJob(api, own)).body, 'open');
    };
    expect(await commit(developer.client, 'create', 'first')).toEqual(OPEN);
    const branch = await developer.client.get(`/projects/${project.id}/repository/branches/main`);
    expect(branch.body).toMatchObject({ protected: true, can_push: false });
    expect(await commit(api.root, 'update', 'second')).toEqual({ ...PROTECTED, taken: 'open' });
  });

  it('do not gain it by a wildcard of branches once their merge request is removed', async () => {
    const { work, repositoryPath, id, developer } = ci.project;
    await work.git('checkout', '--quiet', '-b', 'proposed', 'main');
    await work.commit({ '.gitlab-ci.yml': 'build: { script: x, only: [merge_requests] }' }, 'Propose');
    await work.git('push', '--quiet', repositoryPath, 'proposed');
    await work.git('checkout', '--quiet', 'main');
    const values = { source_branch: 'proposed', target_branch: 'main', title: 'Propose' };
    const made = await developer.post<{ iid: number }>(`/projects/${id}/merge_requests`, values);
    await until(async () => (await ci.pipelines('merge_request_event')).length > 0);
    const [pipeline = 0] = await ci.pipelines('merge_request_event');
    await ci.end(pipeline, 'build', 'failed');
    const { status } = await api.root.delete(`/projects/${id}/merge_requests/${made.body.iid}`);
    expect(status).toBe(204);
    expect((await ci.project.maintainer.post(path(), { name: '*' })).status).toBe(201);
    expect(await handOut(await retry(pipeline))).toEqual(OPEN);
    await ci.project.maintainer.delete(`${path()}/${encodeURIComponent('*')}`);
  });

  it('wait for another runner if the protection is removed before one takes them', async () => {
    await protect();
    const pipeline = await ci.run('build: { script: x }');
    await unprotect();
    expect((await requestJob(api, guarded)).status).toBe(204);
    expect(await ci.state(pipeline)).toBe('pipeline:pending build:pending');
    expect(await handOut(await ci.job(pipeline, 'build'))).toEqual(OPEN);
  });
});
