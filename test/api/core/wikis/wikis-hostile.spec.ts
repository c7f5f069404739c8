import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { wikiRepository } from '#core/repositories/repository-ref.js';
import type { TestApi } from '../../../support/api.js';
import { buildProject } from '../../../support/builders/project.js';
import { seedRepository, WorkingCopy } from '../../../support/git.js';
import { borrowApi } from '../../../support/shared-api.js';

interface Page {
  readonly slug: string;
  readonly content: string;
}

let api: TestApi;
beforeAll(async () => {
  api = await borrowApi();
});
afterAll(() => api.close());

const makeProject = async (): Promise<number> => (await buildProject(api.root)).id;

describe('hostile wikis', () => {
  let wikis: string;
  let id: number;
  beforeAll(async () => {
    id = await makeProject();
    wikis = `/projects/${id}/wikis`;
    await api.root.post(wikis, { title: 'home', content: 'x' });
  });

  it.each(['../home', '../../etc/passwd', '.git/config', '--all', 'a\0b', ':(glob)*', 'x/../home', 'home\n'])(
    'find no page for the slug %j, and create none',
    async (slug) => {
      const url = `${wikis}/${encodeURIComponent(slug)}`;
      for (const { status } of [
        await api.root.get(url),
        await api.root.put(url, { content: 'x' }),
        await api.root.delete(url),
      ])
        expect([400, 404]).toContain(status);
    },
  );

  it.each(['../x', 'a/../../x', '.git/config', 'a/.GIT/x', 'git~1/x', 'a\nb', 'a\tb', 'a\0b'])(
    'create no page with the title %j',
    async (title) => {
      const made = await api.root.post(wikis, { title, content: 'x' });
      expect(made).toMatchObject({ status: 400, body: { message: { title: [expect.any(String)] } } });
    },
  );

  it('refuse values of other types and long content', async () => {
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
      expect((await api.root.post(wikis, body)).status).toBe(400);
    expect((await api.root.get(`${wikis}/home?version[]=a`)).status).toBe(400);
    expect((await api.root.get<Page[]>(wikis)).body.map(({ slug }) => slug)).toEqual(['home']);
  });

  it('treat names that look like options as names', async () => {
    expect((await api.root.post(wikis, { title: '--all', content: 'option' })).status).toBe(201);
    expect((await api.root.get<Page>(`${wikis}/--all`)).body.content).toBe('option');
    expect((await api.root.delete(`${wikis}/--all`)).status).toBe(204);
  });

  it('show markup of their own as text', async () => {
    const content = [
      '---\ntitle: hidden\n---\n# Title *x*',
      '<script>alert(1)</script> <img src=x onerror=alert(1)>',
      '[a](javascript:alert(1)) [b](JaVaScRiPt&#58;alert(1)) [c](vbscript:x) ![d](data:text/html;base64,xx)',
      '[good](https://example.com "a\\"b")',
    ].join('\n\n');
    await api.root.post(wikis, { title: 'evil', content });
    await api.root.post(wikis, { title: 'evil-org', content: '<b>x</b>', format: 'org' });
    const { body } = await api.root.get<Page>(`${wikis}/evil?render_html=true`);
    expect(body.content).toContain('<h1>Title <em>x</em></h1>');
    expect(body.content).toContain('<a href="https://example.com"');
    expect(body.content).not.toMatch(/<script|<img|href="(javascript|vbscript|data)|hidden/i);
    expect((await api.root.get<Page>(`${wikis}/evil?render_html=false`)).body.content).toBe(content);
    const org = await api.root.get<Page>(`${wikis}/evil-org?render_html=1`);
    expect(org.body.content).toBe('<pre>&lt;b&gt;x&lt;/b&gt;</pre>');
    const long = 'a\n'.repeat(200_000);
    await api.root.put(`${wikis}/evil`, { content: long });
    expect((await api.root.get<Page>(`${wikis}/evil?render_html=1`)).body.content).toMatch(/^<pre>a\n/);
  });

  it('are shown as written if their HTML would be far longer', async () => {
    const pages: [string, string, RegExp][] = [
      [
        'few',
        `[r]: /${'u'.repeat(5_000)}\n\n${'[r] '.repeat(50)}`,
        /^<p>(<a href="\/u{5000}">r<\/a>\s*){50}<\/p>/,
      ],
      ['many', `[r]: /${'u'.repeat(5_000)}\n\n${'[r] '.repeat(1_000)}`, /^<pre>\[r\]: \/u/],
      ['too-many', `[r]: /${'u'.repeat(131_000)}\n\n${'![r] '.repeat(26_000)}`, /^<pre>\[r\]: \/u/],
    ];
    for (const [title, content, expected] of pages) {
      await api.root.post(wikis, { title, content });
      const { body } = await api.root.get<Page>(`${wikis}/${title}?render_html=true`);
      expect([title, expected.test(body.content)]).toEqual([title, true]);
    }
  });

  it('follow no links, and treat only files with known extensions as pages', async () => {
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
    const { body } = await api.root.get<Page[]>(`${url}?with_content=1`);
    expect(body.map(({ slug, content }) => [slug, content])).toEqual([
      ['dir/x', 'adoc'],
      ['my page', 'blank'],
      ['ok', 'fine'],
    ]);
    expect((await api.root.get<Page>(`${url}/my%20page`)).body.content).toBe('blank');
    for (const slug of ['passwd', 'big', 'up%2Fok', 'code', 'up%2Fpasswd'])
      expect((await api.root.get(`${url}/${slug}`)).status).toBe(404);
    for (const title of ['passwd', 'up/x', 'big'])
      expect((await api.root.post(url, { title, content: 'x' })).status).toBe(400);
    expect((await api.root.put(`${url}/passwd`, { content: 'x' })).status).toBe(404);
    expect((await api.root.delete(`${url}/my%20page`)).status).toBe(204);
  });

  it('are not listed if their paths are too large together, although they are in a few objects', async () => {
    const other = await makeProject();
    const work = await new WorkingCopy().init();
    const blob = await work.pipe(['hash-object', '-w', '--stdin'], 'x');
    const lines = Array.from({ length: 20_000 }, (_, number) => `100644 blob ${blob}\t${number}.md\n`);
    let tree = await work.pipe(['mktree'], lines.join(''));
    for (let level = 0; level < 15; level += 1)
      tree = await work.pipe(['mktree'], `040000 tree ${tree}\t${'d'.repeat(250)}\n`);
    await work.git('update-ref', 'refs/heads/main', await work.git('commit-tree', '-m', 'Deep', tree));
    await seedRepository(api, wikiRepository('Project', other), work);
    work.remove();
    const { status, body } = await api.root.get(`/projects/${other}/wikis`);
    expect([status, body]).toEqual([400, { message: 'The wiki has too many files.' }]);
  });

  it('are not returned in one response above the size limit', async () => {
    const other = await makeProject();
    const work = await new WorkingCopy().init();
    const large = 'x'.repeat(1024 * 1024);
    await work.commit(Object.fromEntries([...Array(17).keys()].map((n) => [`p${n}.md`, large])));
    await seedRepository(api, wikiRepository('Project', other), work);
    work.remove();
    const url = `/projects/${other}/wikis?with_content=1`;
    expect((await api.root.get(url)).status).toBe(400);
    expect((await api.root.get<Page[]>(`${url}&per_page=2`)).body[1]?.content).toHaveLength(large.length);
  });
});
