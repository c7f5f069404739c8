import { peel } from '#core/repositories/git/resolve.js';
import { isValidRefName } from '#core/repositories/ref-name.js';

/** A branch or tag of a pipeline, at one commit. */
export interface PipelineRef {
  /** Without `refs/heads/` or `refs/tags/`; full for the ref of a merge request. */
  readonly ref: string;
  readonly tag: boolean;
  readonly sha: string;
}

const MERGE_REQUEST = /^refs\/merge-requests\/\d+\/head$/;

/** Returns whether this is the full name of the ref of a merge request. */
export const isMergeRequestRef = (ref: string): boolean => MERGE_REQUEST.test(ref);

/** Name of the ref of a merge request's head in the target project, wherever its source branch is. */
export const mergeRequestRef = (iid: number): string => `refs/merge-requests/${String(iid)}/head`;

/**
 * Returns the commit of the ref of a merge request. Only pipelines of merge requests use this: no other
 * request may name such a ref.
 */
export async function resolveMergeRequestRef(
  repositoryPath: string,
  ref: string,
  sha: string | undefined,
): Promise<PipelineRef | null> {
  if (!isMergeRequestRef(ref)) return resolvePipelineRef(repositoryPath, ref, sha);
  const commit = await peel(repositoryPath, sha ?? ref);
  return commit === null ? null : { ref, tag: false, sha: commit };
}

const PREFIXES = ['refs/heads/', 'refs/tags/'] as const;

/**
 * Resolves a branch, or else a tag, by its name or full name, at `sha` or its current commit; null if there
 * is none. If `sha` is given and the ref no longer exists, its full name decides between branch and tag.
 */
export async function resolvePipelineRef(
  repositoryPath: string,
  name: string,
  sha: string | undefined,
): Promise<PipelineRef | null> {
  const given = PREFIXES.find((prefix) => name.startsWith(prefix));
  const plain = given ? name.slice(given.length) : name;
  if (!isValidRefName(plain)) return null;
  const commit = sha === undefined ? null : await peel(repositoryPath, sha);
  if (sha !== undefined && commit === null) return null;
  for (const prefix of given ? [given] : PREFIXES) {
    const now = commit !== null && given ? commit : await peel(repositoryPath, prefix + plain);
    if (now !== null) return { ref: plain, tag: prefix === 'refs/tags/', sha: commit ?? now };
  }
  return null;
}
