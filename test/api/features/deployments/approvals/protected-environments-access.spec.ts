import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { TestApi } from '../../../../support/api.js';
import { buildDeployment } from '../../../../support/builders/deployment.js';
import { registerRunner, requestJob } from '../../../../support/builders/runner.js';
import { createUser } from '../../../../support/builders/user.js';
import type { Answer, ApiClient } from '../../../../support/client.js';
import { ProtectionDesk } from '../../../../support/protection-desk.js';
import { borrowApi } from '../../../../support/shared-api.js';

const codes = (answers: readonly Answer[]): number[] => answers.map(({ status }) => status);

describe('rights on protected environments', () => {
  let api: TestApi;
  let desk: ProtectionDesk;
  beforeAll(async () => {
    api = await borrowApi();
    desk = await ProtectionDesk.open(api);
  });
  afterAll(() => api.close());

  it('are for Maintainers, on the premium plan', async () => {
    const all = async (client: ApiClient): Promise<number[]> =>
      codes([
        await client.get(desk.own()),
        await client.get(desk.own('nothing')),
        await client.post(desk.own(), { name: 'x', deploy_access_levels: [] }),
        await client.put(desk.own('nothing'), {}),
        await client.delete(desk.own('nothing')),
      ]);
    expect(await all(desk.ci.project.developer)).toEqual([403, 403, 403, 403, 403]);
    expect(await all((await createUser(api)).client)).toEqual([404, 404, 404, 404, 404]);
    expect(await all(api.anonymous)).toEqual([401, 401, 401, 401, 401]);
    expect(await all(desk.maintainer)).toEqual([200, 404, 422, 404, 404]);
    await desk.protect({ name: 'licensed', deploy_access_levels: [{ access_level: 60 }] });
    const deploy = (): Promise<number> =>
      buildDeployment(desk.ci.project.developer, desk.ci.project.id, {
        environment: 'licensed',
        sha: desk.ci.project.commits[0],
      }).then(
        () => 201,
        () => 403,
      );
    expect(await deploy()).toBe(403);
    await api.sql(`update application_settings set license_plan = 'free', version = version + 1`);
    expect(await all(desk.maintainer)).toEqual([403, 403, 403, 403, 403]);
    expect(await deploy()).toBe(201);
    await api.sql(`update application_settings set license_plan = 'ultimate', version = version + 1`);
  });

  it('keep others from deployments and environments, including Maintainers', async () => {
    const [sha] = desk.ci.project.commits;
    const values = { environment: 'kept', sha, ref: 'main', tag: false, status: 'success' };
    const first = await desk.ci.project.developer.post<{ id: number; environment: { id: number } }>(
      desk.at('/deployments'),
      values,
    );
    const second = await desk.ci.project.developer.post<{ id: number }>(desk.at('/deployments'), {
      ...values,
      status: 'failed',
    });
    await desk.protect({ name: 'kept', deploy_access_levels: [{ user_id: desk.developer.id }] });
    const environment = desk.at(`/environments/${first.body.environment.id}`);
    const all = async (client: ApiClient): Promise<number[]> =>
      codes([
        await client.post(desk.at('/deployments'), { ...values, status: 'running' }),
        await client.put(desk.at(`/deployments/${second.body.id}`), { status: 'canceled' }),
        await client.put(environment, { tier: 'testing' }),
        await client.post(`${environment}/stop`),
      ]);
    expect(await all(desk.ci.project.developer)).toEqual([403, 403, 403, 403]);
    expect(await all(desk.maintainer)).toEqual([403, 403, 403, 403]);
    // The content of the repository is not revealed to users who may not deploy there.
    const absent = { ...values, sha: 'f'.repeat(40) };
    expect((await desk.ci.project.developer.post(desk.at('/deployments'), absent)).status).toBe(403);
    expect((await desk.developer.client.post(desk.at('/deployments'), absent)).status).toBe(400);
    const remove = `/deployments/${second.body.id}`;
    expect((await desk.maintainer.delete(desk.at(remove))).status).toBe(403);
    await api.sql(`update environments set updated_at = now() - interval '2 months'`);
    await api.sql(`update deployments set updated_at = now() - interval '2 months'`);
    const stale = new Date(Date.now() - 14 * 86_400_000).toISOString();
    await desk.maintainer.post(desk.at('/environments/stop_stale'), { before: stale });
    expect((await desk.ci.project.reporter.get(environment)).body['state']).toBe('available');
    expect(await all(desk.developer.client)).toEqual([201, 200, 200, 200]);
    expect((await desk.ci.project.developer.delete(environment)).status).toBe(403);
    expect((await api.root.delete(desk.at(remove))).status).toBe(200);
  });

  it('keep waiting jobs from runners if rights were removed meanwhile', async () => {
    const pipeline = await desk.ci.run('deploy: { script: x, environment: waiting }');
    expect(await desk.ci.state(pipeline)).toBe('pipeline:pending deploy:pending');
    await desk.protect({ name: 'waiting', deploy_access_levels: [{ user_id: desk.developer.id }] });
    const runner = await registerRunner(api, { project: desk.ci.project.id });
    expect((await requestJob(api, runner)).status).toBe(204);
    expect(await desk.ci.state(pipeline)).toBe('pipeline:failed deploy:failed');
    const { body } = await desk.ci.project.reporter.get(
      desk.at(`/jobs/${await desk.ci.job(pipeline, 'deploy')}`),
    );
    expect(body['failure_reason']).toBe('protected_environment_failure');
  });
});
