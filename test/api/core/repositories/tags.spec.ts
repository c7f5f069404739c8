import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { TestApi } from '../../../support/api.js';
import { buildCodeProject, type CodeProject } from '../../../support/builders/code-project.js';
import { buildProject } from '../../../support/builders/project.js';
import { longestOwnStop } from '../../../support/longest-stop.js';
import { borrowApi } from '../../../support/shared-api.js';

interface TagBody {
  name: string;
  message: string | null;
  target: string;
  protected: boolean;
  created_at: string | null;
  commit: { id: string } | null;
}

let api: TestApi;
let code: CodeProject;
let path: string;
const TAGGED_AT = { GIT_COMMITTER_DATE: '2022-02-02T10:00:00+02:00' };

beforeAll(async () => {
  api = await borrowApi();
  code = await buildCodeProject(api, async (work) => {
    await work.git('tag', 'v1.2', 'main~1');
    await work.git('tag', 'v1.10', 'main');
    await work.run(['tag', '-a', 'signed/one', '-m', 'First line\n\nmore', 'main~1'], TAGGED_AT);
    await work.run(['tag', '-a', 'nested', '-m', 'Of a tag', 'signed/one'], TAGGED_AT);
    await work.git('tag', 'file', 'main:README.md');
  });
  path = `/projects/${code.id}/repository/tags`;
});
afterAll(async () => {
  code.work.remove();
  await api.close();
});

const names = async (query: string): Promise<string[]> =>
  (await code.reporter.get<TagBody[]>(`${path}${query}`)).body.map(({ name }) => name);

describe('GET tags', () => {
  it('lists lightweight and annotated tags, tags of tags and tags of files', async () => {
    const { status, body } = await code.reporter.get<TagBody[]>(`${path}?order_by=name&sort=asc`);
    expect(status).toBe(200);
    expect(body.map((tag) => [tag.name, tag.message, tag.commit?.id ?? null, tag.created_at])).toEqual([
      ['file', null, null, null],
      ['nested', 'Of a tag', code.commits[0], '2022-02-02T10:00:00.000+02:00'],
      ['signed/one', 'First line\n\nmore', code.commits[0], '2022-02-02T10:00:00.000+02:00'],
      ['v1.10', null, code.commits[1], null],
      ['v1.2', null, code.commits[0], null],
    ]);
    expect(body[3]).toMatchObject({ target: code.commits[1], protected: false, release: null });
    expect(body[2]?.target).not.toBe(code.commits[0]);
  });

  it('sorts, filters and paginates', async () => {
    expect(await names('?order_by=version&sort=asc&search=%5Ev')).toEqual(['v1.2', 'v1.10']);
    expect(await names('?order_by=version&search=%5Ev')).toEqual(['v1.10', 'v1.2']);
    expect(await names('?order_by=updated&search=v1')).toEqual(['v1.10', 'v1.2']);
    expect(await names('?search=ONE%24')).toEqual(['signed/one']);
    expect(await names('?order_by=name&sort=asc&per_page=2&page=2')).toEqual(['signed/one', 'v1.10']);
    for (const query of ['order_by=size', 'sort=up', 'search[]=x'])
      expect((await code.reporter.get(`${path}?${query}`)).status).toBe(400);
  });

  it('returns an empty list before the first push, and 403 without access to the code', async () => {
    const empty = await buildProject(api.root);
    expect((await api.root.get(`/projects/${empty.id}/repository/tags`)).body).toEqual([]);
    expect((await code.guest.get(path)).status).toBe(403);
    expect((await api.anonymous.get(path)).status).toBe(404);
  });

  it('finds a tag with a slash, and none with an invalid name', async () => {
    const { status, body } = await code.reporter.get<TagBody>(`${path}/signed%2Fone`);
    expect([status, body.name]).toEqual([200, 'signed/one']);
    for (const name of ['none', 'signed', '--list', '-d', 'v1.2%5E', 'refs%2Ftags%2Fv1.2', 'v1.*', 'main'])
      expect((await code.reporter.get(`${path}/${name}`)).body).toEqual({ message: '404 Tag Not Found' });
  });
});

describe('POST tags', () => {
  it('creates lightweight and annotated tags', async () => {
    const light = await code.developer.post<TagBody>(path, { tag_name: 'new/light', ref: 'main' });
    expect([light.status, light.body]).toMatchObject([
      201,
      { name: 'new/light', target: code.commits[1], message: null, created_at: null },
    ]);
    const message = 'What is new\n\n- all of it <really>\n';
    const values = { tag_name: 'new/annotated', ref: code.commits[0], message };
    const annotated = await code.developer.post<TagBody>(path, values);
    expect([annotated.status, annotated.body]).toMatchObject([
      201,
      { message: message.trimEnd(), commit: { id: code.commits[0] } },
    ]);
    expect(annotated.body.created_at).toMatch(/^\d{4}-/);
    expect(annotated.body.target).not.toBe(code.commits[0]);
    const stored = await code.work.git('-C', code.repositoryPath, 'cat-file', 'tag', 'new/annotated');
    expect(stored).toContain(`object ${code.commits[0]}\ntype commit\ntag new/annotated\ntagger User `);
  });

  it.each([
    ['v1.2', 'main', 'Tag v1.2 already exists'],
    ['x', 'nowhere', 'Target nowhere is invalid'],
    ['x', '--all', 'Target --all is invalid'],
    ['x', 'main..v1.2', 'Target main..v1.2 is invalid'],
    ['x', 'file', 'Target file is invalid'],
    ['-d', 'main', 'Tag name invalid'],
    ['HEAD', 'main', 'Tag name invalid'],
    ['a..b', 'main', 'Tag name invalid'],
    ['a\nb', 'main', 'Tag name invalid'],
    ['refs/tags/x', 'main', 'Tag name invalid'],
    ['signed', 'main', 'Tag name conflicts with the tag signed/one'],
    ['v1.2/x', 'main', 'Tag name conflicts with the tag v1.2'],
  ])('refuses %j of %s', async (name, ref, message) => {
    const { status, body } = await code.developer.post(path, { tag_name: name, ref, message: 'text' });
    expect([status, body]).toEqual([400, { message }]);
  });

  it('refuses invalid names, and callers who may not push', async () => {
    for (const name of [['x'], {}, 'a\0b', 'a'.repeat(10_240), ''])
      expect((await code.developer.post(path, { tag_name: name, ref: 'main' })).status).toBe(400);
    expect((await code.reporter.post(path, { tag_name: 'x', ref: 'main' })).status).toBe(403);
    await api.sql('update projects set repository_read_only = true where id = $1', [code.id]);
    const { body } = await code.developer.post(path, { tag_name: 'x', ref: 'main' });
    await api.sql('update projects set repository_read_only = false where id = $1', [code.id]);
    expect(body).toEqual({ message: 'The repository is temporarily read-only. Please try again later.' });
  });
});

describe('DELETE tags', () => {
  it('requires the Maintainer role; others cannot remove existing tags', async () => {
    await code.developer.post(path, { tag_name: 'gone/soon', ref: 'main' });
    expect((await code.developer.delete(`${path}/gone%2Fsoon`)).status).toBe(403);
    expect((await code.maintainer.delete(`${path}/gone%2Fsoon`)).status).toBe(204);
    expect((await code.maintainer.delete(`${path}/gone%2Fsoon`)).body).toEqual({
      message: '404 Tag Not Found',
    });
    expect((await code.maintainer.delete(`${path}/--all`)).status).toBe(404);
  });
});

describe('messages of tags', () => {
  it('do not stop the service, whatever they are', async () => {
    const message = `a${'\n'.repeat(30_000)}b`;
    let made = 0;
    const stop = await longestOwnStop(500, async () => {
      const name = `long/${String((made += 1))}`;
      const { status } = await code.maintainer.post(path, { tag_name: name, ref: 'main', message });
      const found = await code.reporter.get<TagBody>(`${path}/${encodeURIComponent(name)}`);
      expect([status, found.body.message]).toEqual([201, message]);
    });
    expect(stop).toBeLessThan(500);
  });
});
