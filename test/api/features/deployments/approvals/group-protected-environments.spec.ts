import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { TestApi } from '../../../../support/api.js';
import { buildGroup } from '../../../../support/builders/group.js';
import { buildMember } from '../../../../support/builders/member.js';
import { createUser, type CreatedUser } from '../../../../support/builders/user.js';
import { CiEngine } from '../../../../support/ci-engine.js';
import type { Answer } from '../../../../support/client.js';
import { borrowApi } from '../../../../support/shared-api.js';

interface Protection {
  readonly deploy_access_levels: { readonly user_id: number | null; readonly group_id: number | null }[];
}

const MAINTAINERS = [{ access_level: 40 }];

describe('protected environments of groups', () => {
  let api: TestApi;
  let ci: CiEngine;
  let group: { id: number };
  let owner: CreatedUser;
  let developer: CreatedUser;

  beforeAll(async () => {
    api = await borrowApi();
    const root = await buildGroup(api);
    group = await buildGroup(api, { parent_id: root.id });
    ci = await CiEngine.start(api, { namespace_id: group.id });
    owner = await createUser(api);
    await buildMember(api, `groups/${root.id}`, owner.id, 50);
    developer = await createUser(api);
    await buildMember(api, `projects/${ci.project.id}`, developer.id, 30);
  });
  afterAll(() => api.close());

  const at = (suffix = ''): string => `/projects/${ci.project.id}${suffix}`;
  const own = (name = ''): string =>
    at(`/protected_environments${name === '' ? '' : `/${encodeURIComponent(name)}`}`);
  const protect = (values: object): Promise<Answer<Protection>> =>
    ci.project.maintainer.post<Protection>(own(), { deploy_access_levels: MAINTAINERS, ...values });

  const ofGroup = (name = ''): string =>
    `/groups/${group.id}/protected_environments${name === '' ? '' : `/${name}`}`;

  it('are for Owners, and are named by a tier', async () => {
    const maintainer = await createUser(api);
    await buildMember(api, `groups/${group.id}`, maintainer.id, 40);
    const values = { name: 'staging', deploy_access_levels: [{ user_id: maintainer.id }] };
    expect((await maintainer.client.post(ofGroup(), values)).status).toBe(403);
    expect((await maintainer.client.get(ofGroup())).status).toBe(403);
    expect((await owner.client.post(ofGroup(), { ...values, name: 'kept' })).body).toEqual({
      message: { name: ['does not have a valid value'] },
    });
    // Developers of a group cannot be named one by one.
    const low = { ...values, deploy_access_levels: [{ user_id: developer.id }] };
    expect((await owner.client.post(ofGroup(), low)).status).toBe(422);
    const made = await owner.client.post<Protection>(ofGroup(), values);
    expect([made.status, made.body.deploy_access_levels[0]?.user_id]).toEqual([201, maintainer.id]);
    const below = await buildGroup(api, { parent_id: group.id });
    const shared = await buildGroup(api);
    await api.root.post(`/groups/${group.id}/share`, { group_id: shared.id, group_access: 30 });
    const changed = await owner.client.put<Protection>(ofGroup('staging'), {
      deploy_access_levels: [{ group_id: below.id, group_inheritance_type: 1 }, { group_id: shared.id }],
    });
    expect(changed.body.deploy_access_levels.map(({ group_id: id }) => id)).toEqual([
      null,
      below.id,
      shared.id,
    ]);
    expect((await owner.client.get<Protection[]>(ofGroup())).body).toEqual([changed.body]);
    expect((await owner.client.delete(ofGroup('staging'))).status).toBe(204);
    expect((await owner.client.get(ofGroup('staging'))).status).toBe(404);
  });

  it('apply to the tier in all projects below, together with those of the project', async () => {
    const [sha] = ci.project.commits;
    const deploy = async (client: typeof ci.project.guest, environment: string): Promise<number> =>
      (
        await client.post(at('/deployments'), {
          environment,
          sha,
          ref: 'main',
          tag: false,
          status: 'success',
        })
      ).status;
    await owner.client.post(ofGroup(), { name: 'production', deploy_access_levels: MAINTAINERS });
    expect(await deploy(ci.project.maintainer, 'prod')).toBe(403);
    expect(await deploy(owner.client, 'prod')).toBe(201);
    expect(await deploy(ci.project.developer, 'dev')).toBe(201);
    await protect({ name: 'live', deploy_access_levels: [{ user_id: developer.id }] });
    expect(await deploy(owner.client, 'live')).toBe(403);
    expect(await deploy(developer.client, 'live')).toBe(403);
    expect(await deploy(api.root, 'live')).toBe(201);
    // A user who may not deploy there cannot move an environment into the tier or out of it.
    const { body } = await ci.project.reporter.get<{ id: number; name: string }[]>(at('/environments'));
    const id = (name: string): number => body.find((one) => one.name === name)?.id ?? 0;
    const move = async (name: string, tier: string): Promise<number> =>
      (await ci.project.maintainer.put(at(`/environments/${id(name)}`), { tier })).status;
    expect([await move('prod', 'other'), await move('dev', 'production')]).toEqual([403, 403]);
    expect(await move('dev', 'testing')).toBe(200);
  });

  it('fail the jobs of users who may not deploy', async () => {
    const pipeline = await ci.run('deploy: { script: x, environment: production }');
    expect(await ci.state(pipeline)).toBe('pipeline:failed deploy:failed');
    const { body } = await ci.project.reporter.get(at(`/jobs/${await ci.job(pipeline, 'deploy')}`));
    expect(body['failure_reason']).toBe('protected_environment_failure');
    const again = await ci.project.developer.post(at(`/jobs/${await ci.job(pipeline, 'deploy')}/retry`));
    expect(again.status).toBe(403);
    expect((await owner.client.post(at(`/jobs/${await ci.job(pipeline, 'deploy')}/retry`))).status).toBe(201);
    expect(await ci.state(pipeline)).toContain('deploy:pending');
  });
});
