import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { chmodSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { TestApi } from '../../../support/api.js';
import { codeProject, refusalOf, type CodeProject } from '../../../support/code.js';
import { borrowApi } from '../../../support/shared-api.js';

interface Diff {
  diff: string;
  old_path: string;
  new_path: string;
  a_mode: string;
  b_mode: string;
  new_file: boolean;
  renamed_file: boolean;
  deleted_file: boolean;
  too_large: boolean;
  collapsed: boolean;
}

let api: TestApi;
let project: CodeProject;
let many: CodeProject;
let first: string;
let kinds: string;

const lines = (count: number, text = 'line'): string =>
  Array.from({ length: count }, (_, index) => `${text} ${index}\n`).join('');

beforeAll(async () => {
  api = await borrowApi();
  project = await codeProject(api, 'code');
  const { work } = project;
  const path = (name: string): string => join(work.path, name);
  first = await work.commit(
    {
      'a.txt': 'one\ntwo\n',
      'old name.txt': lines(20),
      gone: 'gone\n',
      type: 'was a file\n',
      'run.sh': 'true\n',
    },
    'First',
  );
  await work.git('mv', 'old name.txt', 'näme\ttab.txt');
  rmSync(path('gone'));
  rmSync(path('type'));
  symlinkSync('a.txt', path('type'));
  chmodSync(path('run.sh'), 0o755);
  writeFileSync(path('bytes'), Buffer.from([0, 1, 2, 255]));
  writeFileSync(path('latin'), Buffer.from([0xe9, 0x0a]));
  await work.commit(
    { 'a.txt': 'one\n2\n', 'large.txt': lines(20_000), 'z.txt': 'diff --git a/x b/x\n' },
    'Kinds',
  );
  await work.git('update-index', '--add', '--cacheinfo', `160000,${first},sub`);
  await work.git('commit', '-q', '-m', 'Submodule');
  kinds = await work.git('rev-parse', 'HEAD');
  await work.git('checkout', '-q', '-f', '-b', 'side', first);
  await work.commit({ side: 's' }, 'Side');
  await work.git('checkout', '-q', '--orphan', 'lonely');
  await work.commit({ lonely: 'l' }, 'Lonely');
  await project.push();
  many = await codeProject(api, 'many');
  const files = Array.from({ length: 1100 }, (_, index) => [
    `f/${String(index).padStart(4, '0')}`,
    `${index}\n`,
  ]);
  await many.work.commit(Object.fromEntries(files) as Record<string, string>, 'Many');
  await many.push();
});
afterAll(async () => {
  project.work.remove();
  many.work.remove();
  await api.close();
});

const compare = async (query: string): Promise<{ commits: { title: string }[]; diffs: Diff[] }> => {
  const answer = await api.root.get<{ commits: { title: string }[]; diffs: Diff[] }>(
    `${project.base}/compare?${query}`,
  );
  expect(answer.status).toBe(200);
  return answer.body;
};

describe('the comparison of two commits', () => {
  it('contains commits, diffs and the kind of comparison', async () => {
    const body = await compare(`from=${first}&to=main`);
    expect(body).toMatchObject({
      commit: { title: 'Submodule', id: kinds },
      compare_timeout: false,
      compare_same_ref: false,
      web_url: `http://forgeplane.test/root/code/-/compare/${first}...${kinds}`,
    });
    expect(body.commits.map(({ title }) => title)).toEqual(['Kinds', 'Submodule']);
    expect(body.diffs).toHaveLength(10);
  });

  it('starts at the merge base, unless it is straight', async () => {
    const side = await compare('from=main&to=side');
    expect(side.diffs.map(({ new_path: path }) => path)).toEqual(['side']);
    const straight = await compare('from=main&to=side&straight=true');
    expect(straight.diffs.length).toBeGreaterThan(5);
    expect(straight.commits.map(({ title }) => title)).toEqual(['Side']);
    const same = await compare('from=main&to=main');
    expect(same).toMatchObject({ commit: null, commits: [], diffs: [], compare_same_ref: true });
    const lonely = await compare('from=side&to=lonely');
    expect(lonely.commits.map(({ title }) => title)).toEqual(['Lonely']);
  });

  it('is refused for missing commits', async () => {
    for (const name of [
      'none',
      'main~1',
      'main..side',
      '--all',
      '-p',
      '../x',
      ':/First',
      '@{-1}',
      'x'.repeat(1000),
    ])
      for (const query of [
        `from=${encodeURIComponent(name)}&to=main`,
        `from=main&to=${encodeURIComponent(name)}`,
      ])
        expect(refusalOf(await api.root.get(`${project.base}/compare?${query}`))).toEqual([
          404,
          '404 Ref Not Found',
        ]);
    expect((await api.root.get(`${project.base}/compare?from=main`)).status).toBe(400);
    expect((await api.root.get(`${project.base}/compare?from[]=main&to=main`)).status).toBe(400);
    expect(
      (await api.root.get(`${project.base}/compare?from=main&to=side&from_project_id=${many.id}`)).status,
    ).toBe(400);
  });
});

describe('the diff of a file', () => {
  const diffOf = async (path: string, query = ''): Promise<Diff | undefined> =>
    (await compare(`from=${first}&to=main&${query}`)).diffs.find(({ new_path: name }) => name === path);

  it('contains the hunks, and file names on request', async () => {
    expect(await diffOf('a.txt')).toEqual({
      diff: '@@ -1,2 +1,2 @@\n one\n-two\n+2\n',
      old_path: 'a.txt',
      new_path: 'a.txt',
      a_mode: '100644',
      b_mode: '100644',
      new_file: false,
      renamed_file: false,
      deleted_file: false,
      too_large: false,
      collapsed: false,
    });
    expect((await diffOf('a.txt', 'unidiff=true'))?.diff).toMatch(/^--- a\/a.txt\n\+\+\+ b\/a.txt\n@@/);
    expect((await diffOf('z.txt'))?.diff).toBe('@@ -0,0 +1 @@\n+diff --git a/x b/x\n');
  });

  it('supports renames, removals, types, modes, binary files and submodules', async () => {
    expect(await diffOf('näme\ttab.txt')).toMatchObject({
      old_path: 'old name.txt',
      renamed_file: true,
      diff: '',
    });
    expect(await diffOf('gone')).toMatchObject({
      deleted_file: true,
      b_mode: '0',
      diff: '@@ -1 +0,0 @@\n-gone\n',
    });
    const type = await diffOf('type');
    expect(type).toMatchObject({ a_mode: '100644', b_mode: '120000' });
    expect(type?.diff).toContain('-was a file\n@@ -0,0 +1 @@\n+a.txt');
    expect(await diffOf('run.sh')).toMatchObject({ a_mode: '100644', b_mode: '100755', diff: '' });
    expect(await diffOf('bytes')).toMatchObject({
      new_file: true,
      a_mode: '0',
      diff: 'Binary files /dev/null and b/bytes differ\n',
    });
    expect((await diffOf('latin'))?.diff).toBe('@@ -0,0 +1 @@\n+\ufffd\n');
    expect(await diffOf('sub')).toMatchObject({
      b_mode: '160000',
      diff: `@@ -0,0 +1 @@\n+Subproject commit ${first}\n`,
    });
  });

  it('is omitted if it is large, without affecting others', async () => {
    expect(await diffOf('large.txt')).toMatchObject({ too_large: true, diff: '' });
    const answer = await api.root.get<Diff[]>(`${many.base}/commits/main/diff?per_page=100&page=10`);
    expect(answer.headers.get('x-total')).toBe('1000');
    expect(answer.body.at(-1)).toMatchObject({
      new_path: 'f/0999',
      diff: '@@ -0,0 +1 @@\n+999\n',
      collapsed: false,
    });
  });

  it('is relative to the first parent', async () => {
    const root = await api.root.get<Diff[]>(`${project.base}/commits/${first}/diff`);
    expect(root.body.map(({ new_file: isNew }) => isNew)).toEqual([true, true, true, true, true]);
    const unified = await api.root.get<Diff[]>(`${project.base}/commits/side/diff?unidiff=true`);
    expect(unified.body).toMatchObject([
      { new_path: 'side', diff: expect.stringMatching(/^--- \/dev\/null\n/) },
    ]);
  });
});

describe('the merge base', () => {
  it('is the best common ancestor', async () => {
    const found = await api.root.get(`${project.base}/merge_base?refs[]=main&refs[]=side`);
    expect(found.body).toMatchObject({ id: first, title: 'First' });
    expect(
      (await api.root.get(`${project.base}/merge_base?refs[]=main&refs[]=side&refs[]=${first}`)).body,
    ).toMatchObject({ id: first });
  });

  it('is refused for too few or unknown refs, and 404 if there is none', async () => {
    const of = async (...refs: string[]): Promise<[number, unknown]> =>
      refusalOf(
        await api.root.get(
          `${project.base}/merge_base?${refs.map((ref) => `refs[]=${encodeURIComponent(ref)}`).join('&')}`,
        ),
      );
    expect(await of('main')).toEqual([400, 'Provide at least 2 refs']);
    expect(await of('main', 'none')).toEqual([400, 'Could not find ref: none']);
    expect(await of('HEAD~1', '--all', 'main')).toEqual([400, 'Could not find refs: HEAD~1, --all']);
    expect(await of('main', 'lonely')).toEqual([404, '404 Merge Base Not Found']);
    expect((await api.root.get(`${project.base}/merge_base?refs=main`)).status).toBe(400);
  });
});

describe('the contributors', () => {
  it('are counted and sorted', async () => {
    const { body } = await api.root.get(`${project.base}/contributors`);
    expect(body).toEqual([{ name: 'Ada', email: 'ada@example.com', commits: 3, additions: 0, deletions: 0 }]);
    const work = {
      branch: 'main',
      commit_message: 'x',
      actions: [],
      author_name: 'Zoe',
      author_email: 'zoe@example.com',
    };
    await api.root.post(`${project.base}/commits`, work);
    const names = async (query: string): Promise<string[]> =>
      (await api.root.get<{ name: string }[]>(`${project.base}/contributors?${query}`)).body.map(
        ({ name }) => name,
      );
    expect(await names('')).toEqual(['Zoe', 'Ada']);
    expect(await names('order_by=name')).toEqual(['Ada', 'Zoe']);
    expect(await names('order_by=email&sort=desc')).toEqual(['Zoe', 'Ada']);
    expect(await names('ref=side&per_page=1')).toEqual(['Ada']);
    expect((await api.root.get(`${project.base}/contributors?ref=none`)).status).toBe(404);
  });
});
