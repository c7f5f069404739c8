import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { TestApi } from '../../../support/api.js';
import { createUser, type CreatedUser } from '../../../support/builders/user.js';
import type { Answer, ApiClient } from '../../../support/client.js';
import { borrowApi } from '../../../support/shared-api.js';

interface SnippetBody {
  readonly id: number;
  readonly title: string;
  readonly visibility: string;
}

let api: TestApi;
let ada: CreatedUser;
let bob: CreatedUser;
let guest: CreatedUser;

beforeAll(async () => {
  api = await borrowApi();
  ada = await createUser(api);
  bob = await createUser(api);
  guest = await createUser(api, { external: true });
});
afterAll(() => api.close());

async function make(client: ApiClient, values: object = {}): Promise<SnippetBody> {
  const given = { title: 'A', file_name: 'a.txt', content: 'one', ...values };
  const { status, text, body } = await client.post<SnippetBody>('/snippets', given);
  if (status !== 201) throw new Error(`Snippet not created: ${status} ${text}`);
  return body;
}

const titles = async (client: ApiClient, path: string): Promise<string[]> =>
  (await client.get<SnippetBody[]>(path)).body.map(({ title }) => title);

describe('personal snippets', () => {
  it('are created with their files and returned completely', async () => {
    const { status, body } = await ada.client.post('/snippets', {
      title: 'Deploy',
      description: 'How to',
      visibility: 'internal',
      files: [
        { file_path: 'scripts/run it.sh', content: 'echo hi\n' },
        { file_path: 'README.md', content: '# Hi' },
      ],
    });
    const id = body['id'] as number;
    const web = `http://forgeplane.test/-/snippets/${id}`;
    const raw = `http://forgeplane.test/api/v4/snippets/${id}`;
    expect(status).toBe(201);
    expect(body).toEqual({
      id,
      title: 'Deploy',
      description: 'How to',
      visibility: 'internal',
      author: expect.objectContaining({ id: ada.id, username: ada.username }) as object,
      created_at: expect.any(String) as unknown,
      updated_at: expect.any(String) as unknown,
      project_id: null,
      web_url: web,
      raw_url: `${raw}/raw`,
      ssh_url_to_repo: null,
      http_url_to_repo: `http://forgeplane.test/snippets/${id}.git`,
      file_name: 'README.md',
      files: [
        { path: 'README.md', raw_url: `${raw}/files/main/README.md/raw` },
        { path: 'scripts/run it.sh', raw_url: `${raw}/files/main/scripts%2Frun%20it.sh/raw` },
      ],
      imported: false,
      imported_from: 'none',
    });
    expect((await ada.client.get(`/snippets/${id}`)).body).toEqual(body);
    expect((await api.root.get(`/snippets/${id}`)).body).toEqual({ ...body, repository_storage: 'default' });
  });

  it('are private unless the settings or the request say otherwise', async () => {
    expect((await make(ada.client)).visibility).toBe('private');
    await api.root.put('/application/settings', { default_snippet_visibility: 'internal' });
    expect((await make(ada.client)).visibility).toBe('internal');
    await api.root.put('/application/settings', { restricted_visibility_levels: ['internal', 'public'] });
    expect((await make(ada.client)).visibility).toBe('private');
    const refused = await ada.client.post('/snippets', {
      title: 'A',
      file_name: 'a',
      content: 'b',
      visibility: 'public',
    });
    expect([refused.status, refused.body]).toEqual([
      400,
      { message: { visibility_level: ['public has been restricted by your administrator'] } },
    ]);
    expect((await make(api.root, { visibility: 'public' })).visibility).toBe('public');
    await api.root.put('/application/settings', {
      default_snippet_visibility: 'private',
      restricted_visibility_levels: [],
    });
  });

  it('are visible according to their visibility', async () => {
    const everybody = [api.anonymous, guest.client, bob.client, ada.client, api.root];
    const seen = async (id: number): Promise<number[]> =>
      Promise.all(everybody.map(async (client) => (await client.get(`/snippets/${id}`)).status));
    const hidden = await make(ada.client, { visibility: 'private' });
    expect(await seen(hidden.id)).toEqual([404, 404, 404, 200, 200]);
    expect(await seen((await make(ada.client, { visibility: 'internal' })).id)).toEqual([
      404, 404, 200, 200, 200,
    ]);
    expect(await seen((await make(ada.client, { visibility: 'public' })).id)).toEqual([
      200, 200, 200, 200, 200,
    ]);
    for (const path of ['raw', 'files/main/a.txt/raw', 'user_agent_detail'])
      expect((await bob.client.get(`/snippets/${hidden.id}/${path}`)).status).toBe(
        path === 'user_agent_detail' ? 403 : 404,
      );
    expect((await bob.client.get('/snippets/999999')).body).toEqual({ message: '404 Snippet Not Found' });
  });

  it('are changed and removed by their author and administrators only', async () => {
    const { id } = await make(ada.client, { visibility: 'public' });
    expect((await bob.client.put(`/snippets/${id}`, { title: 'Mine' })).status).toBe(403);
    expect((await bob.client.delete(`/snippets/${id}`)).status).toBe(403);
    expect((await api.anonymous.put(`/snippets/${id}`, { title: 'Mine' })).status).toBe(401);
    expect((await ada.client.put(`/snippets/${id}`, { title: 'B', description: null })).body).toMatchObject({
      title: 'B',
      description: null,
    });
    expect((await api.root.put(`/snippets/${id}`, { visibility: 'private' })).body).toMatchObject({
      visibility: 'private',
    });
    expect((await bob.client.put(`/snippets/${id}`, { title: 'Mine' })).status).toBe(404);
    const old = { 'If-Unmodified-Since': 'Mon, 01 Jan 2001 00:00:00 GMT' };
    expect((await ada.client.delete(`/snippets/${id}`, old)).status).toBe(412);
    expect((await ada.client.delete(`/snippets/${id}`)).status).toBe(204);
    expect((await ada.client.get(`/snippets/${id}`)).status).toBe(404);
    expect(
      await api.sql(`select 1 from repositories where owner_type = 'Snippet' and owner_id = $1`, [id]),
    ).toEqual([]);
  });

  it('cannot be created by external users', async () => {
    const given = { title: 'A', file_name: 'a', content: 'b' };
    expect((await guest.client.post('/snippets', given)).status).toBe(403);
    expect((await api.anonymous.post('/snippets', given)).status).toBe(401);
    expect(await api.sql('select 1 from snippets where author_id = $1', [guest.id])).toEqual([]);
  });

  it('show administrators where they were created from', async () => {
    const { body } = await ada.client.post<SnippetBody>(
      '/snippets',
      { title: 'A', file_name: 'a', content: 'b' },
      { 'User-Agent': 'curl/8.0' },
    );
    expect((await api.root.get(`/snippets/${body.id}/user_agent_detail`)).body).toEqual({
      user_agent: 'curl/8.0',
      ip_address: '127.0.0.1',
      akismet_submitted: false,
    });
    expect((await ada.client.get(`/snippets/${body.id}/user_agent_detail`)).status).toBe(403);
  });
});

describe('lists of snippets', () => {
  let cleo: CreatedUser;
  beforeAll(async () => {
    await api.sql('delete from snippets');
    cleo = await createUser(api);
    for (const [index, visibility] of ['private', 'internal', 'public'].entries()) {
      await make(ada.client, { title: `ada ${visibility}`, visibility });
      await make(cleo.client, { title: `cleo ${visibility}`, visibility });
      await api.sql(
        `update snippets set created_at = '2020-01-01'::timestamptz + make_interval(days => $1::int) where title like $2`,
        [index, `%${visibility}`],
      );
    }
  });

  it("contain the caller's own, public ones, or all visible ones, newest first", async () => {
    expect(await titles(cleo.client, '/snippets')).toEqual(['cleo public', 'cleo internal', 'cleo private']);
    for (const client of [api.anonymous, guest.client, cleo.client])
      expect(await titles(client, '/snippets/public')).toEqual(['cleo public', 'ada public']);
    expect(await titles(cleo.client, '/snippets/all')).toEqual([
      'cleo public',
      'ada public',
      'cleo internal',
      'ada internal',
      'cleo private',
    ]);
    expect(await titles(guest.client, '/snippets/all')).toEqual(['cleo public', 'ada public']);
    expect(await titles(api.root, '/snippets/all')).toHaveLength(6);
    expect((await api.anonymous.get('/snippets')).status).toBe(401);
    expect((await api.anonymous.get('/snippets/all')).status).toBe(401);
  });

  it('filter by creation time', async () => {
    const span = 'created_after=2020-01-02T00:00:00Z&created_before=2020-01-02T00:00:00Z';
    expect(await titles(ada.client, `/snippets?${span}`)).toEqual(['ada internal']);
    expect(await titles(ada.client, `/snippets/public?${span}`)).toEqual([]);
    expect(await titles(ada.client, `/snippets/all?${span}`)).toEqual(['cleo internal', 'ada internal']);
    expect(await titles(api.root, `/snippets/all?${span}`)).toEqual(['cleo internal', 'ada internal']);
    expect((await ada.client.get('/snippets?created_after=yesterday')).body).toEqual({
      message: { created_after: ['is invalid'] },
    });
  });

  it('contain the snippets on a storage, for administrators', async () => {
    expect(await titles(api.root, '/snippets/all?repository_storage=default')).toHaveLength(6);
    expect(await titles(api.root, '/snippets/all?repository_storage=other')).toEqual([]);
    expect(await titles(cleo.client, '/snippets/all?repository_storage=other')).toHaveLength(5);
  });

  it('are paginated, also by keyset', async () => {
    const first = await cleo.client.get<SnippetBody[]>('/snippets/all?per_page=2');
    expect(first.body.map(({ title }) => title)).toEqual(['cleo public', 'ada public']);
    expect(first.headers.get('X-Total')).toBe('5');
    for (const path of ['/snippets', '/snippets/public', '/snippets/all'])
      for (const sort of ['asc', 'desc']) {
        const walked: number[] = [];
        let query: string | undefined = `?pagination=keyset&order_by=id&sort=${sort}&per_page=1`;
        while (query !== undefined && walked.length < 10) {
          const page: Answer<SnippetBody[]> = await cleo.client.get(path + query);
          walked.push(...page.body.map(({ id }) => id));
          query = /<[^>]*(\?[^>]*)>; rel="next"/.exec(page.headers.get('Link') ?? '')?.[1];
        }
        const all = (await cleo.client.get<SnippetBody[]>(path)).body.map(({ id }) => id);
        const sorted = all.sort((one, other) => (sort === 'asc' ? one - other : other - one));
        expect([path, sort, walked]).toEqual([path, sort, sorted]);
      }
  });

  it('omit unfinished snippets and those of users who are being removed', async () => {
    const [row] = await api.sql<{ id: number }>(
      `insert into snippets (author_id, title, visibility) values ($1, 'unfinished', 'public') returning id`,
      [cleo.id],
    );
    expect(await titles(api.root, '/snippets/all')).not.toContain('unfinished');
    expect((await cleo.client.get(`/snippets/${row?.id}`)).status).toBe(404);
    const dora = await createUser(api);
    const { id } = await make(dora.client, { visibility: 'public' });
    expect((await api.root.delete(`/users/${dora.id}`)).status).toBe(204);
    expect((await api.root.get(`/snippets/${id}`)).status).toBe(404);
  });
});
