import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { RepositoriesService } from '#core/repositories/repositories.service.js';
import { projectRepository } from '#core/repositories/repository-ref.js';
import type { TestApi } from '../../../support/api.js';
import { codeProject, coder, refusalOf, type CodeProject } from '../../../support/code.js';
import { borrowApi } from '../../../support/shared-api.js';

interface Commit {
  id: string;
  title: string;
  parent_ids: string[];
}

let api: TestApi;
let project: CodeProject;
let empty: CodeProject;
const ids: string[] = [];
let merge: string;

beforeAll(async () => {
  api = await borrowApi();
  project = await codeProject(api, 'code', { visibility: 'public' });
  empty = await codeProject(api, 'empty');
  const { work } = project;
  const signed = 'Second\n\nlong text\n\nSigned-off-by: Ada <ada@example.com>\nIssue: 1\nIssue: 2';
  ids.push(await work.commit({ 'a.txt': 'one\n', 'docs/read me.md': 'x\n' }, 'First'));
  ids.push(await work.commit({ 'a.txt': 'one\ntwo\nthree\n' }, signed));
  await work.git('checkout', '-q', '-b', 'feature/x');
  ids.push(await work.commit({ 'b.txt': 'b\n' }, 'On the side'));
  await work.git('checkout', '-q', 'main');
  ids.push(await work.commit({ 'c.txt': 'c\n' }, 'On main'));
  await work.git('merge', '-q', '--no-ff', '-m', 'Merge it', 'feature/x');
  merge = await work.git('rev-parse', 'HEAD');
  await work.git('tag', '-a', '-m', 'tagged', 'v1', ids[0] as string);
  await work.git('checkout', '-q', '--orphan', 'lonely');
  ids.push(await work.commit({}, 'Lonely'));
  await work.git('checkout', '-q', 'main');
  await project.push();
});
afterAll(async () => {
  project.work.remove();
  empty.work.remove();
  await api.close();
});

const list = async (query = ''): Promise<string[]> => {
  const answer = await api.root.get<Commit[]>(`${project.base}/commits?${query}`);
  expect(answer.status).toBe(200);
  return answer.body.map(({ title }) => title);
};

describe('the list of commits', () => {
  it('starts at the default branch, a branch, a tag or an id', async () => {
    expect((await list()).slice(0, 1)).toEqual(['Merge it']);
    expect(await list()).toHaveLength(5);
    expect(await list('ref_name=feature/x')).toEqual(['On the side', 'Second', 'First']);
    expect(await list('ref_name=v1')).toEqual(['First']);
    expect(await list(`ref_name=${ids[1]?.slice(0, 8)}`)).toEqual(['Second', 'First']);
    expect(await list('all=true')).toHaveLength(6);
    expect(await list('first_parent=true')).toEqual(['Merge it', 'On main', 'Second', 'First']);
    expect(await list('order=topo')).toHaveLength(5);
  });

  it('filters by path, author and time', async () => {
    expect(await list('path=a.txt')).toEqual(['Second', 'First']);
    expect(await list('path=docs')).toEqual(['First']);
    expect(await list('path=*.txt')).toEqual([]);
    expect(await list('path=docs/read%20me.md')).toEqual(['First']);
    expect(await list('author=ADA@example')).toHaveLength(5);
    expect(await list('author=.*')).toEqual([]);
    expect(await list('path=/docs/')).toEqual(['First']);
    for (const path of [
      '../x',
      '/etc/passwd',
      '.git/config',
      '--all',
      ':(top)a.txt',
      'a//b',
      'x'.repeat(4000),
    ])
      expect([path, await list(`path=${encodeURIComponent(path)}`)]).toEqual([path, []]);
    expect(await list('since=2001-01-01T00:00:00Z')).toHaveLength(5);
    expect(await list('until=2001-01-01T00:00:00Z')).toEqual([]);
    expect(await list('since=2999-01-01T00:00:00.000Z')).toEqual([]);
  });

  it('is paginated with totals', async () => {
    const first = await api.root.get<Commit[]>(`${project.base}/commits?per_page=2&ref_name=main`);
    expect(first.body).toHaveLength(2);
    expect(first.headers.get('x-next-page')).toBe('2');
    expect(first.headers.get('x-total')).toBe('5');
    expect(first.headers.get('link')).toContain('page=2');
    expect(first.headers.get('link')).toContain('page=3&per_page=2&ref_name=main>; rel="last"');
    const last = await api.root.get<Commit[]>(`${project.base}/commits?per_page=2&page=3&ref_name=main`);
    expect(last.body.map(({ title }) => title)).toEqual(['First']);
    expect(last.headers.get('x-next-page')).toBe('');
    expect((await api.root.get(`${project.base}/commits?page=5000&per_page=100`)).status).toBe(405);
    const keyset = `${project.base}/commits?pagination=keyset&order_by=id&sort=asc`;
    expect((await api.root.get(keyset)).status).toBe(405);
  });

  it('includes stats and trailers on request', async () => {
    const { body } = await api.root.get(
      `${project.base}/commits?with_stats=true&trailers=true&ref_name=feature/x`,
    );
    expect(body).toMatchObject([
      { stats: { additions: 1, deletions: 0, total: 1 }, trailers: {} },
      {
        stats: { additions: 2, deletions: 0, total: 2 },
        trailers: { 'Signed-off-by': 'Ada <ada@example.com>', Issue: '2' },
        extended_trailers: { Issue: ['1', '2'] },
      },
      { stats: { additions: 2 } },
    ]);
    const merged = await api.root.get(`${project.base}/commits?with_stats=true&per_page=1`);
    expect(merged.body).toMatchObject([{ id: merge, stats: { additions: 1, deletions: 0 } }]);
  });

  it('is empty without a repository, and refuses unknown refs', async () => {
    expect((await api.root.get(`${empty.base}/commits`)).body).toEqual([]);
    const unknown = ['nothing', 'HEAD~1', 'main..feature/x', ':/First', '@{-1}', '--all', 'a'.repeat(1000)];
    for (const name of unknown) {
      const answer = await api.root.get(`${project.base}/commits?ref_name=${encodeURIComponent(name)}`);
      expect([name, ...refusalOf(answer)]).toEqual([name, 404, '404 Ref Not Found']);
    }
    for (const query of ['ref_name[]=main', 'path[]=a', 'since=yesterday', 'ref_name=%00', 'order=x'])
      expect([query, (await api.root.get(`${project.base}/commits?${query}`)).status]).toEqual([query, 400]);
  });
});

describe('one commit', () => {
  it('is found by id, branch and tag', async () => {
    for (const name of [ids[0], ids[0]?.slice(0, 8), 'v1'])
      expect((await api.root.get(`${project.base}/commits/${name}`)).body).toMatchObject({
        id: ids[0],
        short_id: ids[0]?.slice(0, 8),
        parent_ids: [],
        title: 'First',
        message: 'First\n',
        author_name: 'Ada',
        committer_email: 'ada@example.com',
        web_url: `http://forgeplane.test/root/code/-/commit/${ids[0]}`,
        stats: { additions: 2, deletions: 0, total: 2 },
        status: null,
        project_id: project.id,
        last_pipeline: null,
      });
    const side = await api.root.get<Commit>(`${project.base}/commits/feature%2Fx?stats=false`);
    expect(side.body.title).toBe('On the side');
    expect(side.body).not.toHaveProperty('stats');
    expect((await api.root.get<Commit>(`${project.base}/commits/${merge}`)).body.parent_ids).toHaveLength(2);
  });

  it('is found by its full id, whatever tags exist', async () => {
    const { path } = await api.app
      .get(RepositoriesService, { strict: false })
      .open(projectRepository(project.id));
    await project.work.git('push', '-q', path, `${merge}:refs/tags/${ids[0]}`);
    expect((await api.root.get<Commit>(`${project.base}/commits/${ids[0]}`)).body.id).toBe(ids[0]);
    const refs = `refs[]=${ids[0]}&refs[]=main`;
    expect((await api.root.get<Commit>(`${project.base}/merge_base?${refs}`)).body.id).toBe(ids[0]);
    await project.work.git('push', '-q', path, `:refs/tags/${ids[0]}`);
  });

  it('is not found by any other revision', async () => {
    const names = [
      'nothing',
      'HEAD~1',
      'HEAD^{tree}',
      'main..v1',
      ':/First',
      '@{-1}',
      '--all',
      'f'.repeat(40),
      '-c',
      '../x',
      // The name of the commit by `git describe`.
      `main-1-g${ids[0]}`,
      `nothing-g${ids[0]?.slice(0, 8)}`,
    ];
    for (const name of names) {
      const answer = await api.root.get(`${project.base}/commits/${encodeURIComponent(name)}`);
      expect([name, ...refusalOf(answer)]).toEqual([name, 404, '404 Commit Not Found']);
    }
    const blob = await project.work.git('rev-parse', 'HEAD:a.txt');
    expect((await api.root.get(`${project.base}/commits/${blob}`)).status).toBe(404);
    expect((await api.root.get(`${empty.base}/commits/main`)).status).toBe(404);
    expect((await api.root.get(`${project.base}/commits/${'x'.repeat(3000)}`)).status).toBe(400);
  });

  it('lists the refs that contain it, and its sequence number', async () => {
    const refs = await api.root.get(`${project.base}/commits/v1/refs`);
    expect(refs.body).toEqual([
      { type: 'branch', name: 'feature/x' },
      { type: 'branch', name: 'main' },
      { type: 'tag', name: 'v1' },
    ]);
    expect((await api.root.get(`${project.base}/commits/v1/refs?type=tag`)).body).toHaveLength(1);
    expect((await api.root.get(`${project.base}/commits/${merge}/refs?type=branch`)).body).toHaveLength(1);
    expect((await api.root.get(`${project.base}/commits/main/sequence`)).body).toEqual({ count: 5 });
    expect((await api.root.get(`${project.base}/commits/main/sequence?first_parent=true`)).body).toEqual({
      count: 4,
    });
    expect((await api.root.get(`${project.base}/commits/main/merge_requests`)).body).toEqual([]);
    expect((await api.root.get(`${project.base}/commits/x/merge_requests`)).status).toBe(404);
  });
});

describe('access to commits', () => {
  it('is for everyone in a public project, and for Reporters in a private one', async () => {
    expect((await api.anonymous.get(`${project.base}/commits`)).status).toBe(200);
    const secret = await codeProject(api, 'secret');
    await secret.work.commit({ a: 'a' });
    await secret.push();
    secret.work.remove();
    expect((await api.anonymous.get(`${secret.base}/commits`)).status).toBe(404);
    const guest = await coder(api, 'guest', { id: secret.id, role: 10 });
    const reporter = await coder(api, 'reporter', { id: secret.id, role: 20 });
    expect((await guest.get(`${secret.base}/commits`)).status).toBe(403);
    expect((await guest.get(`${secret.base}/commits/main/diff`)).status).toBe(403);
    expect((await reporter.get(`${secret.base}/commits`)).status).toBe(200);
    expect(
      (await reporter.post(`${secret.base}/commits`, { branch: 'main', commit_message: 'x', actions: [] }))
        .status,
    ).toBe(403);
    await api.root.put(`/projects/${project.id}`, { repository_access_level: 'private' });
    expect((await api.anonymous.get(`${project.base}/commits`)).status).toBe(401);
    await api.root.put(`/projects/${project.id}`, { repository_access_level: 'enabled' });
  });
});
