import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startApi, type TestApi } from '../../../support/api.js';
import { buildProject } from '../../../support/builders/project.js';
import { createUser, type CreatedUser } from '../../../support/builders/user.js';
import type { ApiClient } from '../../../support/client.js';
import { readsDuring } from '../../../support/watched-reads.js';

interface Listed {
  readonly id: number;
  readonly name: string;
  readonly topics: string[];
}

type Visibility = 'private' | 'internal' | 'public';

/** Follows every link from `first` on, as clients do. */
async function walk(client: ApiClient, first: string): Promise<{ ids: number[]; pages: number }> {
  const ids: number[] = [];
  let url: string | null = first;
  let pages = 0;
  while (url !== null) {
    const answer: Awaited<ReturnType<ApiClient['get']>> = await client.get(url);
    if (answer.status !== 200) throw new Error(answer.text);
    const rows = answer.body as Listed[];
    pages += 1;
    ids.push(...rows.map(({ id }) => id));
    const next = /<([^>]+)>; rel="next"/.exec(answer.headers.get('link') ?? '')?.[1];
    url = next === undefined ? null : next.replace('http://forgeplane.test', '');
  }
  return { ids, pages };
}

describe('lists of projects', () => {
  let api: TestApi;
  let owner: CreatedUser;
  let stranger: CreatedUser;
  let groupId: number;
  const clients: Record<string, ApiClient> = {};
  const projects: { id: number; visibility: Visibility }[] = [];

  const idsOf = async (client: ApiClient, query: string): Promise<number[]> => {
    const answer = await client.get<Listed[]>(query);
    if (answer.status !== 200) throw new Error(`${answer.status} ${answer.text}`);
    return answer.body.map(({ id }) => id);
  };

  beforeAll(async () => {
    api = await startApi();
    owner = await createUser(api);
    stranger = await createUser(api);
    const external = await createUser(api, { external: true });
    const guest = await createUser(api);
    const inherited = await createUser(api);
    const invited = await createUser(api);
    const expired = await createUser(api);
    const post = async (path: string, body: object): Promise<{ id: number }> => {
      const answer = await owner.client.post<{ id: number }>(path, body);
      if (answer.status !== 201) throw new Error(answer.text);
      return answer.body;
    };
    const top = await post('/groups', { name: 'Top', path: 'top', visibility: 'public' });
    const sub = await post('/groups', { name: 'Sub', path: 'sub', parent_id: top.id, visibility: 'public' });
    const team = await post('/groups', { name: 'Team', path: 'team' });
    groupId = sub.id;
    await api.sql(
      `insert into members (source_type, source_id, user_id, access_level, expires_at) values
        ('Namespace', $1, $2, 20, null), ('Namespace', $3, $4, 10, null), ('Namespace', $1, $5, 30, '2020-01-01')`,
      [top.id, inherited.id, team.id, invited.id, expired.id],
    );
    for (const visibility of ['private', 'internal', 'public'] as const) {
      for (const shared of [false, true]) {
        const { id } = await buildProject(owner.client, { namespace_id: groupId, visibility });
        projects.push({ id, visibility });
        await api.sql(
          `insert into members (source_type, source_id, user_id, access_level) values ('Project', $1, $2, 10)`,
          [id, guest.id],
        );
        if (shared) await owner.client.post(`/projects/${id}/share`, { group_id: team.id, group_access: 30 });
      }
    }
    Object.assign(clients, {
      anonymous: api.anonymous,
      stranger: stranger.client,
      external: external.client,
      expired: expired.client,
      guest: guest.client,
      inherited: inherited.client,
      invited: invited.client,
      owner: owner.client,
      admin: api.root,
    });
  });
  afterAll(() => api.close());

  /** The rules of `auth-core.md` 5.5 in plain words. */
  const isVisible = (who: string, visibility: Visibility, isShared: boolean): boolean => {
    if (visibility === 'public' || ['guest', 'inherited', 'owner', 'admin'].includes(who)) return true;
    if (who === 'invited' && isShared) return true;
    return visibility === 'internal' && !['anonymous', 'external'].includes(who);
  };

  it.each([
    'anonymous',
    'stranger',
    'external',
    'expired',
    'guest',
    'inherited',
    'invited',
    'owner',
    'admin',
  ])('show %s exactly according to the rules, in every list and individually', async (who) => {
    const client = clients[who] as ApiClient;
    const expected = projects.filter(({ visibility }, index) => isVisible(who, visibility, index % 2 === 1));
    const ids = expected.map(({ id }) => id);
    const newest = [...ids].reverse();
    expect(await idsOf(client, '/projects')).toEqual(newest);
    expect(await idsOf(client, '/projects?order_by=path&sort=asc')).toHaveLength(ids.length);
    expect(await idsOf(client, `/projects?search=project`)).toEqual(newest);
    expect(await idsOf(client, `/groups/${groupId}/projects?order_by=id&sort=asc`)).toEqual(ids);
    const walked = await walk(client, '/projects?pagination=keyset&order_by=id&sort=asc&per_page=1');
    expect(walked.ids).toEqual(ids);
    for (const { id } of projects)
      expect((await client.get(`/projects/${id}`)).status).toBe(ids.includes(id) ? 200 : 404);
  });

  it('are paginated by keyset in both directions, up to a last page without a link', async () => {
    const all = projects.map(({ id }) => id);
    const up = await walk(owner.client, '/projects?pagination=keyset&order_by=id&sort=asc&per_page=2');
    expect(up).toEqual({ ids: all, pages: 3 });
    const down = await walk(owner.client, '/projects?pagination=keyset&order_by=id&sort=desc&per_page=4');
    expect(down).toEqual({ ids: [...all].reverse(), pages: 2 });
    const anonymous = await walk(
      api.anonymous,
      '/projects?pagination=keyset&order_by=id&sort=desc&per_page=1',
    );
    expect(anonymous.pages).toBe(2);
    const first = await owner.client.get('/projects?pagination=keyset&order_by=id&sort=desc&per_page=2');
    expect(first.headers.get('link')).toBe(
      `<http://forgeplane.test/api/v4/projects?id_before=${all.at(-2)}&order_by=id&pagination=keyset&per_page=2&sort=desc>; rel="next"`,
    );
    expect(first.headers.has('x-total')).toBe(false);
  });

  it('refuse keyset pagination in other orders, and offsets beyond the limit', async () => {
    for (const order of ['name', 'created_at', 'similarity']) {
      const answer = await api.anonymous.get(`/projects?pagination=keyset&order_by=${order}&sort=asc`);
      expect([answer.status, answer.body]).toEqual([
        405,
        { error: 'Keyset pagination is not yet available for this type of request' },
      ]);
    }
    const deep = await owner.client.get('/projects?page=501&per_page=100');
    expect([deep.status, deep.body]).toEqual([
      405,
      {
        error:
          'Offset pagination has a maximum allowed offset of 50000 for requests that return objects of type Project. Remaining records can be retrieved using keyset pagination.',
      },
    ]);
  });

  it('combine id filters with keyset and offset pages', async () => {
    const [first, second, third] = projects.map(({ id }) => id) as [number, number, number];
    expect(await idsOf(owner.client, `/projects?id_before=${third}`)).toEqual([second, first]);
    expect(await idsOf(owner.client, `/projects?id_after=${first}&id_before=${third}`)).toEqual([second]);
    const walked = await walk(
      owner.client,
      `/projects?pagination=keyset&order_by=id&sort=desc&per_page=1&id_after=${third}`,
    );
    expect(walked.ids).toHaveLength(3);
  });

  it('counts', async () => {
    const answer = await owner.client.get('/projects?per_page=4');
    expect(answer.headers.get('x-total')).toBe('6');
    expect(answer.headers.get('x-total-pages')).toBe('2');
    expect(answer.headers.get('x-next-page')).toBe('2');
    expect(answer.headers.get('link')).toContain('rel="last"');
  });

  it('use the same few statements, whatever the page contains', async () => {
    const statements = async (query: string): Promise<number> =>
      (await readsDuring(api, () => owner.client.get(query))).length;
    expect(await statements('/projects?per_page=1')).toBe(3);
    expect(await statements('/projects?per_page=5')).toBe(3);
    expect(await statements('/projects?per_page=100&statistics=true')).toBe(2);
    expect(await statements('/projects?per_page=100&search=project')).toBe(2);
    expect(await statements(`/groups/${groupId}/projects?per_page=100`)).toBe(2);
  });

  it('are rate-limited for anonymous callers only', async () => {
    await api.root.put('/application/settings', { projects_api_rate_limit_unauthenticated: 1 });
    const answers = [await api.anonymous.get('/projects'), await api.anonymous.get('/projects')];
    const refused = answers.find(({ status }) => status === 429);
    expect(refused?.body).toEqual({ message: '429 Too Many Requests' });
    expect(Number(refused?.headers.get('retry-after'))).toBeGreaterThan(0);
    expect(refused?.headers.get('ratelimit-name')).toBe('projects_api_rate_limit_unauthenticated');
    expect((await owner.client.get('/projects')).status).toBe(200);
    await api.root.put('/application/settings', { projects_api_rate_limit_unauthenticated: 0 });
    expect((await api.anonymous.get('/projects')).status).toBe(200);
  });
});
