import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { git, gitText } from '#core/repositories/git/git.js';
import { fetchMergeRequestHeads, fetchRepository } from './fetch-repository.js';
import { remoteRefs } from './remote-refs.js';

const EMPTY_TREE = '4b825dc642cb6eb9a060e54bf8d69288fbee4904';
const AUTHOR = {
  GIT_AUTHOR_NAME: 'A',
  GIT_AUTHOR_EMAIL: 'a@example.com',
  GIT_COMMITTER_NAME: 'A',
  GIT_COMMITTER_EMAIL: 'a@example.com',
};

describe('a repository that is fetched', () => {
  let folder: string;
  let from: string;
  let to: string;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'fetch-'));
    [from, to] = [join(folder, 'from.git'), join(folder, 'to.git')];
    for (const path of [from, to]) await git(null, ['init', '--quiet', '--bare', '--', path]);
    await git(from, ['hash-object', '-t', 'tree', '-w', '--stdin'], { input: '' });
    const commit = await gitText(from, ['commit-tree', '-m', 'One', EMPTY_TREE], { env: AUTHOR });
    const names = ['heads/main', 'heads/HEAD', `heads/${'a'.repeat(40)}`, 'tags/refs/heads/main', 'tags/v1'];
    const lines = names.map((name) => `create refs/${name} ${commit}\n`).join('');
    await git(from, ['update-ref', '--stdin'], { input: lines });
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));

  it('has no branch or tag with a misleading name that its source has not listed before', async () => {
    const access = { url: `file://${from}`, config: ['-c', 'protocol.file.allow=always'], env: {} };
    const signal = new AbortController().signal;
    await fetchRepository(to, { access, without: [], maxBytes: 1e9, signal });
    const refs = await gitText(to, ['for-each-ref', '--format=%(refname)']);
    expect(refs.split('\n')).toEqual(['refs/heads/main', 'refs/tags/v1']);
  });

  it('keeps the refs that are there, and names those that it could not create', async () => {
    const here = join(folder, 'here.git');
    await git(null, ['init', '--quiet', '--bare', '--', here]);
    await git(here, ['hash-object', '-t', 'tree', '-w', '--stdin'], { input: '' });
    const own = await gitText(here, ['commit-tree', '-m', 'Own', EMPTY_TREE], { env: AUTHOR });
    const known = ['heads/main', 'tags/v1/x', 'imports/lost/refs/heads/old'];
    const lines = known.map((name) => `create refs/${name} ${own}\n`).join('');
    await git(here, ['update-ref', '--stdin'], { input: lines });
    const [tip] = (await gitText(from, ['rev-parse', 'refs/heads/main'])).split('\n');
    await git(from, ['update-ref', 'refs/heads/new', tip ?? '']);
    const access = { url: `file://${from}`, config: ['-c', 'protocol.file.allow=always'], env: {} };
    const signal = new AbortController().signal;
    const taken = await fetchRepository(here, { access, without: [], maxBytes: 1e9, signal });
    expect(taken).toEqual(['refs/heads/main', 'refs/tags/v1']);
    const refs = await gitText(here, ['for-each-ref', '--format=%(objectname) %(refname)']);
    expect(refs.split('\n')).toEqual([
      `${own} refs/heads/main`,
      `${tip} refs/heads/new`,
      `${own} refs/tags/v1/x`,
    ]);
  });

  it('gets the heads of merge requests that are not there, and no other refs', async () => {
    const [forge, here] = [join(folder, 'forge.git'), join(folder, 'with-heads.git')];
    for (const path of [forge, here]) {
      await git(null, ['init', '--quiet', '--bare', '--', path]);
      await git(path, ['hash-object', '-t', 'tree', '-w', '--stdin'], { input: '' });
    }
    const commit = (path: string, title: string): Promise<string> =>
      gitText(path, ['commit-tree', '-m', title, EMPTY_TREE], { env: AUTHOR });
    const [theirs, own] = [await commit(forge, 'Squashed'), await commit(here, 'Own')];
    const names = ['1/head', '2/head', '3/merge', 'x/head', '4/5/head', '0/head'];
    const lines = names.map((name) => `create refs/merge-requests/${name} ${theirs}\n`).join('');
    await git(forge, ['update-ref', '--stdin'], { input: `${lines}create refs/keep-around/a ${theirs}\n` });
    await git(here, ['update-ref', 'refs/merge-requests/2/head', own]);
    const access = { url: `file://${forge}`, config: ['-c', 'protocol.file.allow=always'], env: {} };
    const fetch = { access, without: [], maxBytes: 1e9, signal: new AbortController().signal };
    // A process that was killed while it packed refs leaves this file, and nothing can be packed.
    const rest = join(here, 'packed-refs.new');
    await writeFile(rest, '');
    for (let time = 0; time < 2; time += 1) {
      await fetchMergeRequestHeads(here, fetch);
      const refs = await gitText(here, ['for-each-ref', '--format=%(objectname) %(refname)']);
      expect(refs.split('\n')).toEqual([
        `${theirs} refs/merge-requests/1/head`,
        `${own} refs/merge-requests/2/head`,
      ]);
      await rm(rest, { force: true });
    }
    expect(await readFile(join(here, 'packed-refs'), 'utf8')).toContain(
      `${theirs} refs/merge-requests/1/head`,
    );
  });

  it('has no branch whose name is not UTF-8, and nothing is left of one', async () => {
    const [latin, here] = [join(folder, 'latin.git'), join(folder, 'utf8.git')];
    for (const path of [latin, here]) await git(null, ['init', '--quiet', '--bare', '--', path]);
    await git(latin, ['hash-object', '-t', 'tree', '-w', '--stdin'], { input: '' });
    const commit = await gitText(latin, ['commit-tree', '-m', 'One', EMPTY_TREE], { env: AUTHOR });
    const names = ['main', 'caf\xc3\xa9', 'caf\xe9', 'caf\xe8'];
    const lines = names.map((name) => `create refs/heads/${name} ${commit}\n`).join('');
    await git(latin, ['update-ref', '--stdin'], { input: Buffer.from(lines, 'latin1') });
    const access = { url: `file://${latin}`, config: ['-c', 'protocol.file.allow=always'], env: {} };
    const signal = new AbortController().signal;
    const refs = await remoteRefs(access, signal);
    expect(refs?.misleading).toEqual(['refs/heads/caf\ufffd']);
    await fetchRepository(here, { access, without: refs?.misleading ?? [], maxBytes: 1e9, signal });
    const made = await git(here, ['for-each-ref', '--format=%(refname)']);
    expect(made.toString('latin1')).toBe('refs/heads/caf\xc3\xa9\nrefs/heads/main\n');
  });
});
