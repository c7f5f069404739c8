import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { execFileSync } from 'node:child_process';
import {
  appendFileSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { metrics } from '#kernel/log/metrics.js';
import {
  projectRepository,
  relativePath,
  snippetRepository,
  wikiRepository,
} from '#core/repositories/repository-ref.js';
import { ROOT_TOKEN, startApi, type TestApi } from '../../../../support/api.js';
import { buildProject } from '../../../../support/builders/project.js';
import { DaySample } from '../../../../support/day-sample.js';
import { WorkingCopy } from '../../../../support/git.js';
import { gitUrl } from '../../../../support/git-http.js';

const LOGIN = ['root', ROOT_TOKEN] as const;
const DAMAGED = { message: 'The repository is damaged' };

let api: TestApi;
let folder: string;
let work: WorkingCopy;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'forgeplane-damaged-'));
  api = await startApi({ LOG_LEVEL: 'silent', REPOSITORY_STORAGES: `default=${folder}` });
  work = await new WorkingCopy().init();
  await work.commit({ 'a.txt': 'one\n', 'README.md': '# Read\n' }, 'First');
  await work.commit({ 'd/b.txt': 'two\n' }, 'Second');
  await work.git('checkout', '--quiet', '-b', 'topic');
  await work.commit({ 'd/c.txt': 'three\n' }, 'Topic');
  await work.git('checkout', '--quiet', 'main');
  await work.commit({ 'a.txt': 'one\nmore\n' }, 'Third');
  await work.git('tag', '--annotate', '--message', 'v1', 'v1');
});
afterAll(async () => {
  work.remove();
  await api.close();
  rmSync(folder, { recursive: true, force: true });
});

const gitIn = (path: string, ...args: string[]): string =>
  execFileSync('git', ['--git-dir', path, ...args], {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
  }).trim();

/** Removes the file of a loose object. */
const lose = (path: string, revision: string): void => {
  const id = gitIn(path, 'rev-parse', revision);
  rmSync(join(path, 'objects', id.slice(0, 2), id.slice(2)));
};

/** Truncates the files of a kind in the only pack. */
const cutPack = (path: string, ending: string): void => {
  gitIn(path, 'repack', '-a', '-d', '-q');
  const packs = join(path, 'objects', 'pack');
  for (const name of readdirSync(packs)) if (name.endsWith(ending)) truncateSync(join(packs, name), 100);
};

const firstFile = (path: string): string =>
  gitIn(path, 'ls-tree', '-r', '--format=%(objectname)', 'main').split('\n')[0] ?? '';

/** Kinds of damage to a repository; each has the branch `main`. */
const DAMAGES: Readonly<Record<string, (path: string) => void>> = {
  nothing: () => undefined,
  'the commit of a branch is missing': (path) => lose(path, 'main'),
  'the tree of a commit is missing': (path) => lose(path, 'main^{tree}'),
  'a file is missing': (path) => lose(path, firstFile(path)),
  'a file holds garbage': (path) => {
    const id = firstFile(path);
    const file = join(path, 'objects', id.slice(0, 2), id.slice(2));
    rmSync(file);
    writeFileSync(file, 'garbage');
  },
  'a commit is empty': (path) => {
    const id = gitIn(path, 'rev-parse', 'main');
    const file = join(path, 'objects', id.slice(0, 2), id.slice(2));
    rmSync(file);
    writeFileSync(file, '');
  },
  'a pack is cut off': (path) => cutPack(path, '.pack'),
  'the index of a pack is cut off': (path) => cutPack(path, '.idx'),
  'a branch names an object that is missing': (path) =>
    writeFileSync(join(path, 'refs/heads/main'), `${'1234567890'.repeat(4)}\n`),
  'a branch names nothing': (path) => writeFileSync(join(path, 'refs/heads/main'), ''),
  'a branch holds garbage': (path) => writeFileSync(join(path, 'refs/heads/main'), 'garbage\n'),
  'HEAD holds garbage': (path) => writeFileSync(join(path, 'HEAD'), 'garbage\n'),
  'HEAD is missing': (path) => rmSync(join(path, 'HEAD')),
  'the objects are missing': (path) => rmSync(join(path, 'objects'), { recursive: true }),
  'the refs are missing': (path) => rmSync(join(path, 'refs'), { recursive: true }),
  'packed refs hold garbage': (path) => {
    gitIn(path, 'pack-refs', '--all');
    appendFileSync(join(path, 'packed-refs'), 'garbage\n');
  },
};

interface Filled {
  readonly id: number;
  readonly path: string;
  readonly snippet: number;
  readonly version: number;
  readonly sha: string;
  readonly blob: string;
}

const post = async <T>(path: string, body: object): Promise<T> => {
  const answer = await api.root.post<T>(path, body);
  expect([path, answer.status]).toEqual([path, 201]);
  return answer.body;
};

/** Creates a project with code, a merge request, a wiki page and a snippet. */
async function filledProject(): Promise<Filled> {
  const { id, path_with_namespace: path } = await buildProject(api.root);
  const pushed = await work.run([
    'push',
    '--quiet',
    gitUrl(api, `/${path}.git`, LOGIN),
    'main',
    'topic',
    'v1',
  ]);
  expect(pushed).toMatchObject({ code: 0 });
  await post(`/projects/${id}/merge_requests`, { source_branch: 'topic', target_branch: 'main', title: 'T' });
  await post(`/projects/${id}/wikis`, { title: 'home', content: 'x' });
  const snippet = await post<{ id: number }>(`/projects/${id}/snippets`, {
    title: 'S',
    visibility: 'private',
    files: [{ file_path: 'a.txt', content: 'one' }],
  });
  const versions = await api.root.get<{ id: number }[]>(`/projects/${id}/merge_requests/1/versions`);
  const sha = await work.git('rev-parse', 'main');
  const blob = await work.git('rev-parse', 'main:a.txt');
  return { id, path, snippet: snippet.id, version: versions.body[0]?.id ?? 0, sha, blob };
}

/** All routes that read repositories. */
const readsOf = ({ id, snippet, version, sha, blob }: Filled): string[] => [
  ...[
    ...[
      'commits',
      'commits?ref_name=main',
      'commits?all=true',
      'commits?path=a.txt',
      'commits?path=a.txt&ref_name=topic',
    ],
    ...['commits/main', `commits/${sha}`, 'commits/main/diff', 'commits/main/refs', 'commits/main/sequence'],
    ...[
      'commits/main/signature',
      'commits/main/merge_requests',
      'commits/main/comments',
      'commits/main/statuses',
    ],
    ...['tree', 'tree?recursive=true', 'tree?ref=main&path=d', `blobs/${blob}`, `blobs/${blob}/raw`],
    ...['files/a.txt?ref=main', 'files/a.txt/raw?ref=main', 'files/a.txt/blame?ref=main', 'files/a.txt/raw'],
    ...['files/d%2Fb.txt?ref=main', 'files/a.txt/blame?ref=main&range[start]=1&range[end]=1'],
    ...[
      'compare?from=topic&to=main',
      'compare?from=main&to=topic&straight=true',
      'merge_base?refs[]=main&refs[]=topic',
    ],
    ...['branches', 'branches/main', 'branches/topic', 'branches?search=main', 'tags', 'tags/v1'],
    ...['archive.tar?sha=main', 'archive.zip', 'contributors'],
  ].map((path) => `/projects/${id}/repository/${path}`),
  ...['commits', 'diffs', 'changes', 'versions', `versions/${version}`, 'raw_diffs', 'merge_ref'].map(
    (path) => `/projects/${id}/merge_requests/1/${path}`,
  ),
  `/projects/${id}/languages`,
  ...['', '?with_content=true', '/home'].map((path) => `/projects/${id}/wikis${path}`),
  ...['', '/raw', '/files/main/a.txt/raw'].map((path) => `/projects/${id}/snippets/${snippet}${path}`),
];

const commitOf = (branch: string, path: string): object => ({
  branch,
  commit_message: 'm',
  actions: [{ action: 'update', file_path: path, content: `${Math.random()}` }],
});

/** All routes that write to repositories; the smallest changes come first. */
const writesOf = ({ id, snippet, sha }: Filled): (() => Promise<{ status: number; body: unknown }>)[] => [
  () => api.root.post(`/projects/${id}/repository/branches`, { branch: 'new', ref: 'main' }),
  () => api.root.post(`/projects/${id}/repository/tags`, { tag_name: 'new', ref: 'main' }),
  () => api.root.post(`/projects/${id}/repository/tags`, { tag_name: 'told', ref: 'main', message: 'm' }),
  () => api.root.post(`/projects/${id}/repository/commits/${sha}/cherry_pick`, { branch: 'topic' }),
  () => api.root.post(`/projects/${id}/repository/commits/${sha}/revert`, { branch: 'main' }),
  () => api.root.post(`/projects/${id}/repository/commits`, commitOf('topic', 'd/c.txt')),
  () => api.root.post(`/projects/${id}/repository/commits`, commitOf('main', 'd/b.txt')),
  () =>
    api.root.put(`/projects/${id}/repository/files/README.md`, {
      branch: 'main',
      content: 'y',
      commit_message: 'm',
    }),
  () => api.root.put(`/projects/${id}/merge_requests/1/merge`),
  () => api.root.put(`/projects/${id}/wikis/home`, { content: 'y' }),
  () => api.root.post(`/projects/${id}/wikis`, { title: 'other', content: 'y' }),
  () =>
    api.root.put(`/projects/${id}/snippets/${snippet}`, {
      files: [{ action: 'update', file_path: 'a.txt', content: 'y' }],
    }),
];

/** Jobs may still be processing these. */
const IN_STEP = /\/versions|\/languages/;

async function read(path: string): Promise<{ status: number; text: string }> {
  const answer = await fetch(`${api.url}/api/v4${path}`, { headers: { 'PRIVATE-TOKEN': ROOT_TOKEN } });
  return { status: answer.status, text: Buffer.from(await answer.arrayBuffer()).toString('latin1') };
}

/** Each case sends about a hundred requests to git. */
const sample = DaySample.ofEnvironment();
const TRIED = sample.some(Object.keys(DAMAGES), 8);

describe(`a damaged repository (${sample.toString()})`, () => {
  it.each(TRIED)('is reported, and never treated as another one: %s', async (name) => {
    const project = await filledProject();
    const reads = readsOf(project);
    const healthy = new Map<string, { status: number; text: string }>();
    for (const path of reads) healthy.set(path, await read(path));
    const unread = [...healthy]
      .filter(([, { status }]) => status !== 200)
      .map(([path, { status, text }]) => [path, status, text]);
    expect(unread.filter(([path]) => !/signature|merge_ref/.test(String(path)))).toEqual([]);
    const refs = [
      projectRepository(project.id),
      wikiRepository('Project', project.id),
      snippetRepository(project.snippet),
    ];
    for (const ref of refs) DAMAGES[name]?.(join(folder, relativePath(ref)));

    const wrong: unknown[] = [];
    let damaged = 0;
    for (const path of reads) {
      const now = await read(path);
      if (now.status === 503 && now.text === JSON.stringify(DAMAGED)) damaged += 1;
      else if (
        now.status !== healthy.get(path)?.status ||
        (!IN_STEP.test(path) && now.text !== healthy.get(path)?.text)
      )
        wrong.push([path, now.status, now.text.slice(0, 200)]);
    }
    for (const [index, write] of writesOf(project).entries()) {
      const { status, body } = await write();
      const isDamaged = status === 503 && JSON.stringify(body) === JSON.stringify(DAMAGED);
      if (!isDamaged && status !== 200 && status !== 201) wrong.push(['write', index, status, body]);
    }
    const copy = join(folder, `clone-${project.id}`);
    const cloned = await work.run([
      'clone',
      '--quiet',
      '--bare',
      gitUrl(api, `/${project.path}.git`, LOGIN),
      copy,
    ]);
    if (cloned.code === 0 && !/topic/.test(gitIn(copy, 'branch'))) wrong.push('a clone without a branch');
    if (cloned.code === 0 && !/main/.test(gitIn(copy, 'branch'))) wrong.push('a clone without a branch');
    expect(wrong).toEqual([]);
    expect(damaged > 0).toBe(name !== 'nothing');
    expect(existsSync(join(folder, relativePath(projectRepository(project.id)), 'config'))).toBe(true);
  });

  it('is counted', async () => {
    expect(await metrics.metrics()).toMatch(/repositories_damaged_total [1-9]/);
  });
});
