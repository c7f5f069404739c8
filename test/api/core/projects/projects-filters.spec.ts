import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { TestApi } from '../../../support/api.js';
import { buildProject, type BuiltProject } from '../../../support/builders/project.js';
import { createUser, type CreatedUser } from '../../../support/builders/user.js';
import type { ApiClient } from '../../../support/client.js';
import { borrowApi } from '../../../support/shared-api.js';

interface Listed {
  readonly id: number;
}

describe('filters of lists of projects', () => {
  let api: TestApi;
  let owner: CreatedUser;
  let stranger: CreatedUser;
  let older: BuiltProject;
  let newer: BuiltProject;
  let own: number;

  const idsOf = async (client: ApiClient, query: string): Promise<number[]> => {
    const answer = await client.get<Listed[]>(query);
    if (answer.status !== 200) throw new Error(`${answer.status} ${answer.text}`);
    return answer.body.map(({ id }) => id);
  };

  beforeAll(async () => {
    api = await borrowApi();
    owner = await createUser(api);
    stranger = await createUser(api);
    const group = await owner.client.post('/groups', { name: 'Sub', path: 'sub', visibility: 'public' });
    const values = { namespace_id: group.body['id'], visibility: 'public' };
    older = await buildProject(owner.client, values);
    newer = await buildProject(owner.client, values);
    ({ id: own } = await buildProject(stranger.client, {
      name: 'Alpha_1 100',
      path: 'alpha',
      topics: ['ruby', 'web'],
      visibility: 'public',
      issues_enabled: false,
    }));
    await stranger.client.post(`/projects/${older.id}/star`);
  });
  afterAll(() => api.close());

  const cases: readonly [query: string, expected: () => number[]][] = [
    ['owned=true', () => [own]],
    ['membership=true', () => [own]],
    ['starred=true', () => [older.id]],
    ['min_access_level=40', () => [own]],
    ['topic=ruby', () => [own]],
    ['topic=ruby,web', () => [own]],
    ['topic=ruby,none', () => []],
    ['topic_id=1', () => []],
    ['imported=true', () => []],
    ['archived=true', () => []],
    ['search=ALPHA_1', () => [own]],
    ['search=0%25', () => []],
    ['search=_1', () => [own]],
    ['search=alpha&order_by=similarity', () => [own]],
    ['search=sub&search_namespaces=true&visibility=public', () => [newer.id, older.id]],
    ['search=nothing', () => []],
    ['with_programming_language=Ruby', () => []],
    ['visibility=public&archived=false&owned=true', () => [own]],
    ['repository_storage=nowhere&owned=true', () => [own]],
    ['last_activity_before=2000-01-01', () => []],
    ['updated_after=2099-01-01T00:00:00Z', () => []],
    ['updated_before=2099-01-01&owned=true', () => [own]],
    ['with_issues_enabled=true&owned=true', () => []],
    ['with_merge_requests_enabled=true&owned=true', () => [own]],
    ['order_by=storage_size&owned=true', () => [own]],
  ];

  it('by update includes the times given', async () => {
    const { body } = await stranger.client.get<BuiltProject>(`/projects/${own}`);
    const then = `updated_after=${body.updated_at}&updated_before=${body.updated_at}`;
    expect(await idsOf(stranger.client, `/projects?owned=true&${then}`)).toEqual([own]);
  });

  it.each(cases)('%s', async (query, expected) => {
    expect(await idsOf(stranger.client, `/projects?${query}`)).toEqual(expected());
  });

  it.each(['owned', 'membership', 'starred'])('%s returns nothing to anonymous callers', async (name) => {
    expect(await idsOf(api.anonymous, `/projects?${name}=true`)).toEqual([]);
  });

  it('filters by storage and sizes for administrators', async () => {
    expect(await idsOf(api.root, '/projects?repository_storage=nowhere')).toEqual([]);
    expect(await idsOf(api.root, '/projects?repository_storage=default')).toHaveLength(3);
    await api.sql('insert into project_statistics (project_id, repository_size) values ($1, 5)', [newer.id]);
    const bySize = await idsOf(api.root, '/projects?order_by=repository_size');
    expect(bySize[0]).toBe(newer.id);
  });

  it('refuse invalid values', async () => {
    for (const query of [
      'order_by=secret',
      'sort=up',
      'visibility=x',
      'search[]=a',
      'id_after=x',
      'min_access_level=7',
      'updated_after=soon',
    ])
      expect((await owner.client.get(`/projects?${query}`)).status).toBe(400);
  });

  it('show few fields on request, and roles otherwise', async () => {
    const [simple] = (await stranger.client.get<object[]>('/projects?simple=true&owned=true')).body;
    expect(Object.keys(simple ?? {})).toHaveLength(19);
    const [full] = (await stranger.client.get<object[]>('/projects?owned=true')).body;
    expect(full).toMatchObject({
      permissions: { project_access: { access_level: 50 }, group_access: null },
    });
    expect(full).not.toHaveProperty('runners_token');
  });

  it('list the projects of a user, and those that a user has starred', async () => {
    expect(await idsOf(api.anonymous, `/users/${stranger.username.toUpperCase()}/projects`)).toEqual([own]);
    expect(await idsOf(owner.client, `/users/${stranger.id}/starred_projects`)).toEqual([older.id]);
    const unknown = await owner.client.get('/users/999999/projects');
    expect([unknown.status, unknown.body]).toEqual([404, { message: '404 User Not Found' }]);
    await api.sql('update users set private_profile = true where id = $1', [stranger.id]);
    expect(await idsOf(owner.client, `/users/${stranger.id}/starred_projects`)).toEqual([]);
    expect(await idsOf(stranger.client, `/users/${stranger.id}/starred_projects`)).toHaveLength(1);
  });
});
