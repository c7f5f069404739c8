import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { DomainEvents } from '#kernel/events/domain-events.js';
import { wikiRepository } from '#core/repositories/repository-ref.js';
import { Repositories } from '#core/repositories/repositories.service.js';
import { WikiPageChanged } from '#core/wikis/wiki-page-changed.event.js';
import { startApi, type TestApi } from '../support/api.js';
import { buildMember } from '../support/builders/member.js';
import { createUser, type CreatedUser } from '../support/builders/user.js';
import type { ApiClient } from '../support/client.js';
import { seedRepository, WorkingCopy } from '../support/git.js';

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

  it('are none before the first is written', async () => {
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
    const { content: _content, ...listed } = first;
    expect((await guest.get(wikis)).body).toEqual([listed, expect.objectContaining({ title: 'Set up' })]);
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

  it('are commits of their authors, and told of', async () => {
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
    const { path } = await api.app.get(Repositories, { strict: false }).open(wiki);
    const copy = new WorkingCopy();
    await copy.git('clone', '--quiet', path, '.');
    expect((await copy.git('log', '--reverse', '--format=%an <%ae> %s')).split('\n')).toEqual([
      'Dora Doe <dora@example.com> dora created page: A page',
      'Dora Doe <dora@example.com> dora updated page: B page',
      'Dora Doe <dora@example.com> dora deleted page: B page',
    ]);
    copy.remove();
  });

  it('are read as they were in a version', async () => {
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

  it('are refused without title or content, and when the title is taken', async () => {
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
    const nothing = await developer.put(`${wikis}/other`, { format: 'org' });
    expect(nothing.body).toEqual({ message: '400 (Bad request) "content" not given' });
  });
});

describe('rights in the wiki of a project', () => {
  it('follow visibility, role and the access level of the wiki', async () => {
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

describe('hostile wikis', () => {
  let wikis: string;
  let id: number;
  beforeAll(async () => {
    id = await makeProject();
    wikis = `/projects/${id}/wikis`;
    await developer.post(wikis, { title: 'home', content: 'x' });
  });

  it.each(['../home', '../../etc/passwd', '.git/config', '--all', 'a\0b', ':(glob)*', 'x/../home', 'home\n'])(
    'find no page for the slug %j, and make none',
    async (slug) => {
      const url = `${wikis}/${encodeURIComponent(slug)}`;
      for (const { status } of [
        await guest.get(url),
        await developer.put(url, { content: 'x' }),
        await developer.delete(url),
      ])
        expect([400, 404]).toContain(status);
    },
  );

  it.each(['../x', 'a/../../x', '.git/config', 'a/.GIT/x', 'git~1/x', 'a\nb', 'a\tb', 'a\0b'])(
    'make no page of the title %j',
    async (title) => {
      const made = await developer.post(wikis, { title, content: 'x' });
      expect(made).toMatchObject({ status: 400, body: { message: { title: [expect.any(String)] } } });
    },
  );

  it('refuse values of other shapes and long content', async () => {
    for (const body of [
      { title: ['a'], content: 'x' },
      { title: { a: 1 }, content: 'x' },
      { title: 'a', content: ['x'] },
      { title: 'a', content: 'x'.repeat(1024 * 1024 + 1) },
      { title: 'a', content: 'ü'.repeat(600_000) },
      { title: `${'d'.repeat(256)}/a`, content: 'x' },
      { title: 'ü'.repeat(123), content: 'x' },
      { title: 'x'.repeat(10_240), content: 'x' },
    ])
      expect((await developer.post(wikis, body)).status).toBe(400);
    expect((await guest.get(`${wikis}/home?version[]=a`)).status).toBe(400);
    expect((await guest.get<Page[]>(wikis)).body.map(({ slug }) => slug)).toEqual(['home']);
  });

  it('take names that look like options for names', async () => {
    expect((await developer.post(wikis, { title: '--all', content: 'option' })).status).toBe(201);
    expect((await guest.get<Page>(`${wikis}/--all`)).body.content).toBe('option');
    expect((await developer.delete(`${wikis}/--all`)).status).toBe(204);
  });

  it('show markup of their own as text', async () => {
    const content = [
      '---\ntitle: hidden\n---\n# Title *x*',
      '<script>alert(1)</script> <img src=x onerror=alert(1)>',
      '[a](javascript:alert(1)) [b](JaVaScRiPt&#58;alert(1)) [c](vbscript:x) ![d](data:text/html;base64,xx)',
      '[good](https://example.com "a\\"b")',
    ].join('\n\n');
    await developer.post(wikis, { title: 'evil', content });
    await developer.post(wikis, { title: 'evil-org', content: '<b>x</b>', format: 'org' });
    const { body } = await guest.get<Page>(`${wikis}/evil?render_html=true`);
    expect(body.content).toContain('<h1>Title <em>x</em></h1>');
    expect(body.content).toContain('<a href="https://example.com"');
    expect(body.content).not.toMatch(/<script|<img|href="(javascript|vbscript|data)|hidden/i);
    expect((await guest.get<Page>(`${wikis}/evil?render_html=false`)).body.content).toBe(content);
    const org = await guest.get<Page>(`${wikis}/evil-org?render_html=1`);
    expect(org.body.content).toBe('<pre>&lt;b&gt;x&lt;/b&gt;</pre>');
    const long = 'a\n'.repeat(200_000);
    await developer.put(`${wikis}/evil`, { content: long });
    expect((await guest.get<Page>(`${wikis}/evil?render_html=1`)).body.content).toMatch(/^<pre>a\n/);
  });

  it('follow no links, and take only files with known extensions for pages', async () => {
    const other = await makeProject();
    const work = await new WorkingCopy().init();
    symlinkSync('/etc/passwd', join(work.path, 'passwd.md'));
    symlinkSync('..', join(work.path, 'up'));
    const files = {
      'ok.md': 'fine',
      'my page.markdown': 'blank',
      'big.md': 'x'.repeat(1024 * 1024 + 1),
      'code.js': 'no',
      '.md': 'no',
      'dir/x.adoc': 'adoc',
    };
    await work.commit(files);
    await seedRepository(api, wikiRepository('Project', other), work);
    work.remove();
    const url = `/projects/${other}/wikis`;
    const { body } = await guest.get<Page[]>(`${url}?with_content=1`);
    expect(body.map(({ slug, content }) => [slug, content])).toEqual([
      ['dir/x', 'adoc'],
      ['my page', 'blank'],
      ['ok', 'fine'],
    ]);
    expect((await guest.get<Page>(`${url}/my%20page`)).body.content).toBe('blank');
    for (const slug of ['passwd', 'big', 'up%2Fok', 'code', 'up%2Fpasswd'])
      expect((await guest.get(`${url}/${slug}`)).status).toBe(404);
    for (const title of ['passwd', 'up/x', 'big'])
      expect((await developer.post(url, { title, content: 'x' })).status).toBe(400);
    expect((await developer.put(`${url}/passwd`, { content: 'x' })).status).toBe(404);
    expect((await developer.delete(`${url}/my%20page`)).status).toBe(204);
  });

  it('do not answer more than they should at once', async () => {
    const other = await makeProject();
    const work = await new WorkingCopy().init();
    const large = 'x'.repeat(1024 * 1024);
    await work.commit(Object.fromEntries([...Array(17).keys()].map((n) => [`p${n}.md`, large])));
    await seedRepository(api, wikiRepository('Project', other), work);
    work.remove();
    const url = `/projects/${other}/wikis?with_content=1`;
    expect((await guest.get(url)).status).toBe(400);
    expect((await guest.get<Page[]>(`${url}&per_page=2`)).body[1]?.content).toHaveLength(large.length);
  });
});
