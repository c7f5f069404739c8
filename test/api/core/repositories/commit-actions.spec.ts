import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { RepositoriesService } from '#core/repositories/repositories.service.js';
import { projectRepository } from '#core/repositories/repository-ref.js';
import type { TestApi } from '../../../support/api.js';
import type { Answer, ApiClient } from '../../../support/client.js';
import { CommitWorld, type MadeCommit } from '../../../support/commit-world.js';
import { refusalOf } from '../../../support/code.js';
import { WorkingCopy } from '../../../support/git.js';

let world: CommitWorld;
let api: TestApi;
let dev: ApiClient;
beforeAll(async () => {
  world = await CommitWorld.start();
  ({ api, dev } = world);
});
afterAll(() => api.close());
const fresh = (): Promise<void> => world.fresh();
const commit = (actions: unknown, values?: object): Promise<Answer<MadeCommit>> =>
  world.commit(actions, values);
const file = (path: string, ref?: string): Promise<string | null> => world.file(path, ref);

const modes = async (): Promise<Record<string, string>> => {
  const { body } = await dev.get<{ path: string; mode: string }[]>(
    `${world.project.base}/tree?recursive=true&per_page=100`,
  );
  return Object.fromEntries(body.map(({ path, mode }) => [path, mode]));
};

describe('a commit of several files', () => {
  it('creates, updates, moves, deletes and changes modes at once', async () => {
    await fresh();
    const made = await commit([
      { action: 'create', file_path: 'new/deep.txt', content: 'new' },
      {
        action: 'create',
        file_path: 'x.sh',
        content: Buffer.from('\0é').toString('base64'),
        encoding: 'base64',
        execute_filemode: true,
      },
      { action: 'update', file_path: 'run.sh', content: 'false\n' },
      { action: 'move', file_path: 'docs/two.md', previous_path: 'docs/one.md' },
      { action: 'move', file_path: 'b.txt', previous_path: 'a.txt', content: 'other' },
      { action: 'delete', file_path: 'bytes.bin' },
      { action: 'chmod', file_path: 'docs/two.md', execute_filemode: true },
    ]);
    expect(made.status).toBe(201);
    expect(made.body).toMatchObject({
      title: 'Change',
      author_name: 'Name of dev',
      author_email: 'dev@example.com',
      committer_email: 'dev@example.com',
      project_id: world.project.id,
      stats: { additions: 3, deletions: 2, total: 5 },
    });
    expect(await modes()).toEqual({
      docs: '040000',
      new: '040000',
      'b.txt': '100644',
      'docs/two.md': '100755',
      link: '120000',
      'new/deep.txt': '100644',
      'run.sh': '100755',
      'x.sh': '100755',
    });
    expect(await file('run.sh')).toBe('false\n');
    expect(await file('docs/two.md')).toBe('1\n');
    expect(await file('b.txt')).toBe('other');
    expect(await file('x.sh')).toBe('\0é');
  });

  it('can have another author, but not another committer', async () => {
    await fresh();
    const made = await commit([{ action: 'delete', file_path: 'a.txt' }], {
      author_name: 'Eve <x>\n',
      author_email: 'eve@example.com',
      stats: false,
    });
    expect(made.body).toMatchObject({
      author_name: 'Eve x',
      author_email: 'eve@example.com',
      committer_name: 'Name of dev',
    });
    expect(made.body).not.toHaveProperty('stats');
  });

  it('names the author without characters that git rejects in names', async () => {
    await fresh();
    const made = await commit([{ action: 'delete', file_path: 'a.txt' }], {
      author_name: ' ..,"\\ ',
      author_email: ';',
    });
    expect(made.body).toMatchObject({ author_name: 'unknown', author_email: 'unknown' });
  });

  it('can be empty, and can remove everything', async () => {
    await fresh();
    expect((await commit([])).status).toBe(201);
    const all = ['a.txt', 'run.sh', 'docs/one.md', 'bytes.bin', 'link'];
    expect((await commit(all.map((path) => ({ action: 'delete', file_path: path })))).status).toBe(201);
    expect((await dev.get(`${world.project.base}/tree`)).body).toEqual([]);
  });
});

describe('actions with too many folders', () => {
  it('are refused before anything is created', async () => {
    const deep = (index: number): string => `${index}${'/x'.repeat(2_000)}`;
    const actions = Array.from({ length: 500 }, (_, index) => ({
      action: 'create',
      file_path: deep(index),
      content: '',
    }));
    expect(refusalOf(await commit(actions))).toEqual([
      400,
      'The paths of these actions have too many folders',
    ]);
    expect((await commit([{ ...actions[0], file_path: `${'x/'.repeat(100)}y` }])).status).toBe(201);
  });
});

describe('an impossible action', () => {
  beforeAll(fresh);

  it.each([
    ['A file with this name already exists', { action: 'create', file_path: 'a.txt', content: '' }],
    ['A file with this name already exists', { action: 'create', file_path: 'a.txt/b', content: '' }],
    ['A directory with this name already exists', { action: 'create', file_path: 'docs', content: '' }],
    ["A file with this name doesn't exist", { action: 'update', file_path: 'none', content: '' }],
    ["A file with this name doesn't exist", { action: 'update', file_path: 'docs', content: '' }],
    ["A file with this name doesn't exist", { action: 'delete', file_path: 'none' }],
    ["A file with this name doesn't exist", { action: 'move', file_path: 'c', previous_path: 'none' }],
    ['A file with this name already exists', { action: 'move', file_path: 'run.sh', previous_path: 'a.txt' }],
    ["A file with this name doesn't exist", { action: 'chmod', file_path: 'none', execute_filemode: true }],
  ])('is refused: %s (%j)', async (text, action) => {
    expect(refusalOf(await commit([action]))).toEqual([400, text]);
  });

  it('refuses contradictory actions, and keeps nothing of them', async () => {
    const both = [
      { action: 'create', file_path: 'n', content: '' },
      { action: 'create', file_path: 'n/m', content: '' },
    ];
    expect(refusalOf(await commit(both))).toEqual([400, 'A file with this name already exists']);
    expect(refusalOf(await commit([both[1], both[0]]))).toEqual([
      400,
      'A directory with this name already exists',
    ]);
    expect(await file('n')).toBeNull();
  });

  it('refuses invalid paths', async () => {
    const paths = [
      '../x',
      '/etc/passwd',
      '.git/config',
      'a/.GIT/x',
      'a//b',
      'a/./b',
      'git~1/x',
      'a\\.git\\x',
      'x'.repeat(300),
    ];
    for (const path of paths) {
      const refused = await commit([{ action: 'create', file_path: path, content: '' }]);
      expect([path, ...refusalOf(refused)]).toEqual([
        path,
        400,
        { 'actions[0]': { file_path: ['should be a valid file path'] } },
      ]);
    }
    for (const path of ['', 'a\0b', ['a'], { a: 1 }, 'x'.repeat(10_000)])
      expect((await commit([{ action: 'create', file_path: path, content: '' }])).status).toBe(400);
  });

  it('creates no links in place of files that git reads', async () => {
    const paths = ['.gitmodules', 'GITMOD~1', '.gitmodules .'];
    for (const path of paths) {
      const moved = await commit([{ action: 'move', previous_path: 'link', file_path: path }]);
      expect([path, ...refusalOf(moved)]).toEqual([path, 400, `invalid path: '${path}'`]);
    }
  });

  it('gives no content to a submodule, which would be lost', async () => {
    await fresh();
    const repositories = api.app.get(RepositoriesService, { strict: false });
    const { path } = await repositories.open(projectRepository(world.project.id));
    const work = new WorkingCopy();
    const git = (...args: string[]): Promise<string> => work.git('--git-dir', path, ...args);
    const lines = `${await git('ls-tree', 'main')}\n160000 commit ${'1'.repeat(40)}\tmodule\n`;
    const tree = await work.pipe(['--git-dir', path, 'mktree', '--missing'], lines);
    await git('update-ref', 'refs/heads/main', await git('commit-tree', '-p', 'main', '-m', 'Module', tree));
    work.remove();
    const file = { previous_path: 'module', file_path: 'plain.txt' };
    const lost = await commit([{ action: 'move', ...file, content: 'text' }]);
    expect(refusalOf(lost)).toEqual([400, 'A submodule cannot be updated']);
    expect((await commit([{ action: 'move', ...file, file_path: 'moved' }])).status).toBe(201);
  });

  it('refuses incomplete actions', async () => {
    expect(refusalOf(await commit([{ action: 'move', file_path: 'b' }]))[1]).toContain(
      'actions[0][previous_path]',
    );
    expect(refusalOf(await commit([{ action: 'update', file_path: 'a.txt' }]))[1]).toContain(
      'actions[0][content]',
    );
    expect(refusalOf(await commit([{ action: 'chmod', file_path: 'a.txt' }]))[1]).toContain(
      'execute_filemode',
    );
    expect((await commit([{ action: 'explode', file_path: 'a.txt' }])).status).toBe(400);
    expect((await commit('x')).status).toBe(400);
    expect((await commit([], { start_project: 'other/project' })).status).toBe(400);
    expect((await commit([], { start_sha: 'x', start_branch: 'y' })).status).toBe(400);
  });

  it('refuses to overwrite a file that has changed since', async () => {
    await fresh();
    const { body: before } = await dev.get<MadeCommit>(`${world.project.base}/commits/main`);
    const update = { action: 'update', file_path: 'a.txt', content: 'mine', last_commit_id: before.id };
    expect((await commit([{ action: 'update', file_path: 'a.txt', content: 'theirs' }])).status).toBe(201);
    expect(refusalOf(await commit([update]))[1]).toContain('has changed since you started editing it');
    expect(refusalOf(await commit([{ ...update, last_commit_id: '--all' }]))[0]).toBe(400);
    const { body: now } = await dev.get<MadeCommit>(`${world.project.base}/commits/main`);
    expect((await commit([{ ...update, last_commit_id: now.id }])).status).toBe(201);
  });
});
