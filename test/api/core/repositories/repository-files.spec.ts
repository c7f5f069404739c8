import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createHash } from 'node:crypto';
import { symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT_TOKEN, type TestApi } from '../../../support/api.js';
import type { ApiClient } from '../../../support/client.js';
import { codeProject, coder, refusalOf, type CodeProject } from '../../../support/code.js';
import { borrowApi } from '../../../support/shared-api.js';

let api: TestApi;
let project: CodeProject;
let other: CodeProject;
let reader: ApiClient;
const ids: string[] = [];
const HTML = '<script>alert(1)</script>';
const LARGE = 11 * 1024 * 1024;

beforeAll(async () => {
  api = await borrowApi();
  project = await codeProject(api, 'code');
  other = await codeProject(api, 'other');
  const { work } = project;
  const path = (name: string): string => join(work.path, name);
  ids.push(
    await work.commit({ 'docs/read me.md': 'one\ntwo\nthree\n', 'page.html': HTML, empty: '' }, 'First'),
  );
  symlinkSync('docs', path('link'));
  writeFileSync(path('bytes.bin'), Buffer.from([0, 1, 255]));
  writeFileSync(path('large.bin'), Buffer.alloc(LARGE, 'x'));
  writeFileSync(path('größe.txt'), 'é');
  ids.push(await work.commit({ 'docs/read me.md': 'one\n2\nthree\n', '*.md': 'star' }, 'Second\n\nmore'));
  await work.git('update-index', '--add', '--cacheinfo', `160000,${ids[0]},sub`);
  await work.git('update-index', '--chmod=+x', 'page.html');
  await work.git('commit', '-q', '-m', 'Third');
  ids.push(await work.git('rev-parse', 'HEAD'));
  await project.push();
  await other.work.commit({ secret: 'secret' });
  await other.push();
  reader = await coder(api, 'reader', { id: project.id, role: 20, scopes: ['read_repository'] });
});
afterAll(async () => {
  project.work.remove();
  other.work.remove();
  await api.close();
});

const at = (path: string, rest = ''): string => `${project.base}/files/${encodeURIComponent(path)}${rest}`;

describe('a file', () => {
  it('is shown with its content and its last commit', async () => {
    const { body, headers } = await api.root.get(at('docs/read me.md', '?ref=main'));
    const content = 'one\n2\nthree\n';
    expect(body).toEqual({
      file_name: 'read me.md',
      file_path: 'docs/read me.md',
      size: 12,
      encoding: 'base64',
      content: Buffer.from(content).toString('base64'),
      content_sha256: createHash('sha256').update(content).digest('hex'),
      ref: 'main',
      blob_id: await project.work.git('rev-parse', 'HEAD:docs/read me.md'),
      commit_id: ids[2],
      last_commit_id: ids[1],
      execute_filemode: false,
    });
    expect(headers.get('x-gitlab-last-commit-id')).toBe(ids[1]);
    expect((await api.root.get(at('docs/read me.md', `?ref=${ids[0]}`))).body).toMatchObject({
      size: 14,
      last_commit_id: ids[0],
    });
    expect((await api.root.get(at('page.html'))).body).toMatchObject({ ref: 'HEAD', execute_filemode: true });
    expect((await api.root.get(at('empty'))).body).toMatchObject({ size: 0, content: '' });
    expect((await api.root.get(at('*.md'))).body).toMatchObject({
      file_path: '*.md',
      last_commit_id: ids[1],
    });
    expect((await api.root.get(at('link'))).body).toMatchObject({
      content: Buffer.from('docs').toString('base64'),
    });
  });

  it('returns only headers, also of large files', async () => {
    const { status, text, headers } = await api.root.send('HEAD', at('größe.txt', '?ref=main'));
    expect([status, text]).toEqual([200, '']);
    expect(headers.get('x-gitlab-file-name')).toBe('gr%C3%B6%C3%9Fe.txt');
    expect(headers.get('x-gitlab-size')).toBe('2');
    expect(headers.get('x-gitlab-execute-filemode')).toBe('false');
    const large = await api.root.send('HEAD', at('large.bin'));
    expect(large.headers.get('x-gitlab-size')).toBe(String(LARGE));
    expect(large.headers.get('x-gitlab-content-sha256')).toHaveLength(64);
    expect((await api.root.get(at('large.bin'))).status).toBe(400);
  });

  it('is found only at its encoded path, and only inside its project', async () => {
    const paths = [
      'none',
      'docs',
      'sub',
      '../other/secret',
      '/etc/passwd',
      '.git/config',
      'docs/../page.html',
      './page.html',
      '--help',
      ':/page.html',
      'page.html/',
      'x'.repeat(4000),
    ];
    for (const path of paths)
      for (const rest of ['', '/raw', '/blame'])
        expect([path, rest, ...refusalOf(await api.root.get(at(path, rest)))]).toEqual([
          path,
          rest,
          404,
          '404 File Not Found',
        ]);
    expect((await api.root.get(`${project.base}/files/docs/read%20me.md?ref=main`)).status).toBe(404);
    expect((await api.root.get(at('a\0b'))).status).toBe(400);
    for (const ref of ['none', 'HEAD~1', 'main..x', '--all', '@{-1}', `${ids[0]}^`])
      expect(refusalOf(await api.root.get(at('page.html', `?ref=${encodeURIComponent(ref)}`)))).toEqual([
        404,
        '404 Commit Not Found',
      ]);
    expect((await api.root.get(at('page.html', '?ref[]=main'))).status).toBe(400);
    expect((await api.root.get(`/projects/${other.id}/repository/files/page.html`)).status).toBe(404);
  });

  it('can be read with the scope read_repository only', async () => {
    expect((await reader.get(at('page.html'))).status).toBe(200);
    expect((await reader.get(at('page.html', '/raw'))).status).toBe(200);
    expect((await reader.get(`${project.base}/commits`)).status).toBe(403);
    expect(
      (await reader.put(at('page.html'), { branch: 'main', content: '', commit_message: 'x' })).status,
    ).toBe(403);
    expect((await api.anonymous.get(at('page.html'))).status).toBe(404);
  });
});

describe('raw content', () => {
  it('is sent as an attachment that no browser executes', async () => {
    const { text, headers } = await api.root.get(at('page.html', '/raw?ref=main'));
    expect(text).toBe(HTML);
    expect(headers.get('content-type')).toBe('text/plain; charset=utf-8');
    expect(headers.get('content-disposition')).toBe(
      `attachment; filename="page.html"; filename*=UTF-8''page.html`,
    );
    expect(headers.get('x-content-type-options')).toBe('nosniff');
    expect(headers.get('content-security-policy')).toContain('sandbox');
    expect(headers.get('content-length')).toBe(String(HTML.length));
    const named = (all: Headers): string[][] =>
      [...all].filter(([name]) => name.startsWith('x-gitlab-')).sort();
    const asked = named((await api.root.send('HEAD', at('page.html', '?ref=main'))).headers);
    expect(asked).toHaveLength(10);
    expect(named(headers)).toEqual(asked);
    expect(named((await api.root.send('HEAD', at('page.html', '/raw?ref=main'))).headers)).toEqual(asked);
    expect(named((await api.root.get(at('page.html', '/blame?ref=main'))).headers)).toEqual(asked);
    const bytes = await api.root.get(at('bytes.bin', '/raw'));
    expect(bytes.headers.get('content-type')).toBe('application/octet-stream');
    expect((await api.root.get(at('empty', '/raw'))).text).toBe('');
    const name = (await api.root.get(at('größe.txt', '/raw'))).headers.get('content-disposition');
    expect(name).toBe(`attachment; filename="gr__e.txt"; filename*=UTF-8''gr%C3%B6%C3%9Fe.txt`);
  });

  it('is streamed completely, even if another client disconnects', async () => {
    // More than may be streamed at the same time.
    for (let count = 0; count < 40; count += 1) {
      const gone = new AbortController();
      const begun = await fetch(`${api.url}/api/v4${at('large.bin', '/raw')}`, {
        headers: { 'PRIVATE-TOKEN': ROOT_TOKEN },
        signal: gone.signal,
      });
      expect(begun.status).toBe(200);
      gone.abort();
      await expect(begun.text()).rejects.toThrow();
    }
    expect((await api.root.get(at('large.bin', '/raw'))).text).toHaveLength(LARGE);
    const head = await api.root.send('HEAD', at('large.bin', '/raw'));
    expect([head.status, head.text, head.headers.get('content-length')]).toEqual([200, '', String(LARGE)]);
  });
});

describe('the blame of a file', () => {
  it('covers all lines or a range', async () => {
    const { body } = await api.root.get<{ commit: { id: string }; lines: string[] }[]>(
      at('docs/read me.md', '/blame?ref=main'),
    );
    expect(body.map(({ commit, lines }) => [commit.id, lines])).toEqual([
      [ids[0], ['one']],
      [ids[1], ['2']],
      [ids[0], ['three']],
    ]);
    expect(body[1]).toMatchObject({
      commit: { message: 'Second\n\nmore\n', parent_ids: [ids[0]], author_name: 'Ada' },
    });
    const some = await api.root.get<{ lines: string[] }[]>(
      at('docs/read me.md', '/blame?range[start]=2&range[end]=9'),
    );
    expect(some.body.map(({ lines }) => lines)).toEqual([['2'], ['three']]);
    expect((await api.root.get(at('docs/read me.md', '/blame?range[start]=8&range[end]=9'))).body).toEqual(
      [],
    );
    expect((await api.root.get(at('empty', '/blame'))).body).toEqual([]);
    for (const query of [
      'range[start]=3&range[end]=2',
      'range[start]=1',
      'range[start]=-1&range[end]=2',
      'range=1',
    ])
      expect([query, (await api.root.get(at('docs/read me.md', `/blame?${query}`))).status]).toEqual([
        query,
        400,
      ]);
  });
});

describe('commits of one file', () => {
  const change = { branch: 'main', commit_message: 'Change' };

  it('create, update and remove it', async () => {
    const path = 'new/ä b.txt';
    const made = await api.root.post(at(path), { ...change, content: 'YQ==', encoding: 'base64' });
    expect([made.status, made.body]).toEqual([201, { file_path: path, branch: 'main' }]);
    expect(refusalOf(await api.root.post(at(path), { ...change, content: '' }))).toEqual([
      400,
      'A file with this name already exists',
    ]);
    expect((await api.root.get(at(path, '/raw'))).text).toBe('a');
    const seen = (await api.root.get<{ last_commit_id: string }>(at(path))).body.last_commit_id;
    const put = await api.root.put(at(path), {
      ...change,
      content: 'b',
      execute_filemode: true,
      last_commit_id: seen,
    });
    expect([put.status, put.body]).toEqual([200, { file_path: path, branch: 'main' }]);
    expect((await api.root.get(at(path))).body).toMatchObject({ execute_filemode: true, size: 1 });
    const late = await api.root.put(at(path), { ...change, content: 'c', last_commit_id: seen });
    expect(refusalOf(late)[1]).toContain('has changed since you started editing it');
    const query = new URLSearchParams(change).toString();
    expect((await api.root.delete(at(path, `?${query}`))).status).toBe(204);
    expect(refusalOf(await api.root.delete(at(path, `?${query}`)))).toEqual([
      400,
      "A file with this name doesn't exist",
    ]);
    const side = await api.root.post(at('side'), {
      ...change,
      branch: 'side',
      start_branch: 'main',
      content: 's',
      author_email: 'eve@example.com',
      author_name: 'Eve',
    });
    expect(side.status).toBe(201);
    expect((await api.root.get(`${project.base}/commits/side`)).body).toMatchObject({ author_name: 'Eve' });
  });

  it('require the same permissions as any commit', async () => {
    expect((await api.root.post(at('x'), { branch: 'main', content: '' })).status).toBe(400);
    expect((await api.root.post(at('x'), { commit_message: 'x', content: '' })).status).toBe(400);
    expect((await api.root.post(at('x'), change)).status).toBe(400);
    for (const path of ['../x', '.git/config', '/etc/passwd', 'a/../b'])
      expect([path, (await api.root.post(at(path), { ...change, content: '' })).status]).toEqual([path, 400]);
    expect((await api.root.post(at('x'), { ...change, content: ['a'] })).status).toBe(400);
    expect(refusalOf(await api.root.put(at('none'), { ...change, content: '' }))).toEqual([
      400,
      "A file with this name doesn't exist",
    ]);
  });
});
