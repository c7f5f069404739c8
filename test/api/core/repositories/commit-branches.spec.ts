import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { TestApi } from '../../../support/api.js';
import type { Answer, ApiClient } from '../../../support/client.js';
import { CommitWorld, type MadeCommit } from '../../../support/commit-world.js';
import { codeProject, coder, refusalOf } from '../../../support/code.js';

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

describe('the branch of a commit', () => {
  const create = (path: string): object[] => [{ action: 'create', file_path: path, content: path }];

  it('starts at another branch or an id, or is replaced', async () => {
    await fresh();
    expect((await commit(create('x'), { branch: 'one', start_branch: 'main' })).status).toBe(201);
    const { body } = await dev.get<MadeCommit>(`${world.project.base}/commits/main`);
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

  it('must exist, or have a valid name and start point', async () => {
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

  it('can be any in an empty project', async () => {
    const empty = await codeProject(api, `empty${world.number}`);
    empty.work.remove();
    const base = { commit_message: 'First', actions: create('README.md') };
    const made = await api.root.post<MadeCommit>(`${empty.base}/commits`, {
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

  it('is created once by two simultaneous first commits', async () => {
    const empty = await codeProject(api, `twice${world.number}`);
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

  it('keeps every commit of simultaneous requests', async () => {
    await fresh();
    const many = await Promise.all(Array.from({ length: 6 }, (_, index) => commit(create(`file${index}`))));
    const made = many.filter(({ status }) => status === 201);
    expect(many.every(({ status }) => [201, 400, 409].includes(status))).toBe(true);
    expect(made.length).toBeGreaterThan(0);
    const { body } = await dev.get<MadeCommit[]>(`${world.project.base}/commits?per_page=100`);
    expect(body.map(({ id }) => id)).toEqual(expect.arrayContaining(made.map(({ body: { id } }) => id)));
    expect(body).toHaveLength(2 + made.length);
  });

  it('cannot be changed without permission, or in a project that is archived or moved', async () => {
    await fresh();
    const guest = await coder(api, `reporter${world.number}`, { id: world.project.id, role: 20 });
    const body = { branch: 'main', commit_message: 'x', actions: [] };
    expect((await guest.post(`${world.project.base}/commits`, body)).status).toBe(403);
    expect((await api.anonymous.post(`${world.project.base}/commits`, body)).status).toBe(401);
    await api.sql('update projects set repository_read_only = true where id = $1', [world.project.id]);
    expect(refusalOf(await commit([]))).toEqual([
      400,
      'The repository is temporarily read-only. Please try again later.',
    ]);
    await api.sql('update projects set repository_read_only = false where id = $1', [world.project.id]);
    await api.root.post(`/projects/${world.project.id}/archive`);
    expect((await commit([])).status).toBe(403);
  });
});
