import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { SETTINGS_DEFAULTS } from '#core/instance/settings/settings.js';
import { startApi, type TestApi } from '../../../support/api.js';
import type { Answer } from '../../../support/client.js';
import { addUser, auditChanges } from '../../../support/builders/instance.js';

const PATH = '/application/settings';
const env = {
  REPOSITORY_STORAGES: 'default=/tmp/forgeplane-a,second=/tmp/forgeplane-b',
  SECRETS_KEY: 'a secrets key for the tests of settings',
};

describe('application settings', () => {
  let api: TestApi;
  let userToken: string;
  beforeAll(async () => {
    api = await startApi(env);
    userToken = (await addUser(api, 'mona')).token;
  });
  afterAll(() => api.close());

  const put = (body: unknown): Promise<Answer<Record<string, unknown>>> => api.root.put(PATH, body);

  it('are accessible to administrators only', async () => {
    for (const method of ['GET', 'PUT']) {
      expect((await api.anonymous.send(method, PATH)).status).toBe(401);
      expect((await api.as(userToken).send(method, PATH)).status).toBe(403);
    }
  });

  it('include every setting with its default', async () => {
    const { status, body } = await api.root.get(PATH);
    expect(status).toBe(200);
    expect(body).toMatchObject({ ...SETTINGS_DEFAULTS, id: 1, license_plan: 'ultimate' });
    expect(body).toHaveProperty('created_at');
    expect(body).toHaveProperty('updated_at');
  });

  it('include the registration token, which is created once and stored encrypted', async () => {
    const [first, second] = await Promise.all([api.root.get(PATH), api.root.get(PATH)]);
    const token = first.body['runners_registration_token'] as string;
    expect(token).toMatch(/^GR1348941[\w-]{20}$/);
    expect(second.body['runners_registration_token']).toBe(token);
    const [row] = await api.sql<{ stored: string }>(
      'select to_jsonb(s)::text as stored from application_settings s',
    );
    expect(row?.stored).not.toContain(token);
  });

  it('keep their value unless they are given', async () => {
    const before = (await api.root.get(PATH)).body;
    const { status, body } = await put({ max_artifacts_size: '200', keep_latest_artifact: 'false' });
    expect(status).toBe(200);
    expect(body).toEqual({
      ...before,
      max_artifacts_size: 200,
      keep_latest_artifact: false,
      updated_at: expect.any(String),
    });
    expect((await api.root.get(PATH)).body).toEqual(body);
  });

  it('are accepted as form bodies and query parameters', async () => {
    const form = await api.root.send('PUT', PATH, 'repository_storages_weighted[default]=70', {
      'Content-Type': 'application/x-www-form-urlencoded',
    });
    expect(form.body['repository_storages_weighted']).toEqual({ default: 70 });
    const query = await api.root.put(`${PATH}?restricted_visibility_levels[]=public`);
    expect(query.body['restricted_visibility_levels']).toEqual(['public']);
  });

  it('require at least one change', async () => {
    for (const body of [{}, { unheard_of: 1 }]) {
      const answer = await put(body);
      expect(answer.status).toBe(400);
      expect(answer.body).toEqual({ message: { base: ['at least one parameter must be provided'] } });
    }
  });

  it.each([
    ['license_plan', 'gold'],
    ['default_projects_limit', -1],
    ['default_project_visibility', 'secret'],
    ['default_branch_protection', 7],
    ['default_branch_name', 'a..b'],
    ['default_branch_name', 'a/.b'],
    ['default_branch_name', '@'],
    ['restricted_visibility_levels', ['private', 'hidden']],
    ['repository_storages', ['nowhere']],
    ['repository_storages', []],
    ['repository_storages_weighted', { nowhere: 10 }],
    ['repository_storages_weighted', { default: 101 }],
    ['repository_storages_weighted', { default: -1 }],
    ['repository_storages_weighted', 'default'],
    ['default_artifacts_expire_in', 'soon'],
    ['default_artifacts_expire_in', ''],
    ['max_artifacts_size', 0],
    ['signup_enabled', 'perhaps'],
    ['max_personal_access_token_lifetime', 366],
    ['personal_access_token_prefix', 'has blanks'],
    ['deletion_adjourned_period', 91],
    ['throttle_authenticated_api_requests_per_period', 0],
    ['audit_event_retention_days', -1],
  ])('refuse %s = %j', async (name, value) => {
    const before = (await api.root.get(PATH)).body;
    const answer = await put({ [name]: value, two_factor_grace_period: 1 });
    expect(answer.status).toBe(400);
    expect(Object.keys(answer.body['message'] as object)).toEqual([name]);
    expect((await api.root.get(PATH)).body).toEqual(before);
  });

  it('take a blank default_branch_name for the default, as in v4', async () => {
    const { status, body } = await put({ default_branch_name: '' });
    expect([status, body['default_branch_name']]).toEqual([200, 'main']);
  });

  it('accept durations as text', async () => {
    for (const text of ['0', '1 week', '2h20min']) {
      expect((await put({ default_artifacts_expire_in: text })).body['default_artifacts_expire_in']).toBe(
        text,
      );
    }
  });

  it('accept null where allowed', async () => {
    const set = await put({
      rate_limiting_response_text: 'Slow down',
      max_personal_access_token_lifetime: 30,
    });
    expect(set.body).toMatchObject({
      rate_limiting_response_text: 'Slow down',
      max_personal_access_token_lifetime: 30,
    });
    const unset = await put({ rate_limiting_response_text: '', max_personal_access_token_lifetime: null });
    expect(unset.body).toMatchObject({
      rate_limiting_response_text: null,
      max_personal_access_token_lifetime: null,
    });
  });

  it('keep storages and weights consistent', async () => {
    const both = await put({ repository_storages: ['default', 'second'] });
    expect(both.body['repository_storages_weighted']).toEqual({ default: 70, second: 100 });
    const one = await put({ repository_storages_weighted: { default: 0, second: 50 } });
    expect(one.body['repository_storages']).toEqual(['second']);
  });

  it('lose no change of simultaneous requests', async () => {
    const changes = [
      { users_get_by_id_limit: 11 },
      { search_rate_limit: 12 },
      { notes_create_limit: 13 },
      { issues_create_limit: 14 },
      { max_attachment_size: 15 },
      { license_plan: 'premium' },
    ];
    const answers = await Promise.all(changes.map(put));
    expect(answers.map((answer) => answer.status)).toEqual(changes.map(() => 200));
    expect((await api.root.get(PATH)).body).toMatchObject(Object.assign({}, ...changes) as object);
  });

  it('are audited with their values', async () => {
    const { body } = await put({ default_projects_limit: 5 });
    expect((await put({ default_projects_limit: 5, license_plan: 'premium' })).body).toEqual(body);
    await put({ default_projects_limit: 6, license_plan: 'ultimate' });
    const changes = await auditChanges(api, 'ApplicationSetting');
    expect(changes.filter(({ change }) => change === 'default_projects_limit')).toEqual([
      { change: 'default_projects_limit', from: 100_000, to: 5, author_name: 'Administrator' },
      { change: 'default_projects_limit', from: 5, to: 6, author_name: 'Administrator' },
    ]);
    expect(changes.at(-1)).toMatchObject({ change: 'license_plan', from: 'premium', to: 'ultimate' });
  });

  describe('limits and statistics', () => {
    it('shows and changes the limits of the default plan', async () => {
      const path = '/application/plan_limits';
      expect((await api.root.get(path)).body).toEqual({
        ci_jobs_trace_size_limit: 100,
        ci_registered_group_runners: 1000,
        ci_registered_project_runners: 1000,
        generic_packages_max_file_size: 5_368_709_120,
      });
      const changed = await api.root.put(path, { plan_name: 'default', ci_registered_group_runners: 3 });
      expect(changed.body).toMatchObject({
        ci_registered_group_runners: 3,
        ci_registered_project_runners: 1000,
      });
      expect((await api.root.get(`${path}?plan_name=default`)).body).toEqual(changed.body);
      expect((await api.root.get(`${path}?plan_name=gold`)).status).toBe(400);
      expect((await api.root.put(path, { ci_registered_group_runners: 3 })).body).toEqual({
        message: '400 (Bad request) "plan_name" not given',
      });
      expect((await api.root.put(path, { plan_name: 'default' })).status).toBe(400);
      expect((await api.as(userToken).get(path)).status).toBe(403);
      expect(await auditChanges(api, 'PlanLimits')).toMatchObject([{ from: 1000, to: 3 }]);
    });

    it('count existing objects', async () => {
      const { body } = await api.root.get('/application/statistics');
      expect(Object.keys(body).sort()).toEqual([
        'active_users',
        'forks',
        'groups',
        'issues',
        'merge_requests',
        'milestones',
        'notes',
        'projects',
        'snippets',
        'ssh_keys',
        'users',
      ]);
      expect(body).toMatchObject({ users: '2', active_users: '2', projects: '0', forks: '0', issues: '0' });
      expect((await api.as(userToken).get('/application/statistics')).status).toBe(403);
      expect((await api.anonymous.get('/application/statistics')).status).toBe(401);
    });
  });
});

describe('settings of two processes', () => {
  let first: TestApi;
  let second: TestApi;
  beforeAll(async () => {
    first = await startApi(env);
    second = await startApi({
      ...env,
      DATABASE_URL: first.databaseUrl,
      SECRETS_KEY: 'x'.repeat(40),
      LOG_LEVEL: 'fatal',
    });
  });
  afterAll(async () => {
    await second.close();
    await first.close();
  });

  it('take effect in the other process with the next request', async () => {
    const shown = await first.root.get(PATH);
    expect(shown.body['search_rate_limit']).toBe(30);
    await first.root.put(PATH, { search_rate_limit: 77, license_plan: 'free' });
    expect((await second.root.get('/audit_events')).status).toBe(403);
    expect((await second.root.get(PATH)).body).toMatchObject({ search_rate_limit: 77, license_plan: 'free' });
  });

  it('are shown without the registration token if the secrets key differs', async () => {
    expect((await first.root.get(PATH)).body['runners_registration_token']).toMatch(/^GR/);
    expect((await second.root.get(PATH)).body['runners_registration_token']).toBeNull();
  });
});
