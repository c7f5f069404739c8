import { AccessLevel } from '@gitbeaker/rest';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { shaOf } from '../support/builders/deployment.js';
import { until } from '../support/until.js';
import { refusal, startClientWorld, type ClientUser, type ClientWorld } from '../support/gitbeaker.js';

describe('environments and deployments through gitbeaker', () => {
  let world: ClientWorld;
  let jane: ClientUser;
  let project: { id: number; path_with_namespace: string };
  beforeAll(async () => {
    world = await startClientWorld();
    jane = await world.user('jane');
    project = await world.root.Projects.create({ name: 'Web' });
    await world.root.ProjectMembers.add(project.id, AccessLevel.DEVELOPER, { userId: jane.id });
  });
  afterAll(() => world.close());

  it('creates, lists, shows, edits, stops and removes environments', async () => {
    const { Environments } = jane.api;
    const created = await Environments.create(project.path_with_namespace, 'review/feature-1', {
      externalUrl: 'https://review.example.com',
      tier: 'development',
    });
    expect(created).toMatchObject({
      name: 'review/feature-1',
      state: 'available',
      tier: 'development',
      external_url: 'https://review.example.com',
    });
    expect(await Environments.all(project.id, { name: 'review/feature-1' })).toMatchObject([
      { id: created.id },
    ]);
    expect(await Environments.all(project.id, { search: 'review/fea' })).toMatchObject([{ id: created.id }]);
    expect(await Environments.show(project.id, created.id)).toMatchObject({ last_deployment: null });
    expect(await Environments.edit(project.id, created.id, { tier: 'testing' })).toMatchObject({
      tier: 'testing',
    });
    const [status, text] = await refusal(Environments.remove(project.id, created.id));
    expect([status, text]).toEqual([403, expect.any(String)]);
    expect(await Environments.stop(project.id, created.id)).toMatchObject({ state: 'stopped' });
    expect(await Environments.all(project.id, { states: 'stopped' })).toMatchObject([{ id: created.id }]);
    await Environments.remove(project.id, created.id);
    expect(await refusal(Environments.show(project.id, created.id))).toEqual([
      404,
      '404 Environment Not Found',
    ]);
  });

  it('cleans environments up in bulk', async () => {
    const { Environments } = world.root;
    await Environments.create(project.id, 'review/old');
    const stale = await Environments.stopStale(
      project.id,
      new Date(Date.now() - 8 * 86_400_000).toISOString(),
    );
    expect(stale.message).toMatch(/stop/);
    const apps = await Environments.removeReviewApps(project.id, { dryRun: true, limit: 10 });
    expect(apps).toMatchObject({ unprocessable_entries: [] });
  });

  it('creates, shows, edits, lists and removes deployments', async () => {
    const { Deployments } = jane.api;
    const first = await Deployments.create(project.id, 'production', shaOf(1), 'main', false, {
      status: 'running',
    });
    expect(first).toMatchObject({
      iid: 1,
      status: 'running',
      ref: 'main',
      environment: { name: 'production' },
    });
    expect(await Deployments.edit(project.id, first.id, 'success')).toMatchObject({ status: 'success' });
    const second = await Deployments.create(project.id, 'staging', shaOf(2), 'v1', true, {
      status: 'failed',
    });
    expect(await Deployments.show(project.id, second.id)).toMatchObject({
      iid: 2,
      user: { username: 'jane' },
    });
    const ids = async (options: object): Promise<number[]> =>
      (await Deployments.all(project.id, options)).map(({ id }) => id);
    expect(await ids({})).toEqual([first.id, second.id]);
    expect(await ids({ orderBy: 'iid', sort: 'desc' })).toEqual([second.id, first.id]);
    expect(await ids({ status: 'failed' })).toEqual([second.id]);
    expect(await ids({ environment: 'production' })).toEqual([first.id]);
    expect(await ids({ updatedAfter: '2001-01-01T00:00:00+02:00', orderBy: 'updated_at' })).toHaveLength(2);
    expect(await ids({ updatedBefore: '2001-01-01T00:00:00Z', orderBy: 'updated_at' })).toEqual([]);
    const finished = { finishedAfter: '2001-01-01T00:00:00Z', orderBy: 'finished_at', status: 'success' };
    expect(await ids(finished)).toEqual([first.id]);
    expect((await refusal(ids({ finishedAfter: '2001-01-01T00:00:00Z' })))[0]).toBe(400);
    expect(await Deployments.allMergeRequests(project.id, first.id, { state: 'merged' })).toEqual([]);
    expect((await refusal(Deployments.remove(project.id, second.id)))[0]).toBe(403);
    expect(await world.root.Deployments.remove(project.id, second.id)).toEqual({
      message: '204 Deployment destroyed',
    });
    expect(await refusal(Deployments.show(project.id, second.id))).toEqual([404, '404 Deployment Not Found']);
    expect((await world.root.Environments.all(project.id, { name: 'production' }))[0]).toMatchObject({
      slug: expect.stringMatching(/^production/),
    });
  });

  it('reports the errors of a deployment', async () => {
    const { Deployments } = jane.api;
    const status = 'success' as const;
    const create = (environment: string, sha: string, ref: string, more: object): Promise<unknown> =>
      Deployments.create(project.id, environment, sha, ref, false, more);
    expect(await refusal(create('production', shaOf(3), 'main', {}))).toEqual([
      400,
      '400 (Bad request) "status" not given',
    ]);
    expect((await refusal(create('production', 'no-sha', 'main', { status })))[0]).toBe(400);
    const [code, text] = await refusal(create('production', shaOf(3), 'main', { status: 'blocked' }));
    expect([code, JSON.parse(text)]).toEqual([400, { status: ['does not have a valid value'] }]);
  });

  it('gets the pipelines of a merge request, and the deployment that shipped it', async () => {
    const { Commits, Deployments, MergeRequests } = world.root;
    const { id } = await world.root.Projects.create({ name: 'Shipped' });
    const config = 'mine: { script: x, only: [merge_requests] }\nall: { script: x, only: [web] }';
    const actions = [{ action: 'create' as const, filePath: '.gitlab-ci.yml', content: config }];
    const first = await Commits.create(id, 'main', 'First', actions);
    await Deployments.create(id, 'production', first.id, 'main', false, { status: 'success' });
    const more = [{ action: 'create' as const, filePath: 'a.txt', content: 'a' }];
    await Commits.create(id, 'feature', 'Feature', more, { startBranch: 'main' });
    const { iid } = await MergeRequests.create(id, 'feature', 'main', 'Ship it');
    await until(async () => (await MergeRequests.allPipelines(id, iid)).length === 1);
    const [pipeline] = await MergeRequests.allPipelines(id, iid);
    expect(pipeline).toMatchObject({
      source: 'merge_request_event',
      ref: `refs/merge-requests/${String(iid)}/head`,
    });
    expect(await MergeRequests.createPipeline(id, iid)).toMatchObject({ ref: pipeline?.ref });
    await until(async () => (await MergeRequests.show(id, iid)).merge_status === 'can_be_merged');
    const merged = await MergeRequests.merge(id, iid);
    const sha = String(merged.merge_commit_sha);
    const shipped = await Deployments.create(id, 'production', sha, 'main', false, { status: 'success' });
    await until(async () => (await Deployments.allMergeRequests(id, shipped.id)).length === 1);
    expect(await Deployments.allMergeRequests(id, shipped.id, { environment: 'production' })).toMatchObject([
      { iid, state: 'merged', title: 'Ship it' },
    ]);
    expect((await MergeRequests.show(id, iid)).first_deployed_to_production_at).toEqual(expect.any(String));
  });
});
