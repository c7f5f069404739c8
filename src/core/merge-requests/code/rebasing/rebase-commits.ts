import { badRequest } from '#kernel/http/errors.js';
import { EMPTY_TREE } from '#core/repositories/commits/diff/read-diff.js';
import { isTooLarge, readInPortions } from '#core/repositories/commits/or-fewer.js';
import { mergeTrees } from '#core/repositories/commits/writes/apply-commit.js';
import { commitTree, type Signature } from '#core/repositories/git/build-commit.js';
import type { Commit } from '#core/repositories/git/commit-log.js';
import type { ObjectDirectory } from '#core/repositories/objects/quarantine.js';
import { gitText } from '#core/repositories/git/git.js';

/** Limit of rebased commits, to bound the waiting time. */
const MAX_COMMITS = 500;

/** Skips changes that the target has in other commits, and merges. */
const OWN = ['--reverse', '--topo-order', '--no-merges', '--right-only', '--cherry-pick'];

/**
 * Rebases the commits of `head` that `onto` lacks (full ids); no ref names them yet. @returns the last of
 * them.
 * @throws 400 if one of them conflicts or has a message that is too large
 */
export async function rebaseCommits(
  directory: ObjectDirectory,
  onto: string,
  head: string,
  committer: Signature,
): Promise<string> {
  const { path, env } = directory;
  const wanted = [...OWN, `--max-count=${MAX_COMMITS + 1}`, `${onto}...${head}`, '--'];
  const ids = (await gitText(path, ['rev-list', ...wanted], { env })).split('\n').filter((id) => id !== '');
  if (ids.length > MAX_COMMITS) throw badRequest('Rebase failed: too many commits');
  let top = onto;
  let topTree = await gitText(path, ['rev-parse', '--verify', `${onto}^{tree}`], { env });
  for await (const commit of commitsOf(directory, ids)) {
    const before = commit.parentIds[0] === undefined ? EMPTY_TREE : `${commit.parentIds[0]}^{tree}`;
    const merge = { base: before, ours: topTree, theirs: `${commit.id}^{tree}` };
    const tree = await mergeTrees(directory, merge, committer);
    if (tree === null)
      throw badRequest('Rebase failed: Rebase locally, resolve all conflicts, then push the branch.');
    if (tree === topTree) continue;
    const author = {
      name: commit.authorName,
      email: commit.authorEmail,
      date: new Date(commit.authoredDate),
    };
    top = await commitTree(directory, tree, { parents: [top], message: commit.message, author, committer });
    topTree = tree;
  }
  return top;
}

async function* commitsOf({ path, env }: ObjectDirectory, ids: readonly string[]): AsyncGenerator<Commit> {
  try {
    yield* readInPortions(path, ids, { env });
  } catch (error) {
    throw isTooLarge(error) ? badRequest('Rebase failed: the message of a commit is too large') : error;
  }
}
