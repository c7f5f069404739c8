import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { until } from '../support/until.js';
import { refusal, startClientWorld, type ClientUser, type ClientWorld } from '../support/gitbeaker.js';

const CONFIG = `
build:
  stage: build
  script: [make]
deploy:
  stage: deploy
  when: manual
  needs: []
  script: [make deploy]
`;

describe('pipelines, jobs and commit statuses through gitbeaker', () => {
  let world: ClientWorld;
  let jane: ClientUser;
  let project: { id: number };
  let sha: string;
  beforeAll(async () => {
    world = await startClientWorld();
    jane = await world.user('jane');
    project = await jane.api.Projects.create({ name: 'Code' });
    const made = await jane.api.Commits.create(project.id, 'main', 'CI [skip ci]', [
      { action: 'create', filePath: '.gitlab-ci.yml', content: CONFIG },
    ]);
    sha = made.id;
    // The pipeline of the push is created by a job: if it were late, it would be the latest one.
    await until(async () =>
      (await jane.api.Pipelines.all(project.id)).some(({ status }) => status === 'skipped'),
    );
  });
  afterAll(() => world.close());

  it('creates, lists, shows, cancels, retries and removes pipelines', async () => {
    const { Pipelines } = jane.api;
    const made = await Pipelines.create(project.id, 'main', {
      variables: [{ key: 'A', value: 'a', variable_type: 'env_var' }],
    });
    expect(made).toMatchObject({
      ref: 'main',
      sha,
      source: 'api',
      status: 'pending',
      user: { username: 'jane' },
    });
    const listed = await Pipelines.all(project.id, {
      ref: 'main',
      source: 'api',
      orderBy: 'id',
      sort: 'asc',
    });
    expect(listed.map(({ id }) => id)).toEqual([made.id]);
    expect(await Pipelines.show(project.id, made.id)).toMatchObject({ id: made.id, tag: false });
    expect(await Pipelines.allVariables(project.id, made.id)).toMatchObject([{ key: 'A', value: 'a' }]);
    expect(await Pipelines.cancel(project.id, made.id)).toMatchObject({ status: 'canceled' });
    expect(await Pipelines.retry(project.id, made.id)).toMatchObject({ status: 'pending' });
    expect(await Pipelines.showLatest(project.id, { ref: 'main' })).toMatchObject({ id: made.id });
    await Pipelines.remove(project.id, made.id);
    expect(await refusal(Pipelines.show(project.id, made.id))).toEqual([404, '404 Pipeline Not Found']);
    expect(await refusal(Pipelines.create(project.id, 'none'))).toEqual([
      400,
      expect.stringContaining('Reference not found'),
    ]);
  });

  it('lists, shows, cancels, retries and plays jobs', async () => {
    const { Jobs, Pipelines } = jane.api;
    const { id: pipelineId } = await Pipelines.create(project.id, 'main');
    const jobs = await Jobs.all(project.id, { pipelineId });
    expect(jobs.map(({ name, status }) => [name, status])).toEqual([
      ['deploy', 'manual'],
      ['build', 'pending'],
    ]);
    const [deploy, build] = jobs;
    if (!deploy || !build) throw new Error('The pipeline lacks jobs');
    expect(await Jobs.all(project.id, { scope: 'pending' })).toMatchObject([{ id: build.id }]);
    const walked = await Jobs.all(project.id, {
      pagination: 'keyset',
      orderBy: 'id',
      sort: 'asc',
      perPage: 1,
    });
    expect(walked.map(({ id }) => id)).toEqual([build.id, deploy.id]);
    expect(await Jobs.show(project.id, build.id)).toMatchObject({
      commit: { id: sha },
      pipeline: { id: pipelineId },
      user: { username: 'jane', bio: '' },
    });
    expect(await Jobs.showLog(project.id, build.id)).toBe('');
    expect(await Jobs.allPipelineBridges(project.id, pipelineId)).toEqual([]);
    expect(await Jobs.cancel(project.id, build.id)).toMatchObject({ id: build.id, status: 'canceled' });
    const again = await Jobs.retry(project.id, build.id);
    expect(again).toMatchObject({ name: 'build', status: 'pending' });
    expect(again.id).not.toBe(build.id);
    expect(await refusal(Jobs.retry(project.id, build.id))).toEqual([
      403,
      '403 Forbidden - Job is not retryable',
    ]);
    const played = await Jobs.play(project.id, deploy.id, {
      jobVariablesAttributes: [{ key: 'A', value: 'a' }],
    });
    expect(played).toMatchObject({ id: deploy.id, status: 'pending' });
    expect(await refusal(Jobs.erase(project.id, build.id))).toEqual([
      403,
      '403 Forbidden - Job is not erasable!',
    ]);
  });

  it('sets and lists statuses of commits', async () => {
    const { Commits } = jane.api;
    const set = await Commits.editStatus(project.id, sha, 'running', {
      ref: 'main',
      name: 'ci/external',
      targetUrl: 'https://ci.example.com/1',
      description: 'test',
    });
    expect(set).toMatchObject({ sha, ref: 'main', status: 'running', author: { username: 'jane' } });
    expect(await Commits.editStatus(project.id, sha, 'success', { name: 'ci/external' })).toMatchObject({
      id: set.id,
      status: 'success',
    });
    const statuses = await Commits.allStatuses(project.id, sha, { name: 'ci/external' });
    expect(statuses).toMatchObject([{ id: set.id, target_url: 'https://ci.example.com/1' }]);
    expect(await Commits.show(project.id, sha)).toMatchObject({ last_pipeline: { sha, ref: 'main' } });
  });
});
