import { GitFailure } from './git-failure.js';
import { git, gitText } from './git.js';
import { readGit } from './processes/read-git.js';
import { RepositoryDamaged } from './repository-damaged.js';

const WHOLE_ID = /^[0-9a-f]{40}$/;

/**
 * To be asked where git has found no commit of a name (an id, `HEAD` or the full name of a ref): it says the same of what never was and of what has
 * been lost. @throws 503 when a branch or tag says that it should be there, or holds nothing that git can read
 */
export async function requireWhole(repositoryPath: string, name: string): Promise<void> {
  const isLost = WHOLE_ID.test(name)
    ? await isNamed(repositoryPath, name)
    : await leadsNowhere(repositoryPath, name);
  if (isLost) throw new RepositoryDamaged(repositoryPath, `what ${name} names is missing`);
}

/** Whether there is a ref, but not the object that it names. Asked for a broken one git warns of it, which is damage. */
async function leadsNowhere(repositoryPath: string, name: string): Promise<boolean> {
  const ref = name === 'HEAD' ? await orNull(repositoryPath, ['symbolic-ref', '--quiet', 'HEAD']) : name;
  if (ref === null || !ref.startsWith('refs/')) return false;
  const found = await gitText(repositoryPath, ['for-each-ref', '--count=1', '--format=%(refname)', ref]);
  if (found !== ref) return false;
  return (await orNull(repositoryPath, ['rev-parse', '--verify', '--quiet', `${ref}^{}`])) === null;
}

async function orNull(repositoryPath: string, args: readonly string[]): Promise<string | null> {
  try {
    return await gitText(repositoryPath, args);
  } catch (error) {
    if (error instanceof GitFailure && error.reason === 'exit') return null;
    throw error;
  }
}

/** Whether a branch or tag is an id that the repository lacks. */
async function isNamed(repositoryPath: string, id: string): Promise<boolean> {
  const found = await git(repositoryPath, ['cat-file', '--batch-check=%(objectname)'], { input: `${id}\n` });
  if (!found.toString('latin1').endsWith(' missing\n')) return false;
  let rest = '';
  const args = ['for-each-ref', '--format=%(objectname)', 'refs/heads/', 'refs/tags/'];
  const isAbsent = await readGit(repositoryPath, args, {}, (piece) => {
    const text = rest + piece.toString('latin1');
    rest = text.slice(-id.length);
    return !text.includes(id);
  });
  return !isAbsent;
}
