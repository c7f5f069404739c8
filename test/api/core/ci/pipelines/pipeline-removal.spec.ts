import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { TestApi } from '../../../../support/api.js';
import { CiEngine } from '../../../../support/ci-engine.js';
import { borrowApi } from '../../../../support/shared-api.js';
import { until } from '../../../../support/until.js';

const STAGES = `
stages: [first, second]
deploy:
  stage: first
  script: x
  environment: { name: review/NAME, on_stop: stop }
later:
  stage: second
  script: x
  environment: later/NAME
by-hand:
  stage: second
  script: x
  when: manual
  environment: hand/NAME
stop:
  stage: first
  script: x
  when: manual
  environment: { name: review/NAME, action: stop }
`;

describe('removing a pipeline', () => {
  let api: TestApi;
  let ci: CiEngine;

  beforeAll(async () => {
    api = await borrowApi();
    ci = await CiEngine.start(api, { auto_cancel_pending_pipelines: 'disabled' });
  });
  afterAll(() => api.close());

  const at = (suffix = ''): string => `/projects/${ci.project.id}${suffix}`;
  const run = (name: string): Promise<number> => ci.run(STAGES.replaceAll('NAME', name));
  const remove = async (pipeline: number): Promise<void> =>
    expect((await api.root.delete(at(`/pipelines/${pipeline}`))).status).toBe(204);
  const environment = async (name: string): Promise<{ id: number; state: string }> => {
    const path = at(`/environments?name=${encodeURIComponent(name)}`);
    const [one] = (await ci.project.maintainer.get<{ id: number; state: string }[]>(path)).body;
    if (!one) throw new Error(`No environment ${name}`);
    return one;
  };
  const deployments = async (name: string): Promise<string> => {
    const path = at(`/deployments?environment=${encodeURIComponent(name)}`);
    const { body } = await ci.project.maintainer.get<{ status: string }[]>(path);
    return body.map(({ status }) => status).join(' ');
  };
  const stop = async (id: number): Promise<string> =>
    (await ci.project.maintainer.post<{ state: string }>(at(`/environments/${id}/stop`))).body.state;

  it('ends the deployments of its jobs, so that they and their environments can be removed', async () => {
    const pipeline = await run('ended');
    await ci.end(pipeline, 'deploy', 'running');
    expect(await deployments('review/ended')).toBe('running');
    await remove(pipeline);
    for (const name of ['review/ended', 'later/ended', 'hand/ended']) {
      expect([name, await deployments(name)]).toEqual([name, 'canceled']);
      const { id } = await environment(name);
      expect(await stop(id)).toBe('stopped');
      expect((await ci.project.maintainer.delete(at(`/environments/${id}`))).status).toBe(204);
    }
  });

  it('keeps an environment available that its job was about to stop', async () => {
    const pipeline = await run('stopping');
    await ci.end(pipeline, 'deploy', 'success');
    const { id } = await environment('review/stopping');
    expect(await stop(id)).toBe('stopping');
    await remove(pipeline);
    expect(await environment('review/stopping')).toMatchObject({ state: 'available' });
    expect(await stop(id)).toBe('stopped');
  });

  it('releases the resource that its job held', async () => {
    const config = 'job: { script: x, resource_group: phone }';
    const [first, second] = [await ci.run(config), await ci.create()];
    expect(await ci.state(second)).toContain('job:waiting_for_resource');
    await remove(first);
    await ci.reaches(second, 'pipeline:pending job:pending');
  });

  it('ends the jobs of child pipelines, and their deployments', async () => {
    const child = 'work: { script: x, environment: child/one }';
    const pipeline = await ci.run('bridge: { trigger: { include: child.yml, strategy: depend } }', {
      'child.yml': child,
    });
    await until(async () => (await ci.pipelines('parent_pipeline')).length === 1);
    const [childId] = await ci.pipelines('parent_pipeline');
    await ci.end(childId ?? 0, 'work', 'running');
    await remove(pipeline);
    expect(await deployments('child/one')).toBe('canceled');
    expect(await ci.pipelines('parent_pipeline')).toEqual([]);
  });

  it('makes the previous pipeline the head pipeline of a merge request again', async () => {
    const { work, repositoryPath, maintainer } = ci.project;
    await work.git('checkout', '--quiet', '-b', 'topic');
    await work.commit({ '.gitlab-ci.yml': 'job: { script: x }' }, 'Topic');
    await work.git('push', '--quiet', repositoryPath, 'topic');
    await work.git('checkout', '--quiet', 'main');
    const [first, second] = [await ci.create({ ref: 'topic' }), await ci.create({ ref: 'topic' })];
    const made = await maintainer.post<{ iid: number }>(at('/merge_requests'), {
      source_branch: 'topic',
      target_branch: 'main',
      title: 'Topic',
    });
    const head = async (): Promise<number | undefined> =>
      (await maintainer.get<{ head_pipeline: { id: number } | null }>(at(`/merge_requests/${made.body.iid}`)))
        .body.head_pipeline?.id;
    await until(async () => (await head()) === second);
    await remove(second);
    await until(async () => (await head()) === first);
    await remove(first);
    expect(await head()).toBeUndefined();
  });
});
