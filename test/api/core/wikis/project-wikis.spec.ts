import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { DomainEvents } from '#kernel/events/domain-events.js';
import { wikiRepository } from '#core/repositories/repository-ref.js';
import { RepositoriesService } from '#core/repositories/repositories.service.js';
import { WikiPageChanged } from '#core/wikis/wiki-page-changed.event.js';
import { startApi, type TestApi } from '../../../support/api.js';
import { buildMember } from '../../../support/builders/member.js';
import { createUser, type CreatedUser } from '../../../support/builders/user.js';
import type { ApiClient } from '../../../support/client.js';
import { WorkingCopy } from '../../../support/git.js';

interface Page {
  readonly slug: string;
  readonly title: string;
  readonly format: string;
  readonly encoding: string;
  readonly content: string;
}

let api: TestApi;
let dora: CreatedUser;
let gus: CreatedUser;
let developer: ApiClient;
let guest: ApiClient;
let stranger: ApiClient;
const told: WikiPageChanged[] = [];

beforeAll(async () => {
  api = await startApi();
  api.app.get(DomainEvents, { strict: false }).on(WikiPageChanged, (event) => void told.push(event));
  const named = { username: 'dora', name: 'Dora Doe', email: 'dora@example.com' };
  [dora, gus] = [await createUser(api, named), await createUser(api)];
  [developer, guest, stranger] = [dora.client, gus.client, (await createUser(api)).client];
});
afterAll(() => api.close());

let made = 0;

async function makeProject(values: Readonly<Record<string, unknown>> = {}): Promise<number> {
  made += 1;
  const { body } = await api.root.post<{ id: number }>('/projects', { name: `wiki ${made}`, ...values });
  await buildMember(api, `projects/${body.id}`, dora.id, 30);
  await buildMember(api, `projects/${body.id}`, gus.id, 10);
  return body.id;
}

describe('pages of a project', () => {
  let wikis: string;
  beforeAll(async () => {
    wikis = `/projects/${await makeProject()}/wikis`;
  });

  it('do not exist before the first one is written', async () => {
    expect(await guest.get(wikis)).toMatchObject({ status: 200, body: [] });
    expect(await guest.get(`${wikis}/home`)).toMatchObject({
      status: 404,
      body: { message: '404 Wiki Page Not Found' },
    });
    for (const call of [developer.delete(`${wikis}/home`), developer.put(`${wikis}/home`, { content: 'x' })])
      expect(await call).toMatchObject({ status: 404, body: { message: '404 Wiki Page Not Found' } });
    expect(await api.sql(`select 1 from repositories where kind = 'wiki'`)).toEqual([]);
  });

  it('are created, read, listed, changed and removed', async () => {
    const created = await developer.post(wikis, { title: 'First steps', content: '# Hello\n\nwörld' });
    const first = {
      format: 'markdown',
      slug: 'First-steps',
      title: 'First steps',
      encoding: 'UTF-8',
      content: '# Hello\n\nwörld',
    };
    expect(created).toMatchObject({ status: 201, body: first });
    expect((await guest.get(`${wikis}/First-steps`)).body).toEqual(first);
    const nested = await developer.post(wikis, {
      title: ' guides / deep//Set up ',
      content: 'org',
      format: 'org',
    });
    expect(nested.body).toMatchObject({ slug: 'guides/deep/Set-up', title: 'Set up', format: 'org' });
    expect((await guest.get(`${wikis}/guides%2Fdeep%2FSet-up`)).body).toEqual(nested.body);
    const { body: listed } = await guest.get<Page[]>(wikis);
    expect(listed.map((page) => [page.slug, page.title, 'content' in page])).toEqual([
      ['First-steps', 'First steps', false],
      ['guides/deep/Set-up', 'Set up', false],
    ]);
    const full = await guest.get<Page[]>(`${wikis}?with_content=true&per_page=1&page=2`);
    expect(full.body).toEqual([nested.body]);
    expect(full.headers.get('x-total')).toBe('2');
    const changed = await developer.put(`${wikis}/First-steps`, { content: 'new', format: 'asciidoc' });
    expect(changed).toMatchObject({ status: 200, body: { ...first, content: 'new', format: 'asciidoc' } });
    expect((await guest.get(`${wikis}/First-steps`)).body).toEqual(changed.body);
    expect(await developer.delete(`${wikis}/First-steps`)).toMatchObject({ status: 204, text: '' });
    expect((await guest.get(`${wikis}/First-steps`)).status).toBe(404);
    expect((await guest.get<Page[]>(wikis)).body.map(({ slug }) => slug)).toEqual(['guides/deep/Set-up']);
  });

  it('keep their folder when they get a title without one', async () => {
    await developer.post(wikis, { title: 'a/b/old', content: 'kept' });
    const put = (slug: string, title: string) =>
      developer.put<Page>(`${wikis}/${encodeURIComponent(slug)}`, { title });
    expect((await put('a/b/old', 'new name')).body).toMatchObject({
      slug: 'a/b/new-name',
      content: 'kept',
    });
    expect((await put('a/b/new-name', 'c/moved')).body.slug).toBe('c/moved');
    expect((await put('c/moved', '/top')).body.slug).toBe('top');
    expect((await put('top', 'top')).status).toBe(200);
    expect((await guest.get(`${wikis}/a%2Fb%2Fold`)).status).toBe(404);
  });

  it('are commits of their authors, and reported as events', async () => {
    const id = await makeProject();
    const from = told.length;
    await developer.post(`/projects/${id}/wikis`, { title: 'A page', content: 'one' });
    await developer.put(`/projects/${id}/wikis/A-page`, { title: 'B page' });
    await developer.put(`/projects/${id}/wikis/B-page`, { content: 'one' });
    await developer.delete(`/projects/${id}/wikis/B-page`);
    const wiki = wikiRepository('Project', id);
    const userId = dora.id;
    expect(told.slice(from)).toMatchObject([
      { wiki, action: 'created', slug: 'A-page', title: 'A page', userId },
      { wiki, action: 'updated', slug: 'B-page', userId },
      { wiki, action: 'destroyed', slug: 'B-page', userId },
    ]);
    const { path } = await api.app.get(RepositoriesService, { strict: false }).open(wiki);
    const copy = new WorkingCopy();
    await copy.git('clone', '--quiet', path, '.');
    expect((await copy.git('log', '--reverse', '--format=%an <%ae> %s')).split('\n')).toEqual([
      'Dora Doe <dora@example.com> dora created page: A page',
      'Dora Doe <dora@example.com> dora updated page: B page',
      'Dora Doe <dora@example.com> dora deleted page: B page',
    ]);
    copy.remove();
  });

  it('are returned as of a version', async () => {
    const id = await makeProject();
    const url = `/projects/${id}/wikis`;
    await developer.post(url, { title: 'home', content: 'one' });
    const version = told.at(-1)?.version ?? '';
    await developer.put(`${url}/home`, { content: 'two' });
    expect((await guest.get<Page>(`${url}/home`)).body.content).toBe('two');
    expect((await guest.get<Page>(`${url}/home?version=${version}`)).body.content).toBe('one');
    for (const wrong of ['f'.repeat(40), 'HEAD~1', '--all', 'main', `${version}^`])
      expect((await guest.get(`${url}/home?version=${encodeURIComponent(wrong)}`)).status).not.toBe(200);
  });

  it('are refused without title or content, or if the title exists', async () => {
    const post = (body: Record<string, unknown>) => developer.post(wikis, body);
    await post({ title: 'taken', content: 'x' });
    const blank = ["can't be blank"];
    const duplicate = { base: ['Duplicate page: A page with that title already exists'] };
    const cases: [Record<string, unknown>, unknown][] = [
      [{ content: 'x' }, '400 (Bad request) "title" not given'],
      [{ title: 'x' }, '400 (Bad request) "content" not given'],
      [
        { title: ' ', content: '' },
        { title: blank, content: blank },
      ],
      [{ title: '/', content: 'x' }, { title: blank }],
      [{ title: 'x', content: 'x', format: 'html' }, { format: ['does not have a valid value'] }],
      [{ title: 'taken', content: 'x' }, duplicate],
      [{ title: 'taken', content: 'x', format: 'rdoc' }, duplicate],
      [{ title: 'taken.md/below', content: 'x' }, duplicate],
    ];
    for (const [body, message] of cases)
      expect(await post(body)).toMatchObject({ status: 400, body: { message } });
    await post({ title: 'other', content: 'x' });
    const rename = await developer.put(`${wikis}/other`, { title: 'taken' });
    expect(rename).toMatchObject({ status: 400, body: { message: duplicate } });
    const nothing = await developer.put(`${wikis}/other`, {});
    expect(nothing.body).toEqual({ message: '400 (Bad request) "content" not given' });
    const other = await developer.put(`${wikis}/other`, { format: 'org' });
    expect(other).toMatchObject({ status: 200, body: { slug: 'other', format: 'org', content: 'x' } });
    expect((await developer.get(`${wikis}/other`)).body).toMatchObject({ format: 'org', content: 'x' });
  });
});

describe('access to the wiki of a project', () => {
  it('depends on visibility, role and the access level of the wiki', async () => {
    const open = await makeProject({ visibility: 'public', repository_access_level: 'disabled' });
    const kept = await makeProject({ visibility: 'public', wiki_access_level: 'private' });
    const off = await makeProject({ visibility: 'public' });
    const closed = await makeProject();
    for (const id of [open, kept, off, closed])
      expect((await developer.post(`/projects/${id}/wikis`, { title: 'home', content: 'x' })).status).toBe(
        201,
      );
    await api.root.put(`/projects/${off}`, { wiki_access_level: 'disabled' });
    const reads = async (client: ApiClient, id: number): Promise<number[]> => [
      (await client.get(`/projects/${id}/wikis`)).status,
      (await client.get(`/projects/${id}/wikis/home`)).status,
    ];
    expect(await reads(api.anonymous, open)).toEqual([200, 200]);
    expect(await reads(stranger, open)).toEqual([200, 200]);
    expect(await reads(api.anonymous, kept)).toEqual([401, 401]);
    expect(await reads(stranger, kept)).toEqual([403, 403]);
    expect(await reads(guest, kept)).toEqual([200, 200]);
    expect(await reads(developer, off)).toEqual([403, 403]);
    expect(await reads(api.anonymous, closed)).toEqual([404, 404]);
    expect(await reads(stranger, closed)).toEqual([404, 404]);
    expect(await reads(guest, closed)).toEqual([200, 200]);
    for (const [client, id, status] of [
      [guest, closed, 403],
      [stranger, open, 403],
      [api.anonymous, open, 401],
      [stranger, closed, 404],
    ] as const) {
      const url = `/projects/${id}/wikis`;
      expect((await client.post(url, { title: 'n', content: 'x' })).status).toBe(status);
      expect((await client.put(`${url}/home`, { content: 'y' })).status).toBe(status);
      expect((await client.delete(`${url}/home`)).status).toBe(status);
    }
    await api.root.post(`/projects/${closed}/archive`);
    expect((await developer.put(`/projects/${closed}/wikis/home`, { content: 'y' })).status).toBe(403);
  });
});
