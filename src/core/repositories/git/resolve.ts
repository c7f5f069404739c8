import { isValidRefName } from '../ref-name.js';
import { GitFailure } from './git-failure.js';
import { gitText, gitTells } from './git.js';
import { requireWhole } from './damage/require-whole.js';
import { askGit } from './kept/ask-git.js';
import { objectIds } from './object-ids.js';

const WHOLE_ID = /^[0-9a-f]{40}$/i;
/** A commit as written by `git describe`: `v1-2-gabcdef0`. */
const DESCRIPTION = /^refs\/.*-g[0-9a-f]{4,40}$/i;

/**
 * Resolves a name from a user to the full id of a commit: a full id, a branch, a tag, or an id of 7 to 40
 * hexadecimal digits, in this order; null for anything else. Git's syntax of revisions is not supported:
 * `HEAD` is the default branch, and `a..b`, `a^`, `:/text` and options are unknown names.
 */
export async function resolveCommit(repositoryPath: string, name: string): Promise<string | null> {
  // No ref may shadow the commit of a full id.
  const byId = WHOLE_ID.test(name) ? await peel(repositoryPath, name.toLowerCase()) : null;
  if (byId !== null) return byId;
  if (name === 'HEAD') return peel(repositoryPath, 'HEAD');
  if (isValidRefName(name)) {
    for (const prefix of name.startsWith('refs/heads/') || name.startsWith('refs/tags/')
      ? ['']
      : ['refs/heads/', 'refs/tags/']) {
      const found = await peel(repositoryPath, prefix + name);
      if (found !== null) return found;
    }
  }
  return /^[0-9a-f]{7,40}$/i.test(name) ? peel(repositoryPath, name.toLowerCase()) : null;
}

/**
 * Resolves a full ref name or an id to a commit, or null. @throws 503 if the ref exists but its object is
 * missing
 */
export async function peel(repositoryPath: string, revision: string): Promise<string | null> {
  if (!(await isLiteral(repositoryPath, revision))) return null;
  const kept = await askGit(repositoryPath, [{ command: 'info', name: `${revision}^{commit}` }]);
  if (kept) {
    const [commit] = kept;
    if (!commit) await requireWhole(repositoryPath, [revision]);
    return commit?.id ?? null;
  }
  try {
    return await gitText(repositoryPath, [
      'rev-parse',
      '--verify',
      '--quiet',
      '--end-of-options',
      `${revision}^{commit}`,
    ]);
  } catch (error) {
    if (!(error instanceof GitFailure) || error.reason !== 'exit') throw error;
    await requireWhole(repositoryPath, [revision]);
    return null;
  }
}

/** Returns false if the ref does not exist but git would read the name as a description of a commit. */
export const isLiteral = async (repositoryPath: string, revision: string): Promise<boolean> =>
  !DESCRIPTION.test(revision) ||
  gitTells(repositoryPath, ['show-ref', '--verify', '--quiet', '--', revision]);

/** Resolves several names in one batch: the id of each or null, in the same order. */
export async function resolveCommits(
  repositoryPath: string,
  names: readonly string[],
): Promise<(string | null)[]> {
  const candidates: string[][] = [];
  for (const name of names) {
    const mine: string[] = [];
    for (const one of candidatesOf(name)) if (await isLiteral(repositoryPath, one)) mine.push(one);
    candidates.push(mine);
  }
  const answers = await objectIds(
    repositoryPath,
    candidates.flat().map((revision) => `${revision}^{commit}`),
  );
  const found = candidates.map((mine) => answers.splice(0, mine.length).find((id) => id !== null) ?? null);
  const open = candidates.filter((_, index) => found[index] === null).flat();
  await requireWhole(repositoryPath, open);
  return found;
}

function candidatesOf(name: string): string[] {
  if (name === 'HEAD') return ['HEAD'];
  const ids = /^[0-9a-f]{7,40}$/i.test(name) ? [name.toLowerCase()] : [];
  if (!isValidRefName(name)) return ids;
  const refs = /^refs\/(heads|tags)\//.test(name) ? [name] : [`refs/heads/${name}`, `refs/tags/${name}`];
  return WHOLE_ID.test(name) ? [...ids, ...refs] : [...refs, ...ids];
}
