import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Role } from '#kernel/access/roles.js';
import { buildCommit, type TreeChange } from '#core/repositories/git/build-commit.js';
import { gitText } from '#core/repositories/git/git.js';
import { BroughtCommits } from '#core/repositories/pushes/brought-commits.js';
import { NO_OBJECT, type RefChange } from '#core/repositories/pushes/ref-change.js';
import { PushRulesRegistry } from '#core/repositories/pushes/push-rules.registry.js';
import { RepositoriesService } from '#core/repositories/repositories.service.js';
import { snippetRepository } from '#core/repositories/repository-ref.js';
import type { TestApi } from '../../../support/api.js';
import { createUser, type CreatedUser } from '../../../support/builders/user.js';
import type { Answer } from '../../../support/client.js';
import { borrowApi } from '../../../support/shared-api.js';

let api: TestApi;
let ada: CreatedUser;

beforeAll(async () => {
  api = await borrowApi();
  ada = await createUser(api);
});
afterAll(() => api.close());

const get = <T>(type: new (...args: never[]) => T): T => api.app.get(type, { strict: false });

const post = (values: object): Promise<Answer<{ id: number }>> => ada.client.post('/snippets', values);

async function make(): Promise<number> {
  const { body } = await post({ title: 'A', file_name: 'a.txt', content: 'one' });
  return body.id;
}

const pathOf = async (id: number): Promise<string> =>
  (await get(RepositoriesService).open(snippetRepository(id))).path;

const refusal = async (call: Promise<Answer>): Promise<unknown> => {
  const { status, body } = await call;
  return [status, (body as { message?: unknown }).message];
};

describe('a new snippet', () => {
  it('requires a title, and files in one of two ways', async () => {
    const files = [{ file_path: 'a', content: 'b' }];
    const missing = (name: string): unknown => [400, `400 (Bad request) "${name}" not given`];
    expect(await refusal(post({ files }))).toEqual(missing('title'));
    expect(await refusal(post({ title: 'A' }))).toEqual(missing('files'));
    expect(await refusal(post({ title: 'A', content: 'b' }))).toEqual(missing('file_name'));
    expect(await refusal(post({ title: 'A', file_name: 'b' }))).toEqual(missing('content'));
    expect(await refusal(post({ title: 'A', files: [{ file_path: 'a' }] }))).toEqual(
      missing('files[0][content]'),
    );
    expect(await refusal(post({ title: ' ', files }))).toEqual([400, { title: ["can't be blank"] }]);
    expect(await refusal(post({ title: 'A', files: [] }))).toEqual([400, { files: ['is empty'] }]);
    expect(await refusal(post({ title: 'A', files, file_name: 'a', content: 'b' }))).toEqual([
      400,
      { file_name: ['is mutually exclusive with files'], content: ['is mutually exclusive with files'] },
    ]);
    expect(await refusal(post({ title: 'A', files, visibility: 'secret' }))).toEqual([
      400,
      { visibility: ['does not have a valid value'] },
    ]);
  });

  it('has at most ten files, each with its own path', async () => {
    const many = (count: number): object => ({
      title: 'A',
      files: Array.from({ length: count }, (_, number) => ({ file_path: `f${number}`, content: 'x' })),
    });
    expect((await post(many(10))).status).toBe(201);
    expect(await refusal(post(many(11)))).toEqual([400, { files: ['has too many items (maximum is 10)'] }]);
    const taken = (...paths: string[]): Promise<unknown> =>
      refusal(post({ title: 'A', files: paths.map((path) => ({ file_path: path, content: 'x' })) }));
    for (const paths of [
      ['a', 'a'],
      ['a/b', 'a'],
      ['a', 'a/b'],
    ])
      expect(await taken(...paths)).toEqual([
        400,
        { 'files[1]': { file_path: ['A file with this name already exists'] } },
      ]);
  });

  it('refuses paths outside of the repository', async () => {
    const [before] = await api.sql('select count(*) from snippets');
    for (const path of [
      '../x',
      '.git/config',
      '.GIT/hooks/x',
      'a/../b',
      '/etc/passwd',
      'a//b',
      'a/',
      './a',
      'x/.git',
    ])
      expect([path, await refusal(post({ title: 'A', file_name: path, content: 'x' }))]).toEqual([
        path,
        [400, { 'files[0]': { file_path: ['should be a valid file path'] } }],
      ]);
    for (const path of ['a\0b', '\ud800'])
      expect(await refusal(post({ title: 'A', file_name: path, content: 'x' }))).toEqual([
        400,
        { file_name: ['is invalid'] },
      ]);
    for (const values of [
      { title: ['A'], file_name: 'a', content: 'b' },
      { title: 'A', file_name: ['a'], content: 'b' },
      { title: 'A', file_name: 'a', content: { a: 1 } },
      { title: 'A', files: 'a' },
      { title: 'A', files: [['a', 'b']] },
      { title: 'A', files: [{ file_path: ['a'], content: ['b'] }] },
      { title: 'x'.repeat(256), file_name: 'a', content: 'b' },
    ])
      expect((await post(values)).status).toBe(400);
    expect(await api.sql('select count(*) from snippets')).toEqual([before]);
  });

  it('can be sent as a form', async () => {
    const form = (body: string): Promise<Answer<{ files: { path: string }[] }>> =>
      ada.client.send('POST', '/snippets', body, { 'Content-Type': 'application/x-www-form-urlencoded' });
    const paths = async (body: string): Promise<string[]> =>
      (await form(body)).body.files.map(({ path }) => path);
    expect(await paths('title=A&files[][file_path]=a&files[][content]=b')).toEqual(['a']);
    expect(
      await paths(
        'title=A&files[][file_path]=a&files[][content]=b&files[][file_path]=c%2Fd&files[][content]=e%26f',
      ),
    ).toEqual(['a', 'c/d']);
    expect(
      await paths(
        'title=A&files[0][file_path]=a&files[0][content]=b&files[1][file_path]=c&files[1][content]=d',
      ),
    ).toEqual(['a', 'c']);
    expect((await form('title=A&files[][file_path]=a&files[][file_path]=c&files[][content]=b')).status).toBe(
      400,
    );
    const data = new FormData();
    for (const [name, value] of Object.entries({
      title: 'A',
      'files[][file_path]': 'm',
      'files[][content]': 'n',
    }))
      data.append(name, value);
    const encoded = new Response(data);
    const type = encoded.headers.get('content-type') ?? '';
    const multipart = await ada.client.send<{ file_name: string }>(
      'POST',
      '/snippets',
      await encoded.text(),
      {
        'Content-Type': type,
      },
    );
    expect(multipart.body.file_name).toBe('m');
  });
});

describe('a change of a snippet', () => {
  it('requires at least one change, and the attributes of its actions', async () => {
    const id = await make();
    const put = (values: object): Promise<unknown> => refusal(ada.client.put(`/snippets/${id}`, values));
    const act = (action: object): Promise<unknown> => put({ files: [action] });
    expect(await put({})).toEqual([400, { base: ['at least one parameter must be provided'] }]);
    expect(await put({ title: '' })).toEqual([400, { title: ["can't be blank"] }]);
    expect(await put({ content: 'x', files: [{ action: 'delete', file_path: 'a.txt' }] })).toEqual([
      400,
      { content: ['is mutually exclusive with files'] },
    ]);
    expect(await act({ action: 'rename', file_path: 'a.txt' })).toEqual([
      400,
      { 'files[0]': { action: ['does not have a valid value'] } },
    ]);
    for (const action of ['create', 'update'])
      expect(await act({ action, file_path: 'a.txt' })).toEqual([
        400,
        '400 (Bad request) "files[0][content]" not given',
      ]);
    expect(await act({ action: 'move', file_path: 'b.txt' })).toEqual([
      400,
      '400 (Bad request) "files[0][previous_path]" not given',
    ]);
    expect(await act({ action: 'create', file_path: 'a.txt', content: 'x' })).toEqual([
      400,
      { 'files[0]': { file_path: ['A file with this name already exists'] } },
    ]);
    for (const action of ['update', 'delete'])
      expect(await act({ action, file_path: 'b.txt', content: 'x' })).toEqual([
        400,
        { 'files[0]': { file_path: ["A file with this name doesn't exist"] } },
      ]);
    expect(await act({ action: 'move', file_path: 'b.txt', previous_path: '../a' })).toEqual([
      400,
      { 'files[0]': { previous_path: ["A file with this name doesn't exist"] } },
    ]);
    expect(await act({ action: 'move', file_path: '.git/x', previous_path: 'a.txt' })).toEqual([
      400,
      { 'files[0]': { file_path: ['should be a valid file path'] } },
    ]);
    expect(await act({ action: 'delete', file_path: 'a.txt' })).toEqual([
      400,
      'The repository must contain at least 1 file',
    ]);
    const many = Array.from({ length: 10 }, (_, number) => ({
      action: 'create',
      file_path: `f${number}`,
      content: 'x',
    }));
    expect(await put({ files: many })).toEqual([400, 'The repository can contain at most 10 file(s)']);
    expect(await gitText(await pathOf(id), ['rev-list', '--count', 'main'])).toBe('1');
  });

  it('succeeds or fails with 409 if several requests are simultaneous, and loses nothing', async () => {
    const id = await make();
    const add = (name: string): Promise<Answer> =>
      ada.client.put(`/snippets/${id}`, { files: [{ action: 'create', file_path: name, content: 'x' }] });
    const answers = await Promise.all(['b', 'c', 'd', 'e'].map(add));
    const done = answers.filter(({ status }) => status === 200).length;
    expect(answers.every(({ status }) => status === 200 || status === 409)).toBe(true);
    const { body } = await ada.client.get<{ files: unknown[] }>(`/snippets/${id}`);
    expect(body.files).toHaveLength(1 + done);
    expect(done).toBeGreaterThan(0);
  });
});

describe('pushes to a snippet', () => {
  let id: number;
  let path: string;
  let head: string;
  beforeAll(async () => {
    id = await make();
    path = await pathOf(id);
    head = await gitText(path, ['rev-parse', 'main']);
  });

  async function judge(change: Partial<RefChange>): Promise<string | null> {
    const repository = await get(RepositoriesService).open(snippetRepository(id));
    const pusher = { userId: ada.id, role: Role.None, via: 'git' } as const;
    const changes = [{ ref: 'refs/heads/main', before: head, after: head, ...change }];
    return get(PushRulesRegistry).judge({
      repository,
      pusher,
      changes,
      env: {},
      brought: BroughtCommits.none,
    });
  }

  const commit = (...changes: TreeChange[]): Promise<string> => {
    const ada_ = { name: 'Ada', email: 'ada@example.com' };
    const place = { path, env: {} };
    return buildCommit(place, { parents: [head], changes, message: 'x', author: ada_, committer: ada_ });
  };

  const file = (name: string, content = Buffer.from(name)): TreeChange => ({ path: name, content });

  it('are allowed to the existing branch only', async () => {
    const text = 'You can not create or delete branches.';
    expect(await judge({ after: await commit(file('b')) })).toBeNull();
    expect(await judge({ after: NO_OBJECT })).toBe(text);
    expect(await judge({ before: NO_OBJECT })).toBe(text);
    expect(await judge({ ref: 'refs/heads/other', before: NO_OBJECT })).toBe(text);
    expect(await judge({ ref: 'refs/heads/other' })).toBe(text);
    expect(await judge({ ref: 'refs/tags/v1', before: NO_OBJECT })).toBe(text);
    expect(await judge({ ref: 'refs/notes/x' })).toBe(text);
  });

  it('must leave one to ten files', async () => {
    const names = Array.from({ length: 10 }, (_, number) => `d/f${number}`);
    expect(await judge({ after: await commit(...names.map((name) => file(name))) })).toBe(
      'The repository can contain at most 10 file(s)',
    );
    expect(await judge({ after: await commit(...names.slice(1).map((name) => file(name))) })).toBeNull();
    expect(await judge({ after: await commit({ path: 'a.txt', remove: true }) })).toBe(
      'The repository must contain at least 1 file',
    );
  });

  it('are limited to 50 MB', async () => {
    const large = Buffer.alloc(26 * 1024 * 1024);
    expect(await judge({ after: await commit(file('b', large)) })).toBeNull();
    expect(await judge({ after: await commit(file('b', large), file('c', large)) })).toBe(
      'The repository can hold at most 50 MB',
    );
  });
});
