import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startApi, type TestApi } from '../support/api.js';
import { buildDeployment } from '../support/builders/deployment.js';
import { buildGroup } from '../support/builders/group.js';
import { buildMember } from '../support/builders/member.js';
import { registerRunner, requestJob } from '../support/builders/runner.js';
import { createUser, type CreatedUser } from '../support/builders/user.js';
import { CiEngine } from '../support/ci-engine.js';
import type { Answer } from '../support/client.js';

interface Entry {
  readonly id: number;
  readonly access_level: number | null;
  readonly user_id: number | null;
  readonly group_id: number | null;
}

interface Protection {
  readonly name: string;
  readonly deploy_access_levels: Entry[];
  readonly approval_rules: Entry[];
  readonly required_approval_count: number;
}

const MAINTAINERS = [{ access_level: 40 }];

describe('protected environments of projects', () => {
  let api: TestApi;
  let ci: CiEngine;
  let developer: CreatedUser;

  beforeAll(async () => {
    api = await startApi();
    ci = await CiEngine.start(api);
    developer = await createUser(api);
    await buildMember(api, `projects/${ci.project.id}`, developer.id, 30);
  });
  afterAll(() => api.close());

  const at = (suffix = ''): string => `/projects/${ci.project.id}${suffix}`;
  const own = (name = ''): string =>
    at(`/protected_environments${name === '' ? '' : `/${encodeURIComponent(name)}`}`);
  const protect = (values: object): Promise<Answer<Protection>> =>
    ci.project.maintainer.post<Protection>(own(), { deploy_access_levels: MAINTAINERS, ...values });
  const codes = (answers: readonly Answer[]): number[] => answers.map(({ status }) => status);

  it('are made, shown, listed, changed and removed', async () => {
    const made = await protect({
      name: 'review/one',
      required_approval_count: 3,
      approval_rules: [{ access_level: 30, required_approvals: 2, group_inheritance_type: 1 }],
    });
    expect([made.status, made.body]).toEqual([
      201,
      {
        name: 'review/one',
        deploy_access_levels: [
          {
            id: expect.any(Number) as unknown,
            access_level: 40,
            access_level_description: 'Maintainers',
            user_id: null,
            group_id: null,
            group_inheritance_type: 0,
          },
        ],
        required_approval_count: 3,
        approval_rules: [
          {
            id: expect.any(Number) as unknown,
            access_level: 30,
            access_level_description: 'Developers + Maintainers',
            user_id: null,
            group_id: null,
            group_inheritance_type: 1,
            required_approvals: 2,
          },
        ],
      },
    ]);
    await protect({ name: 'a first' });
    const list = await ci.project.maintainer.get<Protection[]>(own());
    expect(list.body.map(({ name }) => name)).toEqual(['a first', 'review/one']);
    expect(list.headers.get('x-total')).toBe('2');
    const [rule] = made.body.approval_rules;
    const changed = await ci.project.maintainer.put<Protection>(own('review/one'), {
      required_approval_count: 1,
      deploy_access_levels: [{ user_id: developer.id }],
      approval_rules: [{ id: rule?.id, required_approvals: 5 }, { access_level: 60 }],
    });
    expect(changed.status).toBe(200);
    expect(changed.body).toMatchObject({
      required_approval_count: 1,
      deploy_access_levels: [{ access_level: 40 }, { user_id: developer.id, access_level: null }],
      approval_rules: [
        { id: rule?.id, access_level: 30, required_approvals: 5 },
        { access_level: 60, required_approvals: 1 },
      ],
    });
    const levels = changed.body.deploy_access_levels;
    const swapped = await ci.project.maintainer.put<Protection>(own('review/one'), {
      deploy_access_levels: [
        { id: levels[0]?.id, _destroy: true },
        { id: levels[1]?.id, access_level: 30 },
      ],
      approval_rules: [{ id: rule?.id, _destroy: true }],
    });
    expect(swapped.body).toMatchObject({
      deploy_access_levels: [{ id: levels[1]?.id, access_level: 30, user_id: null }],
      approval_rules: [{ access_level: 60 }],
    });
    expect(await ci.project.maintainer.get(own('review/one'))).toMatchObject({ body: swapped.body });
    const stale = await ci.project.maintainer.delete(own('review/one'), {
      'If-Unmodified-Since': 'Mon, 01 Jan 2001 00:00:00 GMT',
    });
    expect(stale.status).toBe(412);
    expect((await ci.project.maintainer.delete(own('review/one'))).status).toBe(204);
    const gone = await ci.project.maintainer.get(own('review/one'));
    expect([gone.status, gone.body]).toEqual([404, { message: '404 Protected Environment Not Found' }]);
    const events = await api.sql<{ message: string }>(
      `select details ->> 'event_name' as message from audit_events where details ->> 'target_type' = 'ProtectedEnvironment'
         and details ->> 'target_details' = 'review/one' order by id`,
    );
    expect(events.map(({ message }) => message)).toEqual([
      'protected_environment_created',
      'protected_environment_updated',
      'protected_environment_updated',
      'protected_environment_removed',
    ]);
  });

  it('refuse what cannot be', async () => {
    const answer = async (values: object): Promise<unknown[]> => {
      const { status, body } = await ci.project.maintainer.post(own(), { name: 'wrong', ...values });
      return [status, body['message']];
    };
    expect(await answer({})).toEqual([400, '400 (Bad request) "deploy_access_levels" not given']);
    const tooShort = ['Deploy access levels is too short (minimum is 1 character)'];
    expect(await answer({ deploy_access_levels: [] })).toEqual([422, tooShort]);
    const stranger = await createUser(api);
    const strange = await buildGroup(api);
    expect(
      await answer({ deploy_access_levels: [{ user_id: stranger.id }, { group_id: strange.id }] }),
    ).toEqual([422, tooShort]);
    for (const wrong of [
      { access_level: null },
      { access_level: 50 },
      { access_level: 0 },
      { access_level: 40, user_id: developer.id },
    ])
      expect(await answer({ deploy_access_levels: [wrong] })).toEqual([
        422,
        [expect.stringMatching(/^Deploy access levels /)],
      ]);
    for (const wrong of [
      {},
      { access_level: 20 },
      { access_level: 40, required_approvals: 0 },
      { access_level: 40, required_approvals: 6 },
      { user_id: stranger.id },
    ])
      expect(await answer({ deploy_access_levels: MAINTAINERS, approval_rules: [wrong] })).toEqual([
        422,
        [expect.stringMatching(/^Approval rules /)],
      ]);
    for (const required_approval_count of [-1, 6])
      expect((await answer({ deploy_access_levels: MAINTAINERS, required_approval_count }))[0]).toBe(422);
    expect((await answer({ deploy_access_levels: ['x'] }))[0]).toBe(400);
    expect((await ci.project.maintainer.get(own('wrong'))).status).toBe(404);
    await protect({ name: 'twice' });
    expect(await protect({ name: 'twice' })).toMatchObject({
      status: 409,
      body: { message: `Protected environment 'twice' already exists` },
    });
    const { body } = await protect({ name: 'other' });
    const foreign = { id: body.deploy_access_levels[0]?.id, _destroy: true };
    const put = (values: object): Promise<Answer> => ci.project.maintainer.put(own('twice'), values);
    expect(await put({ deploy_access_levels: [foreign] })).toMatchObject({ status: 404 });
    const mine = (await ci.project.maintainer.get<Protection>(own('twice'))).body.deploy_access_levels[0];
    expect(await put({ deploy_access_levels: [{ id: mine?.id, _destroy: true }] })).toMatchObject({
      status: 422,
      body: { message: tooShort },
    });
    expect((await ci.project.maintainer.put(own('unknown'), {})).status).toBe(404);
  });

  it('are for Maintainers, on the premium plan', async () => {
    const all = async (client: typeof ci.project.guest): Promise<number[]> =>
      codes([
        await client.get(own()),
        await client.get(own('nothing')),
        await client.post(own(), { name: 'x', deploy_access_levels: [] }),
        await client.put(own('nothing'), {}),
        await client.delete(own('nothing')),
      ]);
    expect(await all(ci.project.developer)).toEqual([403, 403, 403, 403, 403]);
    expect(await all((await createUser(api)).client)).toEqual([404, 404, 404, 404, 404]);
    expect(await all(api.anonymous)).toEqual([401, 401, 401, 401, 401]);
    expect(await all(ci.project.maintainer)).toEqual([200, 404, 422, 404, 404]);
    await protect({ name: 'licensed', deploy_access_levels: [{ access_level: 60 }] });
    const deploy = (): Promise<number> =>
      buildDeployment(ci.project.developer, ci.project.id, {
        environment: 'licensed',
        sha: ci.project.commits[0],
      }).then(
        () => 201,
        () => 403,
      );
    expect(await deploy()).toBe(403);
    await api.sql(`update application_settings set license_plan = 'free', version = version + 1`);
    expect(await all(ci.project.maintainer)).toEqual([403, 403, 403, 403, 403]);
    expect(await deploy()).toBe(201);
    await api.sql(`update application_settings set license_plan = 'ultimate', version = version + 1`);
  });

  it('want as many approvals as before when somebody who was named is gone', async () => {
    const gone = await createUser(api);
    await buildMember(api, `projects/${ci.project.id}`, gone.id, 30);
    const made = await protect({
      name: 'orphaned',
      approval_rules: [{ user_id: gone.id, required_approvals: 1 }],
    });
    expect(made.body.approval_rules).toMatchObject([{ user_id: gone.id }]);
    await api.sql('delete from users where id = $1', [gone.id]);
    const left = await ci.project.maintainer.get<Protection>(own('orphaned'));
    expect(left.body.approval_rules).toMatchObject([{ user_id: null, access_level_description: 'Nobody' }]);
  });

  it('keep deployments and environments from others, Maintainers too', async () => {
    const [sha] = ci.project.commits;
    const values = { environment: 'kept', sha, ref: 'main', tag: false, status: 'success' };
    const first = await ci.project.developer.post<{ id: number; environment: { id: number } }>(
      at('/deployments'),
      values,
    );
    const second = await ci.project.developer.post<{ id: number }>(at('/deployments'), {
      ...values,
      status: 'failed',
    });
    await protect({ name: 'kept', deploy_access_levels: [{ user_id: developer.id }] });
    const environment = at(`/environments/${first.body.environment.id}`);
    const all = async (client: typeof ci.project.guest): Promise<number[]> =>
      codes([
        await client.post(at('/deployments'), { ...values, status: 'running' }),
        await client.put(at(`/deployments/${second.body.id}`), { status: 'canceled' }),
        await client.put(environment, { tier: 'testing' }),
        await client.post(`${environment}/stop`),
      ]);
    expect(await all(ci.project.developer)).toEqual([403, 403, 403, 403]);
    expect(await all(ci.project.maintainer)).toEqual([403, 403, 403, 403]);
    // What the repository holds is not told to whoever may not deploy there.
    const absent = { ...values, sha: 'f'.repeat(40) };
    expect((await ci.project.developer.post(at('/deployments'), absent)).status).toBe(403);
    expect((await developer.client.post(at('/deployments'), absent)).status).toBe(400);
    const remove = `/deployments/${second.body.id}`;
    expect((await ci.project.maintainer.delete(at(remove))).status).toBe(403);
    await api.sql(`update environments set updated_at = now() - interval '2 months'`);
    await api.sql(`update deployments set updated_at = now() - interval '2 months'`);
    const stale = new Date(Date.now() - 14 * 86_400_000).toISOString();
    await ci.project.maintainer.post(at('/environments/stop_stale'), { before: stale });
    expect((await ci.project.reporter.get(environment)).body['state']).toBe('available');
    expect(await all(developer.client)).toEqual([201, 200, 200, 200]);
    expect((await ci.project.developer.delete(environment)).status).toBe(403);
    expect((await api.root.delete(at(remove))).status).toBe(200);
  });

  it('keep jobs that have waited from runners when rights were taken away meanwhile', async () => {
    const pipeline = await ci.run('deploy: { script: x, environment: waiting }');
    expect(await ci.state(pipeline)).toBe('pipeline:pending deploy:pending');
    await protect({ name: 'waiting', deploy_access_levels: [{ user_id: developer.id }] });
    const runner = await registerRunner(api, { project: ci.project.id });
    expect((await requestJob(api, runner)).status).toBe(204);
    expect(await ci.state(pipeline)).toBe('pipeline:failed deploy:failed');
    const { body } = await ci.project.reporter.get(at(`/jobs/${await ci.job(pipeline, 'deploy')}`));
    expect(body['failure_reason']).toBe('protected_environment_failure');
  });
});
