import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startApi, type TestApi } from '../support/api.js';
import type { Answer, ApiClient } from '../support/client.js';
import { codeProject, coder, refusalOf, type CodeProject } from '../support/code.js';

interface Commit {
  id: string;
  title: string;
  parent_ids: string[];
}

let api: TestApi;
let dev: ApiClient;
let number = 0;
let project: CodeProject;

beforeAll(async () => {
  api = await startApi();
  dev = await coder(api, 'dev');
  await fresh();
});
afterAll(() => api.close());

/** From here on the tests change another project: `a.txt`, `run.sh` (executable), `docs/one.md`, a link and bytes. */
async function fresh(): Promise<void> {
  number += 1;
  project = await codeProject(api, `code${number}`);
  const { work, id } = project;
  const { body } = await dev.get<{ id: number }>('/user');
  await api.root.post(`/projects/${id}/members`, { user_id: body.id, access_level: 40 });
  await work.commit(
    { 'a.txt': 'one\n', 'run.sh': 'true\n', 'docs/one.md': '1\n', 'bytes.bin': '\0\x01' },
    'First',
  );
  await work.git('update-index', '--chmod=+x', 'run.sh');
  const link = await work.git('hash-object', '-w', 'a.txt');
  await work.git('update-index', '--add', '--cacheinfo', `120000,${link},link`);
  await work.git('commit', '-q', '-m', 'Modes');
  await project.push();
  work.remove();
}

const commit = (actions: unknown, values: object = {}): Promise<Answer<Commit>> =>
  dev.post<Commit>(`${project.base}/commits`, {
    branch: 'main',
    commit_message: 'Change',
    actions,
    ...values,
  });

const file = async (path: string, ref = 'main'): Promise<string | null> => {
  const answer = await dev.get(`${project.base}/files/${encodeURIComponent(path)}/raw?ref=${ref}`);
  return answer.status === 200 ? answer.text : null;
};

const modes = async (): Promise<Record<string, string>> => {
  const { body } = await dev.get<{ path: string; mode: string }[]>(
    `${project.base}/tree?recursive=true&per_page=100`,
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
      project_id: project.id,
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

  it('names another author, not another committer', async () => {
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

  it('may be empty, and may remove everything', async () => {
    await fresh();
    expect((await commit([])).status).toBe(201);
    const all = ['a.txt', 'run.sh', 'docs/one.md', 'bytes.bin', 'link'];
    expect((await commit(all.map((path) => ({ action: 'delete', file_path: path })))).status).toBe(201);
    expect((await dev.get(`${project.base}/tree`)).body).toEqual([]);
  });
});

describe('an action that cannot be done', () => {
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

  it('refuses two actions that do not go together, and keeps nothing of them', async () => {
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

  it('refuses paths that no file may have', async () => {
    const paths = [
      '../x',
      '/etc/passwd',
      '.git/config',
      'a/.GIT/x',
      'a//b',
      'a/./b',
      'git~1/x',
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

  it('refuses to write over what has changed since', async () => {
    await fresh();
    const { body: before } = await dev.get<Commit>(`${project.base}/commits/main`);
    const update = { action: 'update', file_path: 'a.txt', content: 'mine', last_commit_id: before.id };
    expect((await commit([{ action: 'update', file_path: 'a.txt', content: 'theirs' }])).status).toBe(201);
    expect(refusalOf(await commit([update]))[1]).toContain('has changed since you started editing it');
    expect(refusalOf(await commit([{ ...update, last_commit_id: '--all' }]))[0]).toBe(400);
    const { body: now } = await dev.get<Commit>(`${project.base}/commits/main`);
    expect((await commit([{ ...update, last_commit_id: now.id }])).status).toBe(201);
  });
});

describe('the branch of a commit', () => {
  const create = (path: string): object[] => [{ action: 'create', file_path: path, content: path }];

  it('begins at another branch or an id, or is replaced', async () => {
    await fresh();
    expect((await commit(create('x'), { branch: 'one', start_branch: 'main' })).status).toBe(201);
    const { body } = await dev.get<Commit>(`${project.base}/commits/main`);
    const two = await commit(create('y'), { branch: 'two', start_sha: body.id });
    expect(two.body.parent_ids).toEqual([body.id]);
    const again = await commit(create('z'), { branch: 'one', start_branch: 'main' });
    expect(refusalOf(again)).toEqual([
      400,
      "A branch called 'one' already exists. Switch to that branch in order to make changes",
    ]);
    expect((await commit(create('z'), { branch: 'one', start_branch: 'main', force: true })).status).toBe(
      201,
    );
    expect(await file('x', 'one')).toBeNull();
    expect(await file('z', 'one')).toBe('z');
  });

  it('must be there, or have a beginning', async () => {
    expect(refusalOf(await commit(create('x'), { branch: 'new' }))).toEqual([
      400,
      'You can only create or edit files when you are on a branch',
    ]);
    for (const start of [{ start_branch: 'none' }, { start_sha: 'f'.repeat(40) }, { start_sha: 'HEAD~1' }])
      expect((await commit(create('x'), { branch: 'new', ...start })).status).toBe(400);
    const names = [
      'a..b',
      '-x',
      'HEAD~1',
      'x.lock',
      ':/x',
      '@{-1}',
      'refs/heads/y',
      'HEAD',
      'f'.repeat(40),
      'a b',
    ];
    for (const branch of names)
      expect([branch, (await commit(create('x'), { branch, start_branch: 'main' })).status]).toEqual([
        branch,
        400,
      ]);
  });

  it('may be any in an empty project', async () => {
    const empty = await codeProject(api, `empty${number}`);
    empty.work.remove();
    const base = { commit_message: 'First', actions: create('README.md') };
    const made = await api.root.post<Commit>(`${empty.base}/commits`, {
      ...base,
      branch: 'trunk',
      start_branch: 'main',
    });
    expect([made.status, made.body.parent_ids]).toEqual([201, []]);
    expect((await api.root.get<{ title: string }>(`${empty.base}/commits/trunk`)).body.title).toBe('First');
    expect(await api.sql(`select 1 from running_pushes`)).toEqual([]);
    const below = await api.root.post(`${empty.base}/commits`, {
      ...base,
      branch: 'trunk/x',
      start_branch: 'trunk',
    });
    expect(refusalOf(below)).toEqual([400, 'Branch name conflicts with the branch trunk']);
  });

  it('is made once by two first commits at once', async () => {
    const empty = await codeProject(api, `twice${number}`);
    empty.work.remove();
    const both = await Promise.all(
      ['a', 'b'].map((path) =>
        api.root.post(`${empty.base}/commits`, {
          branch: 'main',
          commit_message: path,
          actions: create(path),
        }),
      ),
    );
    expect(both.map(({ status }) => status)).toEqual([201, 201]);
    expect((await api.root.get(`${empty.base}/commits/main/sequence`)).body).toEqual({ count: 2 });
    expect(
      (await api.root.get<{ path: string }[]>(`${empty.base}/tree`)).body.map(({ path }) => path),
    ).toEqual(['a', 'b']);
  });

  it('keeps every commit of writers that come at once', async () => {
    await fresh();
    const many = await Promise.all(Array.from({ length: 6 }, (_, index) => commit(create(`file${index}`))));
    const made = many.filter(({ status }) => status === 201);
    expect(many.every(({ status }) => [201, 400, 409].includes(status))).toBe(true);
    expect(made.length).toBeGreaterThan(0);
    const { body } = await dev.get<Commit[]>(`${project.base}/commits?per_page=100`);
    expect(body.map(({ id }) => id)).toEqual(expect.arrayContaining(made.map(({ body: { id } }) => id)));
    expect(body).toHaveLength(2 + made.length);
  });

  it('cannot be changed without the right, in an archived or moving project', async () => {
    await fresh();
    const guest = await coder(api, `reporter${number}`, { id: project.id, role: 20 });
    const body = { branch: 'main', commit_message: 'x', actions: [] };
    expect((await guest.post(`${project.base}/commits`, body)).status).toBe(403);
    expect((await api.anonymous.post(`${project.base}/commits`, body)).status).toBe(401);
    await api.sql('update projects set repository_read_only = true where id = $1', [project.id]);
    expect(refusalOf(await commit([]))).toEqual([
      400,
      'The repository is temporarily read-only. Please try again later.',
    ]);
    await api.sql('update projects set repository_read_only = false where id = $1', [project.id]);
    await api.root.post(`/projects/${project.id}/archive`);
    expect((await commit([])).status).toBe(403);
  });
});
