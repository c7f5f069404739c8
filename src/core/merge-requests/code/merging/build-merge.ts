import { HttpError } from '#kernel/http/errors.js';
import { commitTree, type Signature } from '#core/repositories/git/build-commit.js';
import { gitTells, gitText } from '#core/repositories/git/git.js';
import type { ObjectDirectory } from '#core/repositories/objects/quarantine.js';
import { mergedTree } from '../mergeability.js';

/** Error 422: the branches conflict, or the project's merge method does not allow the merge. */
export const branchCannotBeMerged = (): HttpError =>
  new HttpError(422, { message: 'Branch cannot be merged' });

/** How the head of a merge request is merged into its target. */
export interface MergePlan {
  readonly method: string;
  readonly squash: boolean;
  readonly headSha: string;
  readonly mergeMessage: string;
  readonly squashMessage: string;
  /** The user who merges. */
  readonly committer: Signature;
  /** Author of the squashed commit. */
  readonly author: Signature;
}

/** The commits of a merge. */
export interface BuiltMerge {
  /** New head of the target branch. */
  readonly after: string;
  readonly mergeCommitSha: string | null;
  readonly squashCommitSha: string | null;
}

/**
 * Creates the commits of a merge on top of `before`, the head of the target; no ref names them yet. @throws
 * 422
 */
export async function buildMerge(
  directory: ObjectDirectory,
  before: string,
  plan: MergePlan,
): Promise<BuiltMerge> {
  const { path, env } = directory;
  const { method, headSha } = plan;
  const isOnTop = await gitTells(path, ['merge-base', '--is-ancestor', before, headSha]);
  if (method !== 'merge' && !isOnTop) throw branchCannotBeMerged();
  if (method === 'ff' && !plan.squash) return { after: headSha, mergeCommitSha: null, squashCommitSha: null };
  const tree = isOnTop
    ? await gitText(path, ['rev-parse', '--verify', `${headSha}^{tree}`])
    : await mergedTree(path, before, headSha, env);
  if (tree === null) throw branchCannotBeMerged();
  const squashCommitSha = plan.squash ? await squash(directory, tree, before, plan) : null;
  if (method === 'ff') return { after: squashCommitSha ?? headSha, mergeCommitSha: null, squashCommitSha };
  const mergeCommitSha = await commitTree(directory, tree, {
    parents: [before, squashCommitSha ?? headSha],
    message: plan.mergeMessage,
    author: plan.committer,
    committer: plan.committer,
  });
  return { after: mergeCommitSha, mergeCommitSha, squashCommitSha };
}

const squash = (
  directory: ObjectDirectory,
  tree: string,
  before: string,
  { squashMessage, author, committer }: MergePlan,
): Promise<string> =>
  commitTree(directory, tree, { parents: [before], message: squashMessage, author, committer });
