import { peel } from '#core/repositories/git/resolve.js';
import { isValidRefName } from '#core/repositories/ref-name.js';

/** A branch or tag for which a pipeline runs, at one commit. */
export interface PipelineRef {
  /** Without `refs/heads/` or `refs/tags/`. */
  readonly ref: string;
  readonly tag: boolean;
  readonly sha: string;
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
