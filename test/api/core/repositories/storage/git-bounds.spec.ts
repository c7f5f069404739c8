import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { projectRepository } from '#core/repositories/repository-ref.js';
import { RepositoriesService } from '#core/repositories/repositories.service.js';
import { ROOT_TOKEN, startApi, type TestApi } from '../../../../support/api.js';
import { codeProject, refusalOf, type CodeProject } from '../../../../support/code.js';
import { narrow, restoreLimits } from '../../../../support/git-limits.js';
import { treeBomb } from '../../../../support/git-bombs.js';
import { until } from '../../../../support/until.js';

let api: TestApi;
let bomb: CodeProject;
let plain: CodeProject;
let paths: string[];

beforeAll(async () => {
  api = await startApi();
  bomb = await codeProject(api, 'bomb');
  await treeBomb(bomb.work, 9);
  await bomb.push();
  plain = await codeProject(api, 'plain');
  await plain.work.commit(
    {
      '.gitattributes': 'a.txt export-subst\nb.txt export-ignore\n*.md -diff\n',
      'a.txt': '$Format:%B$\n',
      'b.txt': 'b\n',
      'c.md': 'c\n',
      // Leaves the pipe full without a reader.
      large: 'x'.repeat(64 * 1024 * 1024),
    },
    'Message',
  );
  await plain.push();
  const repositories = api.app.get(RepositoriesService, { strict: false });
  const opened = await Promise.all([bomb, plain].map(({ id }) => repositories.open(projectRepository(id))));
  paths = opened.map(({ path }) => path);
});
afterEach(restoreLimits);
afterAll(async () => {
  bomb.work.remove();
  plain.work.remove();
  await api.close();
});

/** Git processes that use a repository now. */
const processesAt = (path: string | undefined): string[] =>
  readdirSync('/proc').filter((pid) => {
    if (!/^\d+$/.test(pid)) return false;
    try {
      return readFileSync(`/proc/${pid}/environ`, 'utf8').split('\0').includes(`GIT_DIR=${path}`);
    } catch {
      return false;
    }
  });

const ask = (path: string, signal?: AbortSignal): Promise<Response> =>
  fetch(`${api.url}/api/v4${path}`, { headers: { 'PRIVATE-TOKEN': ROOT_TOKEN }, signal: signal ?? null });

describe('a tree of a few objects and 10^9 entries', () => {
  it('is listed up to the end of the page', async () => {
    const page = await api.root.get<{ path: string }[]>(`${bomb.base}/tree?recursive=true&per_page=1`);
    expect(page.body.map(({ path }) => path)).toEqual(['n0']);
    expect(page.headers.get('x-total')).toBeNull();
    expect(page.headers.get('x-next-page')).toBe('2');
    const walked = await api.root.get<unknown[]>(
      `${bomb.base}/tree?recursive=true&pagination=keyset&per_page=2`,
    );
    expect(walked.body).toHaveLength(2);
    expect(walked.headers.get('link')).toContain('page_token=');
  });

  it('is refused if all of it would have to be read', async () => {
    const token = `blob.${Buffer.from('n0').toString('base64url')}`;
    const far = `commit.${Buffer.from('n0').toString('base64url')}`;
    expect(
      (await api.root.get(`${bomb.base}/tree?recursive=true&pagination=keyset&page_token=${token}`)).status,
    ).toBe(200);
    const told = [422, 'The tree has more than 300000 entries, or a path of more than 1 MiB'];
    expect(
      refusalOf(await api.root.get(`${bomb.base}/tree?recursive=true&pagination=keyset&page_token=${far}`)),
    ).toEqual(told);
    expect(refusalOf(await api.root.get(`${bomb.base}/archive.tar`))).toEqual(told);
    await until(() => processesAt(paths[0]).length === 0);
  });
});

it('neither lists nor compares files with names that are longer than any file system takes', async () => {
  const { work, base } = plain;
  const blob = await work.git('rev-parse', 'main:a.txt');
  const tree = await work.pipe(['mktree'], `100644 blob ${blob}\t${'n'.repeat(2 * 1024 * 1024)}\n`);
  const commit = await work.git('commit-tree', '-m', 'Long', tree);
  await work.git('push', '--quiet', paths[1] ?? '', `${commit}:refs/heads/long`);
  expect(refusalOf(await api.root.get(`${base}/tree?ref=long`))[0]).toBe(422);
  const diff = await api.root.get(`${base}/commits/${commit}/diff`);
  expect([diff.status, diff.body]).toEqual([200, []]);
});

it('ignores .gitattributes files of users', async () => {
  const archive = await ask(`${plain.base}/archive.tar`);
  const read = (...args: string[]): string =>
    execFileSync('tar', args, { input: tar, maxBuffer: 128 * 1024 * 1024 }).toString();
  const tar = Buffer.from(await archive.arrayBuffer());
  expect(read('t')).toContain('/b.txt');
  expect(read('xO', '--wildcards', '*/a.txt')).toBe('$Format:%B$\n');
  const diff = await api.root.get<{ new_path: string; diff: string }[]>(`${plain.base}/commits/main/diff`);
  expect(diff.body.find(({ new_path: path }) => path === 'c.md')?.diff).toContain('+c');
});

it('releases the slot of a stream when its client disconnects, even before reading', async () => {
  narrow('stream', { width: 1, share: 1, waitMs: 200 });
  const leaving = new AbortController();
  const first = await ask(`${plain.base}/archive.tar`, leaving.signal);
  expect(first.status).toBe(200);
  const busy = await ask(`${plain.base}/archive.tar`);
  expect([busy.status, Number(busy.headers.get('retry-after')) > 0]).toEqual([503, true]);
  leaving.abort();
  await until(() => processesAt(paths[1]).length === 0);
  expect((await ask(`${plain.base}/files/a.txt/raw`)).status).toBe(200);
});

it('reserves slots for other projects', async () => {
  narrow('stream', { width: 2, share: 1, waitMs: 200 });
  const leaving = new AbortController();
  await ask(`${plain.base}/archive.tar`, leaving.signal);
  const other = await ask(
    `${bomb.base}/blobs/${execFileSync('git', ['hash-object', '--stdin'], { input: 'x\n' }).toString().trim()}/raw`,
  );
  // Both are of one user: the share of the caller is used up, not that of the project.
  expect(other.status).toBe(503);
  narrow('stream', { share: 2 });
  expect((await ask(`${plain.base}/files/a.txt/raw`)).status).toBe(200);
  leaving.abort();
});

it('shows running and waiting processes in the metrics', async () => {
  const text = await (await fetch(`${api.url}/-/metrics`)).text();
  for (const kind of ['read', 'walk', 'stream', 'pack', 'write', 'background', 'long'])
    expect(text).toContain(`git_processes_running{kind="${kind}"}`);
});
