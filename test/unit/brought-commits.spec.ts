import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { git, gitText } from '#core/repositories/git/git.js';
import { BroughtCommits } from '#core/repositories/pushes/brought-commits.js';
import { describeChanges } from '#core/repositories/pushes/describe-changes.js';
import { NO_OBJECT, type RefChange } from '#core/repositories/pushes/ref-change.js';

let path: string;
const author = { name: 'Ada', email: 'ada@example.com' };
const WHO = {
  ...{ GIT_AUTHOR_NAME: author.name, GIT_AUTHOR_EMAIL: author.email },
  ...{ GIT_COMMITTER_NAME: author.name, GIT_COMMITTER_EMAIL: author.email },
};

/** A commit with these names in its root. */
async function commit(message: string, names: readonly string[], ...parents: string[]): Promise<string> {
  const blob = await gitText(path, ['hash-object', '-w', '--stdin'], { input: message });
  const input = names.map((name) => `100644 blob ${blob}\t${name}\n`).join('');
  const tree = await gitText(path, ['mktree'], { input });
  const args = ['commit-tree', tree, ...parents.flatMap((id) => ['-p', id])];
  return gitText(path, args, { input: message, env: WHO });
}

const moved = (before: string, after: string): RefChange => ({ ref: 'refs/heads/main', before, after });
const read = (...changes: RefChange[]): Promise<BroughtCommits> =>
  BroughtCommits.read(join(path, 'objects'), changes);

beforeAll(async () => {
  path = mkdtempSync(join(tmpdir(), 'forgeplane-brought-'));
  await git(null, ['init', '--quiet', '--bare', path]);
});
afterAll(() => rmSync(path, { recursive: true, force: true }));

describe('the changes of a push', () => {
  it('are the same as reported by git, without a process', async () => {
    const messages = ['One\n', '\n \nTwo  \nlines \n\nBody\n', 'Drei Wörter', '', ' indented\n'];
    const first = await commit('First', ['a']);
    let last = first;
    for (const message of messages) {
      const next = await commit(message, ['a', 'b'], last);
      const change = moved(first, next);
      const brought = await read(change);
      expect(await describeChanges(path, [change], 9, brought)).toEqual(
        await describeChanges(path, [change], 9),
      );
      last = next;
    }
    const line = (await read(moved(first, last))).lineOf(moved(first, last));
    expect(line?.map(({ id }) => id)).toEqual(
      (await gitText(path, ['rev-list', last, `^${first}`])).split('\n'),
    );
  });

  it('are unknown for merges, backward moves, new branches and packed objects', async () => {
    const first = await commit('First', ['a']);
    const left = await commit('Left', ['a'], first);
    const merge = await commit('Merge', ['a'], left, await commit('Right', ['a'], first));
    for (const change of [moved(first, merge), moved(left, first), moved(NO_OBJECT, left)])
      expect((await read(change)).lineOf(change)).toBeNull();
    const change = moved(first, left);
    expect((await read(change)).lineOf(change)).toHaveLength(1);
    expect((await BroughtCommits.read('', [change])).lineOf(change)).toBeNull();
    await git(path, ['update-ref', 'refs/heads/left', left]);
    await git(path, ['repack', '-adq']);
    expect((await read(change)).lineOf(change)).toBeNull();
  });

  it('exclude a tree that is not in the push', async () => {
    const first = await commit('First root', ['a']);
    const second = await commit('Second root', ['.gitlab-ci.yml', 'a b'], first);
    const brought = await read(moved(first, second));
    expect(['.gitlab-ci.yml', 'a b', 'b'].map((name) => brought.lacks(second, name))).toEqual([
      false,
      false,
      true,
    ]);
    expect(brought.lacks(first, 'b')).toBe(false);
  });
});
