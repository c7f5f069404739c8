import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { TestApi } from '../../../support/api.js';
import { buildGroup } from '../../../support/builders/group.js';
import { buildProject } from '../../../support/builders/project.js';
import { registerRunner, registrationToken, requestJob } from '../../../support/builders/runner.js';
import { borrowApi } from '../../../support/shared-api.js';

describe('runners that register', () => {
  let api: TestApi;
  let project: number;
  let group: number;

  beforeAll(async () => {
    api = await borrowApi();
    group = (await buildGroup(api)).id;
    project = (await buildProject(api.root, { namespace_id: group })).id;
  });
  afterAll(() => api.close());

  const row = async (id: number): Promise<Record<string, unknown>> =>
    (await api.sql<Record<string, unknown>>('select * from ci_runners where id = $1', [id]))[0] ?? {};

  it('need a valid registration token', async () => {
    const missing = await api.anonymous.post('/runners', {});
    expect([missing.status, missing.body]).toEqual([400, { message: '400 (Bad request) "token" not given' }]);
    for (const token of ['wrong', 'GR1348941', 'x'.repeat(200)]) {
      const answer = await api.anonymous.post('/runners', { token });
      expect([answer.status, answer.body]).toEqual([
        403,
        { message: '403 Forbidden - invalid token supplied' },
      ]);
    }
    const list = await api.anonymous.post('/runners', { token: [await registrationToken(api, { project })] });
    expect([list.status, list.body]).toEqual([400, { message: { token: ['is invalid'] } }]);
  });

  it('get an id and a token, and the scope of the registration token', async () => {
    const answer = await api.anonymous.post('/runners', { token: await registrationToken(api, { project }) });
    expect(answer.status).toBe(201);
    expect(answer.headers.get('content-type')).toBe('application/json');
    expect(answer.body).toEqual({
      id: expect.any(Number) as unknown,
      token: expect.stringMatching(/^[\w-]{20}$/) as unknown,
      token_expires_at: null,
    });
    const ofProject = answer.body['id'] as number;
    const { id: ofGroup } = await registerRunner(api, { group });
    const { id: ofInstance } = await registerRunner(api, 'instance');
    expect([await row(ofProject), await row(ofGroup), await row(ofInstance)]).toMatchObject([
      { runner_type: 'project_type', paused: false, run_untagged: true, access_level: 'not_protected' },
      { runner_type: 'group_type' },
      { runner_type: 'instance_type' },
    ]);
    const links = `select (select project_id from ci_runner_projects where runner_id = $1) as project,
      (select group_id from ci_runner_groups where runner_id = $2) as group`;
    expect(await api.sql(links, [ofProject, ofGroup])).toEqual([{ project, group }]);
  });

  it('report their attributes', async () => {
    const { id } = await registerRunner(
      api,
      { project },
      {
        description: 'mine',
        maintainer_note: 'ours',
        tag_list: 'tag1, tag2,,tag1',
        run_untagged: 'false',
        locked: true,
        access_level: 'ref_protected',
        maximum_timeout: 900,
        active: false,
        unknown: { ignored: true },
        info: {
          name: 'gitlab-runner',
          version: '16.5.0',
          revision: 'abc',
          platform: 'linux',
          architecture: 'amd64',
          executor: 'shell',
          features: { refspecs: true, count: 3, 'not a name': true },
          config: { gpus: 'all', secret: 'no' },
        },
      },
    );
    expect(await row(id)).toMatchObject({
      description: 'mine',
      maintenance_note: 'ours',
      tag_list: ['tag1', 'tag2'],
      run_untagged: false,
      locked: true,
      access_level: 'ref_protected',
      maximum_timeout: 900,
      paused: true,
      name: 'gitlab-runner',
      version: '16.5.0',
      revision: 'abc',
      platform: 'linux',
      architecture: 'amd64',
      executor: 'shell',
      features: { refspecs: true },
      config: { gpus: 'all' },
    });
    const shown = await api.root.get(`/runners/${id}`);
    expect([shown.status, shown.body['description'], shown.body['paused']]).toEqual([200, 'mine', true]);
  });

  it.each([
    [{ tag_list: Array.from({ length: 51 }, (_, index) => `t${index}`).join(',') }, 'tags_list'],
    [{ run_untagged: false }, 'tags_list'],
    [{ maximum_timeout: 599 }, 'maximum_timeout'],
    [{ access_level: 'all' }, 'access_level'],
    [{ description: 'd'.repeat(1025) }, 'description'],
    [{ description: 'a\0b' }, 'description'],
    [{ info: 'text' }, 'info'],
  ])('are refused with %j', async (values, attribute) => {
    const token = await registrationToken(api, { project });
    const before = await api.sql('select id from ci_runners', []);
    const answer = await api.anonymous.post('/runners', { token, ...values });
    expect([answer.status, answer.body]).toEqual([
      400,
      { message: { [attribute]: [expect.any(String) as unknown] } },
    ]);
    expect(await api.sql('select id from ci_runners', [])).toHaveLength(before.length);
  });

  it('are limited in number per project or group', async () => {
    const other = await buildProject(api.root);
    const limits = { plan_name: 'default', ci_registered_project_runners: 1, ci_registered_group_runners: 1 };
    expect((await api.root.put('/application/plan_limits', limits)).status).toBe(200);
    await registerRunner(api, { project: other.id });
    for (const place of [{ project: other.id }, { group }]) {
      const answer = await api.anonymous.post('/runners', { token: await registrationToken(api, place) });
      expect([answer.status, answer.text]).toEqual([400, expect.stringContaining('exceeded')]);
    }
    const none = { plan_name: 'default', ci_registered_project_runners: 0, ci_registered_group_runners: 0 };
    await api.root.put('/application/plan_limits', none);
  });

  it('are limited in number also if they register at the same time', async () => {
    const [other, full] = [await buildProject(api.root), await buildGroup(api)];
    const limits = { plan_name: 'default', ci_registered_project_runners: 2, ci_registered_group_runners: 2 };
    expect((await api.root.put('/application/plan_limits', limits)).status).toBe(200);
    for (const place of [{ project: other.id }, { group: full.id }]) {
      const token = await registrationToken(api, place);
      const answers = await Promise.all(
        Array.from({ length: 8 }, () => api.anonymous.post('/runners', { token })),
      );
      expect(answers.filter(({ status }) => status === 201)).toHaveLength(2);
    }
    const none = { plan_name: 'default', ci_registered_project_runners: 0, ci_registered_group_runners: 0 };
    await api.root.put('/application/plan_limits', none);
  });

  it('keep the thousand machines that were seen last', async () => {
    const runner = await registerRunner(api, { project });
    await api.sql(
      `insert into ci_runner_managers (runner_id, system_id, contacted_at)
        select $1, 'r_' || n, now() - interval '1 minute' * n from generate_series(1, 1000) n`,
      [runner.id],
    );
    const machines = async (): Promise<string[]> => {
      const text = 'select system_id from ci_runner_managers where runner_id = $1 order by contacted_at desc';
      return (await api.sql<{ system_id: string }>(text, [runner.id])).map((one) => one.system_id);
    };
    for (const system of ['s_1', 's_2', 's_1'])
      await api.anonymous.post('/runners/verify', { token: runner.token, system_id: system });
    expect(await machines()).toEqual([
      ...['s_1', 's_2'],
      ...Array.from({ length: 998 }, (_, index) => `r_${index + 1}`),
    ]);
  });

  it('are verified by their token, and record their machine', async () => {
    const runner = await registerRunner(api, { project });
    await api.sql(`update ci_runners set contacted_at = '2020-01-01' where id = $1`, [runner.id]);
    const form = await api.anonymous.post('/runners/verify', `token=${runner.token}&system_id=s_1`, {
      'Content-Type': 'application/x-www-form-urlencoded',
    });
    expect([form.status, form.body]).toEqual([
      200,
      { id: runner.id, token: runner.token, token_expires_at: null },
    ]);
    const { contacted_at: at } = await row(runner.id);
    expect((at as Date).getTime()).toBeGreaterThan(Date.now() - 60_000);
    const managers = 'select system_id from ci_runner_managers where runner_id = $1';
    expect(await api.sql(managers, [runner.id])).toEqual([{ system_id: 's_1' }]);
    const statuses = [
      await api.anonymous.post('/runners/verify', {}),
      await api.anonymous.post('/runners/verify', { token: 'wrong' }),
      await api.anonymous.post('/runners/verify', { token: await registrationToken(api, { project }) }),
    ];
    expect(statuses.map(({ status }) => status)).toEqual([400, 403, 403]);
    expect(statuses[1]?.body).toEqual({ message: '403 Forbidden' });
    await api.sql(`update ci_runners set token_expires_at = now() - interval '1 s' where id = $1`, [
      runner.id,
    ]);
    expect((await api.anonymous.post('/runners/verify', { token: runner.token })).status).toBe(403);
    expect((await requestJob(api, runner)).status).toBe(403);
  });

  it('have tokens that expire according to their project', async () => {
    const short = await buildProject(api.root);
    await api.sql(
      `update projects set settings = settings || '{"runner_token_expiration_interval": 3600}' where id = $1`,
      [short.id],
    );
    const token = await registrationToken(api, { project: short.id });
    const { body } = await api.anonymous.post('/runners', { token });
    const minutes = (Date.parse(body['token_expires_at'] as string) - Date.now()) / 60_000;
    expect(minutes).toBeGreaterThan(58);
    expect(minutes).toBeLessThan(61);
  });

  it('can reset their token, which invalidates the former one', async () => {
    const runner = await registerRunner(api, { project });
    const [first, second] = await Promise.all([
      api.anonymous.post('/runners/reset_authentication_token', { token: runner.token }),
      api.anonymous.post('/runners/reset_authentication_token', { token: runner.token }),
    ]);
    expect([first.status, second.status].sort()).toEqual([201, 403]);
    const { token } = (first.status === 201 ? first : second).body;
    expect(Object.keys((first.status === 201 ? first : second).body)).toEqual(['token', 'token_expires_at']);
    expect((await api.anonymous.post('/runners/verify', { token: runner.token })).status).toBe(403);
    expect((await api.anonymous.post('/runners/verify', { token })).status).toBe(200);
    expect((await api.anonymous.post('/runners/reset_authentication_token', {})).status).toBe(400);
  });

  it('keep the token prefix of runners that users created', async () => {
    const made = await api.root.post('/user/runners', { runner_type: 'instance_type' });
    expect([made.status, made.body['token']]).toEqual([201, expect.stringMatching(/^glrt-/)]);
    const reset = await api.anonymous.post('/runners/reset_authentication_token', {
      token: made.body['token'],
    });
    expect(reset.body['token']).toMatch(/^glrt-[\w-]{20}$/);
  });

  it('are removed machine by machine, or as a whole', async () => {
    const runner = await registerRunner(api, { project });
    await api.anonymous.post('/runners/verify', { token: runner.token, system_id: 's_1' });
    const remove = (path: string, body: object): Promise<{ status: number; text: string }> =>
      api.anonymous.send('DELETE', path, body);
    expect((await remove('/runners/managers', { token: runner.token })).status).toBe(400);
    expect((await remove('/runners/managers', { token: 'wrong', system_id: 's_1' })).status).toBe(403);
    expect((await remove('/runners/managers', { token: runner.token, system_id: 's_2' })).status).toBe(404);
    const gone = await remove('/runners/managers', { token: runner.token, system_id: 's_1' });
    expect([gone.status, gone.text]).toEqual([204, '']);
    expect((await remove('/runners', {})).status).toBe(400);
    expect((await remove('/runners', { token: 'wrong' })).status).toBe(403);
    const whole = await remove(`/runners?token=${runner.token}`, {});
    expect([whole.status, whole.text]).toEqual([204, '']);
    expect(await row(runner.id)).toEqual({});
    expect((await remove('/runners', { token: runner.token })).status).toBe(403);
  });
});
