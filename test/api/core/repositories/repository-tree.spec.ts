import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { execFileSync } from 'node:child_process';
import type { TestApi } from '../../../support/api.js';
import type { Answer } from '../../../support/client.js';
import { codeProject, refusalOf, type CodeProject } from '../../../support/code.js';
import { borrowApi } from '../../../support/shared-api.js';

interface Entry {
  id: string;
  name: string;
  type: string;
  path: string;
  mode: string;
}

let api: TestApi;
let project: CodeProject;
let wide: CodeProject;
let first: string;
const FILES = 100_000;

/** Creates a commit of many files with the same content, without writing them. */
async function wideTree({ work }: CodeProject): Promise<void> {
  await work.commit({ same: 'same' });
  const blob = await work.git('rev-parse', 'HEAD:same');
  const lines = Array.from(
    { length: FILES },
    (_, index) => `100644 blob ${blob}\tf${String(index).padStart(6, '0')}\n`,
  );
  const input = lines.join('');
  const tree = execFileSync('git', ['mktree'], { cwd: work.path, input }).toString().trim();
  await work.git('update-ref', 'refs/heads/main', await work.git('commit-tree', '-m', 'Wide', tree));
}

beforeAll(async () => {
  api = await borrowApi();
  project = await codeProject(api, 'code');
  const { work } = project;
  first = await work.commit(
    { 'a.txt': 'same', 'b.txt': 'same', 'docs/x.md': 'x', 'docs/deep/y.md': 'same', 'z*': 'z' },
    'First',
  );
  await work.git('update-index', '--add', '--cacheinfo', `160000,${first},aa-sub`);
  const odd = await work.git('rev-parse', 'HEAD:a.txt');
  await work.git('update-index', '--add', '--cacheinfo', `120000,${odd},link`);
  await work.git('commit', '-q', '-m', 'Odd');
  await project.push();
  wide = await codeProject(api, 'wide');
  await wideTree(wide);
  await wide.push();
});
afterAll(async () => {
  project.work.remove();
  wide.work.remove();
  await api.close();
});

const tree = (query = '', { base } = project): Promise<Answer<Entry[]>> =>
  api.root.get<Entry[]>(`${base}/tree?${query}`);
const paths = async (query = ''): Promise<string[]> => (await tree(query)).body.map(({ path }) => path);

/** Follows the links of keyset pages to the end. */
async function walk(query: string): Promise<string[]> {
  const found: string[] = [];
  for (let next: string | undefined = `${project.base}/tree?pagination=keyset&${query}`; next;) {
    const answer: Answer<Entry[]> = await api.root.get<Entry[]>(next);
    expect(answer.status).toBe(200);
    found.push(...answer.body.map(({ path }) => path));
    next = /<http:\/\/forgeplane.test\/api\/v4([^>]+)>; rel="next"/.exec(
      answer.headers.get('link') ?? '',
    )?.[1];
  }
  return found;
}

describe('a tree', () => {
  it('lists folders, then files, then submodules', async () => {
    const { body, headers } = await tree();
    expect(body.map(({ type, path, mode }) => [type, path, mode])).toEqual([
      ['tree', 'docs', '040000'],
      ['blob', 'a.txt', '100644'],
      ['blob', 'b.txt', '100644'],
      ['blob', 'link', '120000'],
      ['blob', 'z*', '100644'],
      ['commit', 'aa-sub', '160000'],
    ]);
    expect(body[5]?.id).toBe(first);
    expect(headers.get('x-total')).toBe('6');
  });

  it('lists one folder, or recursively', async () => {
    expect((await tree('path=docs')).body).toMatchObject([
      { name: 'deep', path: 'docs/deep', type: 'tree' },
      { name: 'x.md', path: 'docs/x.md', type: 'blob' },
    ]);
    expect(await paths('path=/docs/deep/')).toEqual(['docs/deep/y.md']);
    expect(await paths('path=docs&recursive=true')).toEqual(['docs/deep', 'docs/deep/y.md', 'docs/x.md']);
    expect(await paths('recursive=true')).toHaveLength(9);
    expect(await paths(`ref=${first}`)).not.toContain('link');
  });

  it('is paginated by number and by token', async () => {
    expect(await paths('per_page=2&page=2')).toEqual(['b.txt', 'link']);
    expect(await paths('per_page=4&page=2')).toEqual(['z*', 'aa-sub']);
    const all = await paths('recursive=true&per_page=100');
    expect(await walk('recursive=true&per_page=2')).toEqual(all);
    expect(await walk('per_page=1')).toEqual(await paths());
    const byId = await tree(`pagination=keyset&per_page=1&page_token=${(await tree()).body[0]?.id}`);
    expect(byId.body.map(({ path }) => path)).toEqual(['a.txt']);
    for (const token of ['x', 'f'.repeat(40), 'tree.', '--all'])
      expect([token, (await tree(`pagination=keyset&page_token=${token}`)).status]).toEqual([token, 400]);
  });

  it('shows names that are not UTF-8 as well as possible', async () => {
    const odd = await codeProject(api, 'odd');
    await odd.work.commit({ same: 'same' });
    const blob = await odd.work.git('rev-parse', 'HEAD:same');
    const names = ['a\xff', 'b\xfe', 'line\nend'];
    const input = Buffer.from(names.map((name) => `100644 blob ${blob}\t${name}\0`).join(''), 'latin1');
    const made = execFileSync('git', ['mktree', '-z'], { cwd: odd.work.path, input }).toString().trim();
    await odd.work.git('update-ref', 'refs/heads/main', await odd.work.git('commit-tree', '-m', 'Odd', made));
    await odd.push();
    odd.work.remove();
    const shown = ['a\ufffd', 'b\ufffd', 'line\nend'];
    expect((await tree('', odd)).body.map(({ name }) => name)).toEqual(shown);
    const page = await tree('pagination=keyset&per_page=1', odd);
    const next = /page_token=([^&>]+)/.exec(page.headers.get('link') ?? '')?.[1];
    expect((await tree(`pagination=keyset&page_token=${next}`, odd)).body.map(({ name }) => name)).toEqual(
      shown.slice(1),
    );
    const diff = await api.root.get<{ new_path: string }[]>(`${odd.base}/commits/main/diff`);
    expect(diff.body.map(({ new_path: path }) => path)).toEqual(shown);
    const file = await api.root.get(`${odd.base}/files/${encodeURIComponent('line\nend')}?ref=main`);
    expect(file.body).toMatchObject({ file_name: 'line\nend', size: 4 });
    expect(file.headers.get('x-gitlab-file-name')).toBe('line%0Aend');
  });

  it('is paginated in a short time if it is wide', async () => {
    const started = Date.now();
    const last = await tree('per_page=100&page=500', wide);
    expect(last.body.at(-1)?.name).toBe('f049999');
    expect(last.headers.get('x-total')).toBeNull();
    const token = `blob.${Buffer.from('f099990').toString('base64url')}`;
    const end = await tree(`pagination=keyset&page_token=${token}`, wide);
    expect(end.body).toHaveLength(9);
    expect(end.headers.get('link')).toBeNull();
    expect(Date.now() - started).toBeLessThan(10_000);
    expect((await tree('per_page=100&page=501', wide)).status).toBe(405);
  });

  it('returns 404 for any other path', async () => {
    for (const path of [
      'none',
      'a.txt',
      'aa-sub',
      '../other',
      '.git',
      'docs/../docs',
      '--help',
      ':/docs',
      'docs//deep',
      'do*',
    ])
      expect([path, ...refusalOf(await tree(`path=${encodeURIComponent(path)}`))]).toEqual([
        path,
        404,
        '404 Tree Not Found',
      ]);
    for (const ref of ['none', 'HEAD~1', 'main:docs', '-r', 'main..main'])
      expect([ref, ...refusalOf(await tree(`ref=${encodeURIComponent(ref)}`))]).toEqual([
        ref,
        404,
        '404 Tree Not Found',
      ]);
    const empty = await codeProject(api, 'empty');
    empty.work.remove();
    expect(refusalOf(await tree('', empty))).toEqual([404, '404 Tree Not Found']);
    expect((await tree('path[]=docs')).status).toBe(400);
    expect((await tree('path=%00')).status).toBe(400);
  });
});

describe('a blob', () => {
  it('is found by its id', async () => {
    const id = await project.work.git('rev-parse', 'HEAD:docs/x.md');
    for (const name of [id, id.slice(0, 9)])
      expect((await api.root.get(`${project.base}/blobs/${name}`)).body).toEqual({
        size: 1,
        encoding: 'base64',
        content: Buffer.from('x').toString('base64'),
        sha: id,
      });
    const raw = await api.root.get(`${project.base}/blobs/${id}/raw`);
    expect(raw.text).toBe('x');
    expect(raw.headers.get('content-disposition')).toContain('attachment');
    expect(raw.headers.get('content-type')).toBe('text/plain; charset=utf-8');
  });

  it('is not found by any other name', async () => {
    const treeId = await project.work.git('rev-parse', 'HEAD:docs');
    for (const name of [
      first,
      treeId,
      'main:a.txt',
      'HEAD:a.txt',
      'f'.repeat(40),
      'main',
      '--batch',
      `${first}:a.txt`,
    ])
      for (const rest of ['', '/raw'])
        expect([
          name,
          ...refusalOf(await api.root.get(`${project.base}/blobs/${encodeURIComponent(name)}${rest}`)),
        ]).toEqual([name, 404, '404 Blob Not Found']);
    const id = await project.work.git('rev-parse', 'HEAD:docs/x.md');
    expect((await api.root.get(`${wide.base}/blobs/${id}`)).status).toBe(404);
  });
});
