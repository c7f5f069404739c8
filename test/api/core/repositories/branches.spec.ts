import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { TestApi } from '../../../support/api.js';
import { buildCodeProject, type CodeProject } from '../../../support/builders/code-project.js';
import { buildProject } from '../../../support/builders/project.js';
import { borrowApi } from '../../../support/shared-api.js';

interface BranchBody {
  name: string;
  merged: boolean;
  protected: boolean;
  can_push: boolean;
  default: boolean;
  web_url: string;
  commit: { id: string; title: string; message: string; web_url: string };
}

let api: TestApi;
let code: CodeProject;
let path: string;

beforeAll(async () => {
  api = await borrowApi();
  code = await buildCodeProject(api, async (work) => {
    await work.git('branch', 'old', 'main~1');
    await work.git('checkout', '--quiet', '-b', 'feature/one');
    await work.commit({ 'b.txt': 'b\n' }, 'On the side');
    await work.git('branch', 'fresh', 'main');
  });
  path = `/projects/${code.id}/repository/branches`;
});
afterAll(async () => {
  code.work.remove();
  await api.close();
});

const names = async (query: string): Promise<string[]> =>
  (await code.reporter.get<BranchBody[]>(`${path}${query}`)).body.map(({ name }) => name);

describe('GET branches', () => {
  it('lists branches by name, with commits and the permissions of the caller', async () => {
    const { status, body, headers } = await code.developer.get<BranchBody[]>(path);
    expect(status).toBe(200);
    expect(headers.get('x-total')).toBe('4');
    expect(body.map(({ name, merged, default: isDefault }) => [name, merged, isDefault])).toEqual([
      ['feature/one', false, false],
      ['fresh', false, false],
      ['main', false, true],
      ['old', true, false],
    ]);
    expect(body[2]).toMatchObject({
      commit: {
        id: code.commits[1],
        title: 'Second',
        message: 'Second\n\nmore\n',
        trailers: {},
        extended_trailers: {},
      },
      can_push: true,
      protected: false,
      developers_can_push: false,
      web_url: `http://forgeplane.test/${code.fullPath}/-/tree/main`,
    });
  });

  it('filters by search and regular expression, sorts and paginates', async () => {
    expect(await names('?search=EAT')).toEqual(['feature/one']);
    expect(await names('?search=%5Ef')).toEqual(['feature/one', 'fresh']);
    expect(await names('?search=one%24')).toEqual(['feature/one']);
    expect(await names('?search=%5Eone%24')).toEqual([]);
    expect(await names('?regex=%5E(old%7Cmain)%24')).toEqual(['main', 'old']);
    expect((await names('?sort=updated_asc'))[0]).toBe('old');
    expect(await names('?per_page=2&page=2')).toEqual(['main', 'old']);
    const { headers } = await code.reporter.get(`${path}?per_page=1&page=2`);
    expect(headers.get('x-next-page')).toBe('3');
    expect(headers.get('link')).toContain('rel="next"');
  });

  it('paginates by keyset', async () => {
    const first = await code.reporter.get<BranchBody[]>(`${path}?pagination=keyset&per_page=3&search=e`);
    expect(first.body.map(({ name }) => name)).toEqual(['feature/one', 'fresh']);
    expect(first.headers.get('link')).toBeNull();
    const walk = await code.reporter.get<BranchBody[]>(`${path}?pagination=keyset&per_page=2`);
    const next = /\?([^>]*page_token=fresh[^>]*)>; rel="next"/.exec(walk.headers.get('link') ?? '');
    const rest = await code.reporter.get<BranchBody[]>(`${path}?${next?.[1] ?? ''}`);
    expect(rest.body.map(({ name }) => name)).toEqual(['main', 'old']);
    expect((await code.reporter.get(`${path}?pagination=keyset&sort=updated_asc`)).status).toBe(405);
  });

  it('refuses invalid filters', async () => {
    for (const query of ['sort=size', 'regex=(', 'regex=a%7B2000%7D', `regex=${'a'.repeat(300)}`])
      expect([query, (await code.reporter.get(`${path}?${query}`)).status]).toEqual([query, 400]);
    for (const query of [
      'search[]=a',
      'search[a]=b',
      'regex[]=a',
      'search=a%00b',
      `search=${'a'.repeat(5000)}`,
    ])
      expect([query, (await code.reporter.get(`${path}?${query}`)).status]).toEqual([query, 400]);
    expect((await code.reporter.get(`${path}?regex=(a%2B)%2B%24(a*)*b`)).status).toBe(200);
  });

  it('returns an empty list before the first push, and 403 without access to the code', async () => {
    const empty = await buildProject(api.root);
    expect((await api.root.get(`/projects/${empty.id}/repository/branches`)).body).toEqual([]);
    expect((await code.guest.get(path)).status).toBe(403);
    expect((await api.anonymous.get(path)).status).toBe(404);
    const open = await buildProject(api.root, { visibility: 'public' });
    const openPath = `/projects/${open.id}/repository/branches`;
    expect((await api.anonymous.get(openPath)).status).toBe(200);
    await api.root.put(`/projects/${open.id}`, { repository_access_level: 'private' });
    expect((await api.anonymous.get(openPath)).status).toBe(401);
  });
});

describe('GET and HEAD of one branch', () => {
  it('finds a name with a slash', async () => {
    const { status, body } = await code.reporter.get<BranchBody>(`${path}/feature%2Fone`);
    expect([status, body.name, body.can_push, body.commit.title]).toEqual([
      200,
      'feature/one',
      false,
      'On the side',
    ]);
    expect((await code.reporter.send('HEAD', `${path}/feature%2Fone`)).status).toBe(204);
    expect((await code.reporter.send('HEAD', `${path}/none`)).status).toBe(404);
  });

  it.each([
    'none',
    'HEAD',
    'feature',
    'main..old',
    '--all',
    '-d',
    'main%5E',
    'refs%2Fheads%2Fmain',
    '%2A',
    '@',
  ])('does not find %s', async (name) => {
    const { status, body } = await code.reporter.get(`${path}/${name}`);
    expect([status, body]).toEqual([404, { message: '404 Branch Not Found' }]);
  });
});

describe('POST branches', () => {
  const create = (values: unknown, client = code.developer): ReturnType<typeof client.post> =>
    client.post(path, values);

  it('starts a branch from a branch, a tag or a commit', async () => {
    const { status, body } = await create({ branch: 'new/one', ref: code.commits[0] });
    expect([status, body]).toMatchObject([201, { name: 'new/one', commit: { id: code.commits[0] } }]);
    expect((await create({ branch: 'new/two', ref: 'feature/one' })).body).toMatchObject({
      commit: { title: 'On the side' },
    });
  });

  it.each([
    ['main', 'main', 'Branch already exists'],
    ['x', 'nowhere', 'Invalid reference name: nowhere'],
    ['x', 'main..old', 'Invalid reference name: main..old'],
    ['x', '--all', 'Invalid reference name: --all'],
    ['-d', 'main', 'Branch name is invalid'],
    ['HEAD', 'main', 'Branch name is invalid'],
    ['refs/heads/x', 'main', 'Branch name is invalid'],
    ['a..b', 'main', 'Branch name is invalid'],
    ['a b', 'main', 'Branch name is invalid'],
    ['main/below', 'main', 'Branch name conflicts with the branch main'],
    ['feature', 'main', 'Branch name conflicts with the branch feature/one'],
    ['a'.repeat(40), 'main', 'You cannot create a branch with a 40-character hexadecimal branch name.'],
  ])('refuses %s from %s', async (branch, ref, message) => {
    const { status, body } = await create({ branch, ref });
    expect([status, body]).toEqual([400, { message }]);
  });

  it('refuses invalid names', async () => {
    for (const branch of [['x'], { a: 1 }, 'a\0b', 'a'.repeat(10_240), ''])
      expect((await create({ branch, ref: 'main' })).status).toBe(400);
    expect((await create({ branch: 'x' })).body).toEqual({ message: '400 (Bad request) "ref" not given' });
    const empty = await buildProject(api.root);
    const answer = await api.root.post(`/projects/${empty.id}/repository/branches`, {
      branch: 'x',
      ref: 'main',
    });
    expect(answer.body).toEqual({ message: 'Invalid reference name: main' });
  });

  it('requires the Developer role, and is refused while the project is moved or archived', async () => {
    expect((await create({ branch: 'x', ref: 'main' }, code.reporter)).status).toBe(403);
    await api.sql('update projects set repository_read_only = true where id = $1', [code.id]);
    const { status, body } = await create({ branch: 'x', ref: 'main' });
    await api.sql('update projects set repository_read_only = false where id = $1', [code.id]);
    expect([status, body]).toEqual([
      400,
      { message: 'The repository is temporarily read-only. Please try again later.' },
    ]);
  });
});

describe('DELETE', () => {
  it('removes a branch once', async () => {
    await code.developer.post(path, { branch: 'gone/soon', ref: 'main' });
    const late = { 'If-Unmodified-Since': 'Mon, 01 Jan 2001 00:00:00 GMT' };
    expect((await code.developer.delete(`${path}/gone%2Fsoon`, late)).status).toBe(412);
    expect((await code.reporter.delete(`${path}/gone%2Fsoon`)).status).toBe(403);
    expect((await code.developer.delete(`${path}/gone%2Fsoon`)).status).toBe(204);
    expect((await code.developer.delete(`${path}/gone%2Fsoon`)).status).toBe(404);
    expect((await code.developer.delete(`${path}/--all`)).status).toBe(404);
  });

  it('never removes the default branch', async () => {
    for (const client of [code.developer, code.maintainer, api.root]) {
      const { status, body } = await client.delete(`${path}/main`);
      expect([status, body]).toEqual([
        403,
        { message: '403 Forbidden - The default branch of a project cannot be deleted.' },
      ]);
    }
  });

  it('removes all merged branches except protected ones', async () => {
    const other = await buildCodeProject(api, async (work) => {
      await work.git('branch', 'merged/one', 'main~1');
      await work.git('branch', 'stable/one', 'main~1');
      await work.git('branch', 'fresh', 'main');
      await work.git('checkout', '--quiet', '-b', 'open');
      await work.commit({ 'b.txt': 'b\n' });
    });
    await other.maintainer.post(`/projects/${other.id}/protected_branches?name=stable/*`);
    const merged = `/projects/${other.id}/repository/merged_branches`;
    expect((await other.reporter.delete(merged)).status).toBe(403);
    const { status, body } = await other.developer.delete(merged);
    expect([status, body]).toEqual([202, { message: '202 Accepted' }]);
    const left = await other.developer.get<BranchBody[]>(`/projects/${other.id}/repository/branches`);
    expect(left.body.map(({ name }) => name)).toEqual(['fresh', 'main', 'open', 'stable/one']);
    other.work.remove();
  });
});
