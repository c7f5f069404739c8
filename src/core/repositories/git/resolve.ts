import { isValidRefName } from '../ref-name.js';
import { GitFailure } from './git-failure.js';
import { gitText } from './git.js';

/**
 * The full id of the commit that a name from outside means: a branch, a tag, or an id of 7 to 40 hexadecimal digits (looked for in this
 * order); null for anything else. Nothing of git's own language of revisions is understood: `HEAD` is the default branch, `a..b`,
 * `a^`, `:/text` and options are names that do not exist.
 */
export async function resolveCommit(repositoryPath: string, name: string): Promise<string | null> {
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

/** The commit behind a full ref name or an id, or null. */
export async function peel(repositoryPath: string, revision: string): Promise<string | null> {
  try {
    return await gitText(repositoryPath, [
      'rev-parse',
      '--verify',
      '--quiet',
      '--end-of-options',
      `${revision}^{commit}`,
    ]);
  } catch (error) {
    if (error instanceof GitFailure && error.reason === 'exit') return null;
    throw error;
  }
}

/** The same for several names, in one process: the id of each, or null, in their order. */
export async function resolveCommits(
  repositoryPath: string,
  names: readonly string[],
): Promise<(string | null)[]> {
  const candidates = names.map(candidatesOf);
  const input = candidates.flat().map((revision) => `${revision}^{commit}\0`);
  if (input.length === 0) return names.map(() => null);
  const output = await gitText(repositoryPath, ['cat-file', '--batch-check=%(objectname)', '-z'], {
    input: input.join(''),
  });
  const answers = output.split('\n').map((line) => (/^[0-9a-f]{40}$/.test(line) ? line : null));
  return candidates.map((mine) => answers.splice(0, mine.length).find((id) => id !== null) ?? null);
}

function candidatesOf(name: string): string[] {
  if (name === 'HEAD') return ['HEAD'];
  const ids = /^[0-9a-f]{7,40}$/i.test(name) ? [name.toLowerCase()] : [];
  if (!isValidRefName(name)) return ids;
  return /^refs\/(heads|tags)\//.test(name)
    ? [name, ...ids]
    : [`refs/heads/${name}`, `refs/tags/${name}`, ...ids];
}
