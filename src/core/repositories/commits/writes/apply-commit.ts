import { HttpError } from '#kernel/http/errors.js';
import { commitTree, type Signature } from '../../git/build-commit.js';
import type { Commit } from '../../git/commit-log.js';
import { GitFailure } from '../../git/git-failure.js';
import { gitText } from '../../git/git.js';
import type { ObjectDirectory } from '../../objects/quarantine.js';
import { EMPTY_TREE } from '../diff/read-diff.js';

/** Ways to apply a commit. */
export type Application = 'cherry-pick' | 'revert';

const refusal = ({ verb, isDry }: CommitToApply, code: 'conflict' | 'empty'): HttpError =>
  new HttpError(400, {
    message:
      `Sorry, we cannot ${verb} this commit automatically. This commit may already have been ` +
      `${verb === 'revert' ? 'reverted' : 'cherry-picked'}, or a more recent commit may have updated some of its content.`,
    error_code: code,
    ...(isDry ? { dry_run: 'error' } : {}),
  });

/** A commit to apply to a branch. */
export interface CommitToApply {
  readonly commit: Commit;
  readonly verb: Application;
  /** Message of the new commit, instead of the default. */
  readonly message: string | undefined;
  /** Whether only the result matters: v4 clients read it from `dry_run`, also in a refusal. */
  readonly isDry: boolean;
}

/**
 * Creates a commit on top of `head` (a full id) that repeats or reverts the changes of another commit against
 * its first parent.
 * @returns its id. @throws 400 if they conflict, or nothing would change
 */
export async function applyCommit(
  directory: ObjectDirectory,
  head: string,
  toApply: CommitToApply,
  committer: Signature,
): Promise<string> {
  const { commit, verb, message } = toApply;
  const before = commit.parentIds[0] === undefined ? EMPTY_TREE : `${commit.parentIds[0]}^{tree}`;
  const after = `${commit.id}^{tree}`;
  const [base, theirs] = verb === 'revert' ? [after, before] : [before, after];
  const tree = await mergeTrees(directory, { base, ours: `${head}^{tree}`, theirs }, committer);
  if (tree === null) throw refusal(toApply, 'conflict');
  if (
    tree === (await gitText(directory.path, ['rev-parse', '--verify', '--end-of-options', `${head}^{tree}`]))
  )
    throw refusal(toApply, 'empty');
  const text = message?.trim() ? message : usualMessage(commit, verb);
  const author =
    verb === 'revert'
      ? committer
      : { name: commit.authorName, email: commit.authorEmail, date: new Date(commit.authoredDate) };
  return commitTree(directory, tree, { parents: [head], message: text, author, committer });
}

function usualMessage({ id, title, message }: Commit, verb: Application): string {
  return verb === 'revert'
    ? `Revert "${title}"\n\nThis reverts commit ${id}.\n`
    : `${message.trimEnd()}\n\n(cherry picked from commit ${id})\n`;
}

/** Three trees of a merge. */
interface TreeMerge {
  readonly base: string;
  readonly ours: string;
  readonly theirs: string;
}

/**
 * Merges trees; null if they conflict. Git 2.39 always determines the merge base itself, so unreferenced
 * commits are created that have the intended base.
 */
export async function mergeTrees(
  directory: ObjectDirectory,
  { base, ours, theirs }: TreeMerge,
  author: Signature,
): Promise<string | null> {
  const unnamed = (tree: string, parents: readonly string[]): Promise<string> =>
    commitTree(directory, tree, { parents, message: 'merge', author, committer: author });
  const root = await unnamed(base, []);
  const sides = await Promise.all([unnamed(ours, [root]), unnamed(theirs, [root])]);
  try {
    const output = await gitText(directory.path, ['merge-tree', '--write-tree', '--no-messages', ...sides], {
      env: directory.env,
    });
    return output.split('\n', 1)[0] ?? null;
  } catch (error) {
    if (error instanceof GitFailure && error.reason === 'exit' && error.exitCode === 1) return null;
    throw error;
  }
}
