import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startApi, type TestApi } from '../../../support/api.js';
import { buildProject } from '../../../support/builders/project.js';
import { createUser, type CreatedUser } from '../../../support/builders/user.js';

type Body = Record<string, unknown>;

describe('the creation of projects', () => {
  let api: TestApi;
  let owner: CreatedUser;
  let stranger: CreatedUser;
  let group: { id: number; full_path: string };
  beforeAll(async () => {
    api = await startApi({ REPOSITORY_STORAGES: 'default=/tmp/forgeplane-a,second=/tmp/forgeplane-b' });
    owner = await createUser(api);
    stranger = await createUser(api);
    group = (
      await owner.client.post<typeof group>('/groups', { name: 'Crew', path: 'crew', visibility: 'internal' })
    ).body;
  });
  afterAll(() => api.close());

  const messageOf = ({ body }: { body: Body }): unknown => body['message'];

  it('uses the namespace of the user, and a path derived from the name', async () => {
    const { status, body } = await owner.client.post('/projects', { name: 'My Första Project' });
    expect(status).toBe(201);
    expect(body).toMatchObject({
      name: 'My Första Project',
      path: 'my-forsta-project',
      path_with_namespace: `${owner.username}/my-forsta-project`,
      visibility: 'private',
      default_branch: 'main',
      creator_id: owner.id,
      owner: { id: owner.id, username: owner.username },
      namespace: { kind: 'user', path: owner.username },
      topics: [],
      tag_list: [],
      http_url_to_repo: `http://forgeplane.test/${owner.username}/my-forsta-project.git`,
      ssh_url_to_repo: null,
      shared_with_groups: [],
      import_status: 'none',
    });
    expect(body['runners_token']).toMatch(/^GR1348941/);
    expect(body).not.toHaveProperty('repository_storage');
    expect(body).not.toHaveProperty('permissions');
  });

  it('takes a blank namespace, as forms have it, for none', async () => {
    const form = { 'Content-Type': 'application/x-www-form-urlencoded' };
    const made = await owner.client.send<Body>('POST', '/projects', 'name=Blank&namespace_id=', form);
    expect([made.status, made.body]).toMatchObject([201, { path_with_namespace: `${owner.username}/blank` }]);
  });

  it('takes null for an attribute, also for one of several values, as not given', async () => {
    const nulls = { visibility: null, merge_method: null, issues_access_level: null, description: null };
    const made = await owner.client.post('/projects', { name: 'Nulls', ...nulls });
    const given = { visibility: 'private', merge_method: 'merge', issues_access_level: 'enabled' };
    expect([made.status, made.body]).toMatchObject([201, given]);
    const other = { merge_method: 'ff', issues_access_level: 'private' };
    const at = `/projects/${String(made.body['id'])}`;
    expect((await owner.client.put(at, { ...nulls, ...other })).body).toMatchObject(other);
    expect((await owner.client.put(at, { ...nulls, name: 'Still' })).body).toMatchObject({
      ...given,
      ...other,
      name: 'Still',
    });
  });

  it('accepts attributes of every kind, and feature switches as access levels', async () => {
    const { status, body } = await owner.client.post('/projects', {
      path: 'kinds',
      namespace_id: group.id,
      visibility: 'internal',
      description: '<b>bold</b>',
      topics: 'one, two,one',
      issues_enabled: 'false',
      wiki_access_level: 'private',
      wiki_enabled: true,
      environments_access_level: 'disabled',
      merge_method: 'ff',
      build_timeout: 7200,
      ci_config_path: 'ci/main.yml',
      emails_disabled: true,
      public_builds: false,
      enforce_freeze_periods: true,
      approvals_before_merge: 2,
    });
    expect(status).toBe(201);
    expect(body).toMatchObject({
      name: 'kinds',
      name_with_namespace: 'Crew / kinds',
      description_html: '<p dir="auto">&lt;b&gt;bold&lt;/b&gt;</p>',
      topics: ['one', 'two'],
      issues_enabled: false,
      issues_access_level: 'disabled',
      wiki_access_level: 'private',
      environments_access_level: 'disabled',
      merge_method: 'ff',
      build_timeout: 7200,
      ci_config_path: 'ci/main.yml',
      emails_disabled: true,
      emails_enabled: false,
      public_jobs: false,
      enforce_freeze_periods: true,
      approvals_before_merge: 2,
      namespace: { kind: 'group', id: group.id, parent_id: null },
    });
    expect(body).not.toHaveProperty('owner');
    expect(body['_links']).not.toHaveProperty('issues');
  });

  it('refuses missing or invalid attributes', async () => {
    const post = async (values: Body): Promise<[number, unknown]> => {
      const answer = await owner.client.post('/projects', values);
      return [answer.status, messageOf(answer)];
    };
    expect(await post({})).toEqual([400, '400 (Bad request) "name" not given']);
    expect(await post({ name: 'a', namespace_id: 999_999 })).toEqual([400, { namespace: ['is not valid'] }]);
    expect(await post({ name: 'a', visibility: 'secret', merge_method: 7, build_timeout: 1 })).toEqual([
      400,
      {
        visibility: ['does not have a valid value'],
        merge_method: ['does not have a valid value'],
        build_timeout: ['does not have a valid value'],
      },
    ]);
    expect(await post({ name: ['a'] })).toEqual([400, { name: ['is invalid'] }]);
    expect(await post({ name: '***', path: '-x.git' })).toEqual([
      400,
      {
        name: [expect.stringMatching(/^can contain only/)],
        path: [expect.stringMatching(/^can contain only/)],
      },
    ]);
    expect(await post({ name: 'tree' })).toEqual([400, { path: ['tree is a reserved name'] }]);
    expect(await post({ name: 'p', namespace_id: group.id, visibility: 'public' })).toEqual([
      400,
      { visibility_level: ['public is not allowed in a internal group.'] },
    ]);
  });

  it('refuses an existing name or path, in any case, also of groups', async () => {
    await buildProject(owner.client, { name: 'Taken', namespace_id: group.id });
    const both = await owner.client.post('/projects', { name: 'tAKEN', namespace_id: group.id });
    expect(both.status).toBe(400);
    expect(messageOf(both)).toEqual({
      name: ['has already been taken'],
      path: ['has already been taken'],
    });
    const byPath = await owner.client.post('/projects', {
      name: 'Other',
      path: 'TAKEN',
      namespace_id: group.id,
    });
    expect(messageOf(byPath)).toEqual({ path: ['has already been taken'] });
    await owner.client.post('/groups', { name: 'Sub', path: 'sub', parent_id: group.id });
    const byGroup = await owner.client.post('/projects', { name: 'sub', namespace_id: group.id });
    expect(messageOf(byGroup)).toEqual({ path: ['has already been taken'] });
  });

  it('lets one of two simultaneous requests for the same path win', async () => {
    const answers = await Promise.all(
      Array.from({ length: 6 }, () => owner.client.post('/projects', { name: 'Race', path: 'race' })),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 400, 400, 400, 400, 400]);
    const rows = await api.sql<{ projects: number; routes: number }>(
      `select (select count(*) from projects where path = 'race') as projects,
        (select count(*) from routes where path = $1) as routes`,
      [`${owner.username}/race`],
    );
    expect(rows).toEqual([{ projects: 1, routes: 1 }]);
  });

  it('respects the limit of projects, also with simultaneous requests', async () => {
    const limited = await createUser(api, { projects_limit: 2 });
    const answers = await Promise.all(
      Array.from({ length: 5 }, (_, index) => limited.client.post('/projects', { name: `p${index}` })),
    );
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(2);
    expect(answers.find(({ status }) => status === 400)?.body['message']).toEqual({
      limit_reached: ['Your project limit is 2 projects! Please contact your administrator to increase it'],
    });
  });

  it('requires the role that the group sets', async () => {
    const developer = await createUser(api);
    const reporter = await createUser(api);
    await api.sql(
      `insert into members (source_type, source_id, user_id, access_level) values ('Namespace', $1, $2, 30), ('Namespace', $1, $3, 20)`,
      [group.id, developer.id, reporter.id],
    );
    const post = async (user: CreatedUser, name: string): Promise<number> =>
      (await user.client.post('/projects', { name, namespace_id: group.full_path })).status;
    expect(await post(developer, 'by-developer')).toBe(201);
    expect(await post(reporter, 'by-reporter')).toBe(403);
    expect(await post(stranger, 'by-stranger')).toBe(403);
    await owner.client.put(`/groups/${group.id}`, { project_creation_level: 'maintainer' });
    expect(await post(developer, 'by-developer-again')).toBe(403);
    expect(await post(owner, 'by-owner')).toBe(201);
    await owner.client.put(`/groups/${group.id}`, { project_creation_level: 'developer' });
    const [foreign] = await api.sql<{ id: number }>('select id from namespaces where owner_id = $1', [
      owner.id,
    ]);
    const answer = await stranger.client.post('/projects', { name: 'x', namespace_id: foreign?.id });
    expect([answer.status, messageOf(answer)]).toEqual([400, { namespace: ['is not valid'] }]);
  });

  it('requires a signed-in user; administrators can create projects for others', async () => {
    expect((await api.anonymous.post('/projects', { name: 'x' })).status).toBe(401);
    expect((await owner.client.post(`/projects/user/${stranger.id}`, { name: 'x' })).status).toBe(403);
    const made = await api.root.post(`/projects/user/${stranger.id}`, { name: 'gift' });
    expect(made.status).toBe(201);
    expect(made.body).toMatchObject({ creator_id: stranger.id, owner: { id: stranger.id } });
    const unknown = await api.root.post('/projects/user/999999', { name: 'gift' });
    expect([unknown.status, unknown.body]).toEqual([404, { message: '404 User Not Found' }]);
  });

  it('allows restricted visibilities only to administrators', async () => {
    await api.root.put('/application/settings', { restricted_visibility_levels: ['public'] });
    const refused = await owner.client.post('/projects', { name: 'restricted', visibility: 'public' });
    expect([refused.status, messageOf(refused)]).toEqual([
      400,
      { visibility_level: ['public has been restricted by your administrator'] },
    ]);
    expect((await api.root.post('/projects', { name: 'restricted', visibility: 'public' })).status).toBe(201);
    await api.root.put('/application/settings', { restricted_visibility_levels: [] });
  });

  it('selects a storage by weight; administrators can choose one', async () => {
    await api.root.put('/application/settings', {
      repository_storages_weighted: { default: 0, second: 100 },
    });
    const chosen = await buildProject(owner.client);
    expect((await api.root.get(`/projects/${chosen.id}`)).body['repository_storage']).toBe('second');
    const named = await api.root.post('/projects', { name: 'named', repository_storage: 'default' });
    expect(named.body['repository_storage']).toBe('default');
    const wrong = await api.root.post('/projects', { name: 'wrong', repository_storage: '../x' });
    expect([wrong.status, messageOf(wrong)]).toEqual([
      400,
      { repository_storage: ['is not included in the list'] },
    ]);
    const dropped = await owner.client.post('/projects', { name: 'drop', repository_storage: 'default' });
    expect(dropped.status).toBe(201);
    const id = String(dropped.body['id']);
    expect((await api.root.get(`/projects/${id}`)).body['repository_storage']).toBe('second');
  });
});
