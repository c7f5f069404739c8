import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { join } from 'node:path';
import { git, gitText } from '#core/repositories/git/git.js';
import { buildTree, type PathChange } from '#core/repositories/objects/build-tree.js';
import { WorkingCopy } from '../support/git.js';
import { runs } from '../support/runs.js';

const copy = new WorkingCopy();
let path: string;
let blobs: string[];
const NO_OBJECT = '0'.repeat(40);
const SUBMODULE = 'a'.repeat(40);

beforeAll(async () => {
  await copy.init();
  path = join(copy.path, '.git');
  blobs = await Promise.all(
    ['one', 'two', 'three'].map((input) => gitText(path, ['hash-object', '-w', '--stdin'], { input })),
  );
});
afterAll(() => copy.remove());

/** Builds the same tree with git's index. */
async function byIndex(commit: string | null, changes: readonly PathChange[]): Promise<string> {
  const env = { GIT_INDEX_FILE: join(copy.path, 'index-of-the-test') };
  await git(path, ['read-tree', ...(commit === null ? ['--empty'] : [commit])], { env });
  const lines = changes.map(({ path: name, entry }) =>
    entry ? `${entry.mode} ${entry.id}\t${name}\0` : `0 ${NO_OBJECT}\t${name}\0`,
  );
  const input = lines.join('');
  if (input !== '') await git(path, ['update-index', '--replace', '-z', '--index-info'], { env, input });
  return gitText(path, ['write-tree'], { env });
}

const commitOf = (tree: string): Promise<string> =>
  gitText(path, ['commit-tree', tree], {
    input: 'x',
    env: {
      GIT_AUTHOR_NAME: 'a',
      GIT_AUTHOR_EMAIL: 'a',
      GIT_COMMITTER_NAME: 'a',
      GIT_COMMITTER_EMAIL: 'a',
    },
  });

/** Few names, so that files and folders collide, with some that git orders in its own way. */
const name = fc.constantFrom('a', 'a.b', 'a-', 'a0', 'ab', 'b', 'é', '\u{1f600}', ' ', 'z\n');
const entry = fc.oneof(
  fc
    .tuple(fc.constantFrom('100644', '100755', '120000'), fc.nat(2))
    .map(([mode, blob]) => ({ mode, id: blobs[blob] as string })),
  fc.constant({ mode: '160000', id: SUBMODULE }),
);
const pathOf = fc.array(name, { minLength: 1, maxLength: 4 }).map((parts) => parts.join('/'));
const written = fc.record({ path: pathOf, entry });
const changed = fc.record({ path: pathOf, entry: fc.oneof(entry, fc.constant(null)) });

describe('trees of commits through the API', () => {
  it("equal those of git's index", async () => {
    const property = fc.asyncProperty(
      fc.array(written, { maxLength: 25 }),
      fc.array(changed, { maxLength: 12 }),
      async (before, changes) => {
        const commit = before.length === 0 ? null : await commitOf(await byIndex(null, before));
        const tree = await buildTree({ path, env: {} }, commit, changes);
        expect(tree).toBe(await byIndex(commit, changes));
      },
    );
    await fc.assert(property, { numRuns: runs(15) });
  });

  it('keep names that are not UTF-8, and contain no empty folders', async () => {
    const bytes = Buffer.concat([
      Buffer.from(`100644 blob ${blobs[0]}\tcaf`),
      Buffer.from([0xe9]),
      Buffer.from('\0'),
    ]);
    const below = (await git(path, ['mktree', '-z'], { input: bytes })).toString().trim();
    const root = await gitText(path, ['mktree'], { input: `040000 tree ${below}\tdocs\n` });
    const commit = await commitOf(root);
    const one = { mode: '100644', id: blobs[1] as string };
    const added = await buildTree({ path, env: {} }, commit, [{ path: 'docs/new', entry: one }]);
    expect((await git(path, ['ls-tree', '-z', '--name-only', `${added}:docs`])).toString('latin1')).toBe(
      'caf\xe9\0new\0',
    );
    const second = await commitOf(added);
    expect(await buildTree({ path, env: {} }, second, [{ path: 'docs/new', entry: null }])).toBe(root);
    const only = await commitOf(await buildTree({ path, env: {} }, null, [{ path: 'x/y/z', entry: one }]));
    expect(await buildTree({ path, env: {} }, only, [{ path: 'x/y/z', entry: null }])).toBe(
      '4b825dc642cb6eb9a060e54bf8d69288fbee4904',
    );
  });

  it('cannot have folders with too many names; unchanged folders are not read', async () => {
    const id = Buffer.from(blobs[0] as string, 'hex');
    const names = Array.from({ length: 300_000 }, (_, at) => `100644 n${String(at).padStart(6, '0')}\0`);
    const input = Buffer.concat(names.flatMap((text) => [Buffer.from(text), id]));
    const wide = await gitText(path, ['hash-object', '-t', 'tree', '-w', '--stdin'], { input });
    const root = await gitText(path, ['mktree'], { input: `040000 tree ${wide}\twide\n` });
    const commit = await commitOf(root);
    const one = { mode: '100644', id: blobs[1] as string };
    await expect(
      buildTree({ path, env: {} }, commit, [{ path: 'wide/new', entry: one }]),
    ).rejects.toMatchObject({
      status: 422,
    });
    const beside = await buildTree({ path, env: {} }, commit, [{ path: 'other/new', entry: one }]);
    expect(await gitText(path, ['rev-parse', `${beside}:wide`])).toBe(wide);
  });
});
