import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { BroughtCommits } from '#core/repositories/pushes/brought-commits.js';
import { standsOnKnown } from '#core/repositories/pushes/small/stands-on.js';
import { WorkingCopy } from '../support/git.js';

let work: WorkingCopy;
let bare: string;
let before: string;

const git = (args: readonly string[], input = '', env: Record<string, string> = {}): Buffer =>
  execFileSync('git', args, { cwd: work.path, input, env: { ...process.env, ...env } });

beforeAll(async () => {
  work = await new WorkingCopy().init();
  await work.commit({ 'a.txt': 'one', 'b/c/d.txt': 'two', 'b/e.txt': 'three' });
  before = await work.commit({ 'a.txt': 'four' });
  bare = mkdtempSync(join(tmpdir(), 'forgeplane-bare-'));
  git(['clone', '--quiet', '--bare', '--no-local', '.', bare]);
  // As small pushes leave it: each object in a separate file.
  const pack = git(['pack-objects', '--stdout', '--all', '-q']);
  rmSync(join(bare, 'objects/pack'), { recursive: true });
  execFileSync('git', ['-C', bare, 'unpack-objects', '-q'], { input: pack });
});
afterAll(() => {
  work.remove();
  rmSync(bare, { recursive: true });
});

/** Whether all objects that a commit needs are known if only these of its objects are pushed. */
async function isKnown(
  after: string,
  keep: (id: string) => boolean = () => true,
  all?: readonly string[],
): Promise<boolean> {
  const listed = (): string[] =>
    git(['rev-list', '--objects', after, `^${before}`])
      .toString()
      .trim()
      .split('\n');
  const came = (all ?? listed()).map((line) => line.slice(0, 40)).filter(keep);
  const pack = git(['pack-objects', '--stdout', '-q'], came.map((id) => `${id}\n`).join(''));
  const folder = mkdtempSync(join(bare, 'objects/tmp_objdir-'));
  const env = { GIT_OBJECT_DIRECTORY: folder, GIT_ALTERNATE_OBJECT_DIRECTORIES: join(bare, 'objects') };
  execFileSync('git', ['-C', bare, 'unpack-objects', '-q'], { input: pack, env: { ...process.env, ...env } });
  const change = { ref: 'refs/heads/main', before, after };
  const brought = await BroughtCommits.read(folder, [change]);
  const known = await standsOnKnown(bare, folder, change, brought);
  rmSync(folder, { recursive: true });
  return known;
}

const id = (revision: string): string => git(['rev-parse', revision]).toString().trim();

it('connectivity is known for commits that add, change and remove files', async () => {
  await work.commit({ 'b/c/d.txt': 'five', 'f/g/h.txt': 'six' });
  await work.git('rm', '--quiet', 'a.txt');
  mkdirSync(join(work.path, 'module'));
  await work.git('update-index', '--add', '--cacheinfo', `160000,${'c'.repeat(40)},module`);
  const after = await work.commit({ 'b/c/i.txt': 'seven' });
  expect(await isKnown(after)).toBe(true);
  for (const path of [after, `${after}^{tree}`, `${after}:f/g/h.txt`, `${after}^:f`, `${after}^:b/c`])
    expect([path, await isKnown(after, (one) => one !== id(path))]).toEqual([path, false]);
});

it('connectivity is unknown for objects that exist without a ref', async () => {
  const text = 'only here';
  execFileSync('git', ['-C', bare, 'hash-object', '-w', '--stdin'], { input: text });
  const after = await work.commit({ 'lost.txt': text });
  expect(await isKnown(after, (one) => one !== id(`${after}:lost.txt`))).toBe(false);
});

it('connectivity is known without reading a folder again for each of its paths', async () => {
  const blob = git(['hash-object', '-w', '--stdin'], 'x\n').toString().trim();
  let tree = '';
  // A billion files.
  for (let level = 0; level < 9; level += 1) {
    const entry = level === 0 ? `100644 blob ${blob}` : `040000 tree ${tree}`;
    const lines = Array.from({ length: 10 }, (_, index) => `${entry}\tn${index}\n`).join('');
    tree = git(['mktree'], lines).toString().trim();
  }
  const after = git(['commit-tree', '-p', before, '-m', 'Bomb', tree]).toString().trim();
  expect(await isKnown(after)).toBe(true);
});

it('connectivity is unknown for a file that was a submodule commit before', async () => {
  const lost = 'c'.repeat(40);
  const tree = git(['mktree', '--missing'], `100644 blob ${lost}\tmodule\n`).toString().trim();
  const module = git(['mktree', '--missing'], `160000 commit ${lost}\tmodule\n`).toString().trim();
  const first = git(['commit-tree', '-p', before, '-m', 'Module', module]).toString().trim();
  const after = git(['commit-tree', '-p', first, '-m', 'File', tree]).toString().trim();
  const ids = [after, tree, first, module];
  expect(await isKnown(after, () => true, ids)).toBe(false);
});

it('connectivity is unknown for merges, and if the previous commit is packed', async () => {
  await work.git('checkout', '--quiet', '-b', 'side', before);
  await work.commit({ 'side.txt': 'x' });
  await work.git('merge', '--quiet', '--no-edit', 'main');
  expect(await isKnown(id('HEAD'))).toBe(false);
  execFileSync('git', ['-C', bare, 'repack', '-adq']);
  expect(await isKnown(id('main'))).toBe(false);
});
