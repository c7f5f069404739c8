import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { TestApi } from '../../../support/api.js';
import { buildGroup } from '../../../support/builders/group.js';
import { buildMember } from '../../../support/builders/member.js';
import { createUser, type CreatedUser } from '../../../support/builders/user.js';
import { CiEngine } from '../../../support/ci-engine.js';
import type { ApiClient } from '../../../support/client.js';
import { borrowApi } from '../../../support/shared-api.js';
import { handmadeTarget, importRecords } from '../../../support/transfer-target.js';

interface Shown {
  readonly id: number;
  readonly tier: string;
}

/**
 * A group protects `production`, and `staging` with an approval, for its own Maintainers: the Maintainers of the project may deploy to neither.
 */
describe('tiers of environments', () => {
  let api: TestApi;
  let ci: CiEngine;
  let group: { id: number };
  let owner: CreatedUser;
  let deployer: CreatedUser;

  beforeAll(async () => {
    api = await borrowApi();
    group = await buildGroup(api);
    ci = await CiEngine.start(api, { namespace_id: group.id });
    owner = await createUser(api);
    await buildMember(api, `groups/${group.id}`, owner.id, 50);
    deployer = await createUser(api);
    await buildMember(api, `groups/${group.id}`, deployer.id, 40);
    for (const name of ['production', 'staging'])
      await owner.client.post(`/groups/${group.id}/protected_environments`, {
        name,
        deploy_access_levels: [{ access_level: 40 }],
        required_approval_count: name === 'staging' ? 1 : 0,
      });
  });
  afterAll(() => api.close());

  const at = (suffix = ''): string => `/projects/${ci.project.id}${suffix}`;
  const make = async (client: ApiClient, name: string, tier?: string): Promise<number> =>
    (await client.post(at('/environments'), { name, ...(tier === undefined ? {} : { tier }) })).status;
  const find = async (name: string): Promise<Shown> => {
    const path = at(`/environments?name=${encodeURIComponent(name)}`);
    return (await ci.project.reporter.get<Shown[]>(path)).body[0] ?? { id: 0, tier: 'none' };
  };
  const tierOf = async (name: string): Promise<string> => (await find(name)).tier;
  const move = async (client: ApiClient, name: string, tier: string): Promise<number> =>
    (await client.put(at(`/environments/${(await find(name)).id}`), { tier })).status;
  const deploy = async (client: ApiClient, environment: string): Promise<number> => {
    const [sha] = ci.project.commits;
    const values = { environment, sha, ref: 'main', tag: false, status: 'success' };
    return (await client.post(at('/deployments'), values)).status;
  };
  const requireApprovals = (count: number): Promise<unknown> =>
    owner.client.put(`/groups/${group.id}/protected_environments/staging`, {
      required_approval_count: count,
    });
  const job = (name: string, tier: string): string =>
    `deploy: { script: x, environment: { name: ${name}, deployment_tier: ${tier} } }`;
  const runAs = async (client: ApiClient, yaml: string): Promise<number> => {
    await ci.configure(yaml);
    return (await client.post<{ id: number }>(at('/pipeline'), { ref: 'main' })).body.id;
  };

  it('are chosen for a new environment only by users who may deploy to the suggested and the chosen tier', async () => {
    for (const client of [ci.project.developer, ci.project.maintainer]) {
      expect(await make(client, 'production', 'development')).toBe(403);
      expect(await make(client, 'prod', 'other')).toBe(403);
      expect(await make(client, 'site', 'production')).toBe(403);
    }
    expect(await tierOf('prod')).toBe('none');
    // A tier counts as chosen only if the name does not suggest it.
    expect(await make(ci.project.developer, 'prod', 'production')).toBe(201);
    expect(await make(ci.project.developer, 'live')).toBe(201);
    expect(await make(ci.project.developer, 'site', 'testing')).toBe(201);
    expect(await make(deployer.client, 'product-docs', 'other')).toBe(201);
    expect(await make(api.root, 'production-copy', 'development')).toBe(201);
    expect(await Promise.all(['prod', 'live', 'site', 'product-docs'].map(tierOf))).toEqual([
      'production',
      'production',
      'testing',
      'other',
    ]);
  });

  it('do not exempt an environment with a protected name', async () => {
    await ci.project.maintainer.post(at('/protected_environments'), {
      name: 'kept',
      deploy_access_levels: [{ user_id: deployer.id }],
    });
    expect(await make(ci.project.maintainer, 'kept', 'testing')).toBe(403);
    expect(await make(deployer.client, 'kept', 'testing')).toBe(201);
    expect(await deploy(ci.project.maintainer, 'kept')).toBe(403);
    expect(await make(owner.client, 'production', 'development')).toBe(201);
    expect(await deploy(ci.project.maintainer, 'production')).toBe(403);
    expect(await deploy(deployer.client, 'production')).toBe(201);
    const pipeline = await ci.run('deploy: { script: x, environment: production }');
    expect(await ci.state(pipeline)).toBe('pipeline:failed deploy:failed');
  });

  it('are ignored for jobs of users who may not choose them, and the deployments of such jobs fail', async () => {
    const failure = async (yaml: string): Promise<unknown> => {
      const pipeline = await ci.run(yaml);
      expect(await ci.state(pipeline)).toBe('pipeline:failed deploy:failed');
      const path = at(`/jobs/${await ci.job(pipeline, 'deploy')}`);
      return (await ci.project.reporter.get(path)).body['failure_reason'];
    };
    expect(await failure(job('prod/by-job', 'development'))).toBe('protected_environment_failure');
    expect(await tierOf('prod/by-job')).toBe('production');
    expect(await failure(job('entered', 'production'))).toBe('protected_environment_failure');
    expect(await tierOf('entered')).toBe('other');
    expect(await failure(job('entered', 'production'))).toBe('protected_environment_failure');
    // A job that does not deploy cannot set the tier: the environment gets the tier that its name suggests.
    await ci.run(
      'look: { script: x, environment: { name: prod/seen, action: access, deployment_tier: other } }',
    );
    expect(await tierOf('prod/seen')).toBe('production');
    expect(await ci.state(await ci.run(job('entered', 'testing')))).toContain('deploy:pending');
  });

  it('are set by jobs of users who may, for new environments and on each success', async () => {
    const first = await runAs(deployer.client, job('prod/free', 'development'));
    expect(await tierOf('prod/free')).toBe('development');
    expect(await ci.state(first)).toContain('deploy:pending');
    const second = await runAs(deployer.client, job('prod/free', 'production'));
    await ci.end(second, 'deploy', 'success');
    expect(await tierOf('prod/free')).toBe('production');
  });

  it('are checked again when a job succeeds', async () => {
    await owner.client.delete(`/groups/${group.id}/protected_environments/production`);
    await make(ci.project.developer, 'late');
    const pipeline = await ci.run(job('late', 'production'));
    await ci.end(pipeline, 'deploy', 'running');
    await owner.client.post(`/groups/${group.id}/protected_environments`, {
      name: 'production',
      deploy_access_levels: [{ access_level: 40 }],
    });
    expect(await ci.end(pipeline, 'deploy', 'success')).toBe('pipeline:success deploy:success');
    expect(await tierOf('late')).toBe('other');
  });

  it('are imported if the user may choose them; environments with protected names stay protected', async () => {
    const bring = async (importerId: number, names: readonly string[]): Promise<readonly string[]> => {
      const target = handmadeTarget({ of: 'project', ownerId: ci.project.id, importerId });
      const records = names.map((name, id) => ({ id, name, tier: 'development' }));
      const ids = await importRecords(api, target, 'environments', records);
      expect(ids).toEqual(names.map(() => expect.any(Number) as unknown));
      return target.problems.map(({ title, message }) => `${String(title)}: ${message}`);
    };
    const kept = 'is of the tier production here: the importing user may not choose development';
    expect(await bring(ci.project.developerId, ['prod/brought', 'tests'])).toEqual([`prod/brought: ${kept}`]);
    expect(await bring(deployer.id, ['prod/taken'])).toEqual([]);
    expect(await Promise.all(['prod/brought', 'tests', 'prod/taken'].map(tierOf))).toEqual([
      'production',
      'development',
      'development',
    ]);
  });

  describe('that require approvals', () => {
    it('can be changed only by users who may change the protection', async () => {
      expect(await make(deployer.client, 'stage', 'other')).toBe(403);
      expect(await make(deployer.client, 'stage')).toBe(201);
      expect(await move(deployer.client, 'stage', 'production')).toBe(403);
      expect(await move(deployer.client, 'stage', 'staging')).toBe(200);
      expect(await move(owner.client, 'stage', 'testing')).toBe(200);
      // A user who may deploy there may move the environment into the tier, and is then bound by it.
      expect(await move(deployer.client, 'stage', 'staging')).toBe(200);
      expect(await move(deployer.client, 'stage', 'testing')).toBe(403);
    });

    it('include those with approval rules', async () => {
      await requireApprovals(0);
      expect(await move(deployer.client, 'stage', 'testing')).toBe(200);
      expect(await move(deployer.client, 'stage', 'staging')).toBe(200);
      const path = `/groups/${group.id}/protected_environments/staging`;
      const ruled = await owner.client.put<{ approval_rules: { id: number }[] }>(path, {
        approval_rules: [{ access_level: 40 }],
      });
      expect(await move(deployer.client, 'stage', 'testing')).toBe(403);
      await owner.client.put(path, {
        approval_rules: [{ id: ruled.body.approval_rules[0]?.id, _destroy: true }],
        required_approval_count: 1,
      });
    });

    it('cannot be changed by jobs either', async () => {
      await requireApprovals(0);
      const pipeline = await runAs(deployer.client, job('stage', 'testing'));
      await ci.end(pipeline, 'deploy', 'running');
      await requireApprovals(1);
      await ci.end(pipeline, 'deploy', 'success');
      expect(await tierOf('stage')).toBe('staging');
      const next = await runAs(deployer.client, job('stage', 'testing'));
      expect(await ci.state(next)).toBe('pipeline:manual deploy:manual');
    });

    it('cannot be changed by removing the environment and creating it again', async () => {
      for (const name of ['chosen', 'review/chosen']) {
        await make(deployer.client, name);
        expect(await move(owner.client, name, 'staging')).toBe(200);
        expect((await deployer.client.post(at(`/environments/${(await find(name)).id}/stop`))).status).toBe(
          200,
        );
      }
      const { id } = await find('chosen');
      expect((await deployer.client.delete(at(`/environments/${id}`))).status).toBe(403);
      const due = async (client: ApiClient): Promise<string[]> => {
        const before = new Date(Date.now() + 60_000).toISOString();
        const path = at(`/environments/review_apps?before=${before}&dry_run=true`);
        const { body } = await client.delete<{ scheduled_entries: { name: string }[] }>(path);
        return body.scheduled_entries.map(({ name }) => name);
      };
      expect(await due(deployer.client)).toEqual([]);
      expect(await due(owner.client)).toEqual(['review/chosen']);
      expect((await owner.client.delete(at(`/environments/${id}`))).status).toBe(204);
      // An environment that is created again in the same tier may be removed.
      const stage = at(`/environments/${(await find('stage')).id}`);
      await deployer.client.post(`${stage}/stop`, { force: true });
      expect((await deployer.client.delete(stage)).status).toBe(204);
    });
  });
});
