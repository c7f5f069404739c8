import { peel } from '#core/repositories/git/resolve.js';
import { isValidRefName } from '#core/repositories/ref-name.js';

/** A branch or tag for which a pipeline runs, at one commit. */
export interface PipelineRef {
  /** Without `refs/heads/` or `refs/tags/`; the ref of a merge request is written out. */
  readonly ref: string;
  readonly tag: boolean;
  readonly sha: string;
}

const MERGE_REQUEST = /^refs\/merge-requests\/\d+\/head$/;

/** Whether it is the full name of the ref of a merge request. */
export const isMergeRequestRef = (ref: string): boolean => MERGE_REQUEST.test(ref);

/** The ref of a merge request in its target project: its head, wherever the branch lies. */
export const mergeRequestRef = (iid: number): string => `refs/merge-requests/${String(iid)}/head`;

/** The commit of the ref of a merge request. Only what makes its pipelines names it: nobody else asks for a pipeline of it. */
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
 * The branch or else tag of that name (or full name), at the commit `sha` or where it is now; null when there is none. With a commit given,
 * a ref that is gone meanwhile is taken for what its full name says.
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
