import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { existsSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Role } from '#kernel/access/roles.js';
import { buildCommit } from '#core/repositories/git/build-commit.js';
import { gitText } from '#core/repositories/git/git.js';
import { RepositoryWritesService } from '#core/repositories/pushes/repository-writes.service.js';
import { RepositoriesService } from '#core/repositories/repositories.service.js';
import { snippetRepository } from '#core/repositories/repository-ref.js';
import { StoragesService } from '#core/repositories/storages.service.js';
import type { TestApi } from '../../../support/api.js';
import { createUser, type CreatedUser } from '../../../support/builders/user.js';
import type { Answer } from '../../../support/client.js';
import { WorkingCopy } from '../../../support/git.js';
import { borrowApi } from '../../../support/shared-api.js';

interface SnippetBody {
  readonly id: number;
  readonly file_name: string;
  readonly files: readonly { readonly path: string }[];
}

let api: TestApi;
let ada: CreatedUser;

beforeAll(async () => {
  api = await borrowApi();
  ada = await createUser(api, { name: 'Ada' });
});
afterAll(() => api.close());

const post = (values: object): Promise<Answer<SnippetBody>> =>
  ada.client.post<SnippetBody>('/snippets', { title: 'A', ...values });

async function make(...files: readonly string[]): Promise<number> {
  const { status, text, body } = await post({
    files: files.map((path) => ({ file_path: path, content: `${path}\n` })),
  });
  if (status !== 201) throw new Error(`Snippet not created: ${status} ${text}`);
  return body.id;
}

const pathOf = async (id: number): Promise<string> =>
  (await api.app.get(RepositoriesService, { strict: false }).open(snippetRepository(id))).path;

const filesOf = ({ body }: Answer<SnippetBody>): string[] => body.files.map(({ path }) => path);

const put = (id: number, values: object): Promise<Answer<SnippetBody>> =>
  ada.client.put<SnippetBody>(`/snippets/${id}`, values);

const count = async (id: number): Promise<number> =>
  Number(await gitText(await pathOf(id), ['rev-list', '--count', 'main']));

describe('the repository of a snippet', () => {
  it('has one branch with one commit of the author, and can be cloned', async () => {
    const id = await make('b/c.txt', 'a.txt');
    const work = new WorkingCopy();
    await work.git('clone', '--quiet', await pathOf(id), '.');
    expect(await work.git('ls-files')).toBe('a.txt\nb/c.txt');
    expect(await work.git('branch', '--all', '--format=%(refname)')).toContain('refs/remotes/origin/main');
    expect(await work.git('log', '--format=%an %s')).toBe('Ada Initial commit');
    work.remove();
  });

  it('has the default branch of the settings', async () => {
    await api.root.put('/application/settings', { default_branch_name: 'trunk' });
    const { body } = await post({ file_name: 'a.txt', content: 'one' });
    await api.root.put('/application/settings', { default_branch_name: 'main' });
    expect(await gitText(await pathOf(body.id), ['symbolic-ref', 'HEAD'])).toBe('refs/heads/trunk');
    expect((await put(body.id, { content: 'two' })).status).toBe(200);
    expect((await ada.client.get(`/snippets/${body.id}/files/trunk/a.txt/raw`)).text).toBe('two');
  });

  it('has a branch also if the settings have no name for it', async () => {
    await api.root.put('/application/settings', { default_branch_name: '' });
    const { status, body } = await post({ file_name: 'a.txt', content: 'one' });
    const project = { name: 'First', initialize_with_readme: true };
    const made = await api.root.post('/projects', project);
    await api.root.put('/application/settings', { default_branch_name: 'main' });
    expect([status, made.body]).toMatchObject([201, { default_branch: 'main', empty_repo: false }]);
    expect(await gitText(await pathOf(body.id), ['symbolic-ref', 'HEAD'])).toBe('refs/heads/main');
  });

  it('gets one commit for all actions of a change', async () => {
    const id = await make('a.txt', 'b.txt', 'c.txt', 'd.txt');
    const changed = await put(id, {
      files: [
        { action: 'update', file_path: 'a.txt', content: 'new' },
        { action: 'delete', file_path: 'b.txt' },
        { action: 'move', file_path: 'c.txt/deep.txt', previous_path: 'c.txt' },
        { action: 'move', file_path: 'e.txt', previous_path: 'd.txt', content: 'changed' },
        { action: 'create', file_path: 'b.txt', content: 'again' },
      ],
    });
    expect([changed.status, filesOf(changed)]).toEqual([200, ['a.txt', 'b.txt', 'c.txt/deep.txt', 'e.txt']]);
    expect(await count(id)).toBe(2);
    const raw = async (file: string): Promise<string> =>
      (await ada.client.get(`/snippets/${id}/files/main/${encodeURIComponent(file)}/raw`)).text;
    expect(await Promise.all(['a.txt', 'b.txt', 'c.txt/deep.txt', 'e.txt'].map(raw))).toEqual([
      'new',
      'again',
      'c.txt\n',
      'changed',
    ]);
  });

  it('gets no commit if nothing changes', async () => {
    const id = await make('a.txt');
    expect(
      (await put(id, { files: [{ action: 'update', file_path: 'a.txt', content: 'a.txt\n' }] })).status,
    ).toBe(200);
    expect(await count(id)).toBe(1);
  });

  it('can be changed with the deprecated parameters while it has one file', async () => {
    const id = await make('a.txt');
    expect(filesOf(await put(id, { file_name: 'b.txt', content: 'two' }))).toEqual(['b.txt']);
    expect(filesOf(await put(id, { file_name: 'c.txt' }))).toEqual(['c.txt']);
    expect((await put(id, { content: 'three' })).body.file_name).toBe('c.txt');
    expect((await ada.client.get(`/snippets/${id}/raw`)).text).toBe('three');
    const several = await put(await make('a.txt', 'b.txt'), { content: 'x' });
    expect([several.status, several.body]).toEqual([
      400,
      { message: 'To update Snippets with multiple files, you must use the `files` parameter' },
    ]);
  });

  it('shows the changes of a push', async () => {
    const id = await make('a.txt');
    const repository = await api.app.get(RepositoriesService, { strict: false }).open(snippetRepository(id));
    const before = await gitText(repository.path, ['rev-parse', 'main']);
    const author = { name: 'Ada', email: 'ada@example.com' };
    const changes = [{ path: 'pushed.txt', content: Buffer.from('x') }];
    await api.app
      .get(RepositoryWritesService, { strict: false })
      .change(repository, { userId: ada.id, role: Role.None, via: 'git' }, async (quarantine) => {
        const commit = { parents: [before], changes, message: 'x', author, committer: author };
        const after = await buildCommit(await quarantine.directory(), commit);
        return [{ ref: 'refs/heads/main', before, after }];
      });
    expect(filesOf(await ada.client.get<SnippetBody>(`/snippets/${id}`))).toEqual(['a.txt', 'pushed.txt']);
  });
});

describe('raw files', () => {
  it('are sent as plain text for download, whatever they are', async () => {
    const content = '<script>alert(1)</script>';
    const { body } = await post({ file_name: "ö'x.html", content });
    const raw = await ada.client.get(`/snippets/${body.id}/raw`);
    expect([raw.status, raw.text]).toEqual([200, content]);
    expect(raw.headers.get('Content-Type')).toBe('text/plain; charset=utf-8');
    expect(raw.headers.get('Content-Disposition')).toBe(
      `attachment; filename="_'x.html"; filename*=UTF-8''%C3%B6%27x.html`,
    );
    expect(raw.headers.get('X-Content-Type-Options')).toBe('nosniff');
    expect(raw.headers.get('Content-Security-Policy')).toContain("default-src 'none'");
    const head = await ada.client.send('HEAD', `/snippets/${body.id}/raw`);
    expect([head.status, head.text, head.headers.get('Content-Length')]).toEqual([200, '', '25']);
  });

  it('are found by branch and commit, at any size', async () => {
    const large = 'x'.repeat(3_000_000);
    const { body } = await post({ file_name: 'dir/large.txt', content: large });
    const sha = await gitText(await pathOf(body.id), ['rev-parse', 'main']);
    await put(body.id, { content: 'small' });
    const file = encodeURIComponent('dir/large.txt');
    const at = (ref: string, name = file): Promise<Answer> =>
      ada.client.get(`/snippets/${body.id}/files/${ref}/${name}/raw`);
    expect((await at(sha)).text).toBe(large);
    expect((await at('main')).text).toBe('small');
    for (const ref of ['other', '--all', 'main~1', 'main..main', 'f'.repeat(40)])
      expect((await at(encodeURIComponent(ref))).body).toEqual({ message: '404 Reference Not Found' });
    for (const name of [
      'dir',
      'none.txt',
      '..%2Fdir',
      '%2Fetc%2Fpasswd',
      '.git%2Fconfig',
      ':(glob)*',
      'dir%2F*',
    ])
      expect((await at('main', name)).body).toEqual({ message: '404 File Not Found' });
    expect((await at('main', 'a%00b')).status).toBe(400);
  });
});

describe('a repository that is not writable', () => {
  it('leaves no snippet behind', async () => {
    const folder = join(api.app.get(StoragesService, { strict: false }).folder('default'), '@snippets');
    const [row] = await api.sql<{ id: number }>('select max(id) as id from snippets');
    // A file exists at the path of its folders.
    renameSync(folder, `${folder}.away`);
    writeFileSync(folder, '');
    const refused = await post({ file_name: 'a.txt', content: 'x' });
    rmSync(folder);
    renameSync(`${folder}.away`, folder);
    expect([refused.status, refused.body]).toEqual([503, { message: 'The repository is not available' }]);
    expect(await api.sql('select 1 from snippets where id > $1', [row?.id])).toEqual([]);
    expect(
      await api.sql(`select 1 from repositories where owner_type = 'Snippet' and owner_id > $1`, [row?.id]),
    ).toEqual([]);
  });

  it('is reported as such when it disappears later', async () => {
    const id = await make('a.txt');
    const path = await pathOf(id);
    rmSync(path, { recursive: true });
    mkdirSync(path);
    expect((await put(id, { content: 'x' })).status).toBe(503);
    expect(existsSync(join(path, 'HEAD'))).toBe(false);
  });
});

describe('a snippet that is moved', () => {
  it('keeps its files, and can be renamed', async () => {
    const id = await make('a.txt');
    await api.sql('update snippets set repository_read_only = true where id = $1', [id]);
    const refused = await put(id, { title: 'B', content: 'x' });
    expect([refused.status, refused.body]).toEqual([
      400,
      { message: 'The repository is temporarily read-only. Please try again later.' },
    ]);
    expect((await put(id, { title: 'B', visibility: 'public' })).body).toMatchObject({ title: 'B' });
    expect((await api.anonymous.get(`/snippets/${id}/raw`)).text).toBe('a.txt\n');
    await api.sql('update snippets set repository_read_only = false where id = $1', [id]);
    expect((await put(id, { content: 'x' })).status).toBe(200);
  });
});
