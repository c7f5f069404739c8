import { GitFailure } from '../git-failure.js';
import { gitText } from '../git.js';
import { readGit } from '../processes/read-git.js';
import { RepositoryDamaged } from './repository-damaged.js';

const ID = /^[0-9a-f]{40}$/;
const ID_LENGTH = 40;
/** Refs per process. */
const AT_ONCE = 200;

/**
 * Checks names (ids, `HEAD` or full names of refs) for which git found no commit, since git reports unknown
 * and lost objects alike. @throws 503 if a branch or tag requires one of them, or is unreadable itself
 */
export async function requireWhole(repositoryPath: string, names: readonly string[]): Promise<void> {
  const lost =
    (await lostId(repositoryPath, new Set(names.filter((name) => ID.test(name))))) ??
    (await lostRef(repositoryPath, names));
  if (lost !== null) throw new RepositoryDamaged(repositoryPath, `what ${lost} names is missing`);
}

/**
 * Finds one of these refs that exists without its object. Git warns of a broken ref when it is read, which
 * counts as damage.
 */
async function lostRef(repositoryPath: string, names: readonly string[]): Promise<string | null> {
  const wanted = new Set(names.filter((name) => name.startsWith('refs/')));
  if (names.includes('HEAD')) wanted.add((await headOf(repositoryPath)) ?? '');
  wanted.delete('');
  const refs = [...wanted];
  for (let at = 0; at < refs.length; at += AT_ONCE) {
    const args = ['for-each-ref', '--format=%(refname)', ...refs.slice(at, at + AT_ONCE)];
    const there = (await gitText(repositoryPath, args)).split('\n').filter((ref) => wanted.has(ref));
    const [lost] = await missing(
      repositoryPath,
      there.map((ref) => `${ref}^{}`),
    );
    if (lost !== undefined) return lost;
  }
  return null;
}

/** Returns the ref that HEAD names; null if it names none. */
async function headOf(repositoryPath: string): Promise<string | null> {
  try {
    return await gitText(repositoryPath, ['symbolic-ref', '--quiet', 'HEAD']);
  } catch (error) {
    if (error instanceof GitFailure && error.reason === 'exit') return null;
    throw error;
  }
}

/** Finds one of these ids that a branch or tag names but the repository lacks. */
async function lostId(repositoryPath: string, ids: ReadonlySet<string>): Promise<string | null> {
  const absent = new Set(await missing(repositoryPath, [...ids]));
  if (absent.size === 0) return null;
  let rest = '';
  let lost: string | null = null;
  const args = ['for-each-ref', '--format=%(objectname)', 'refs/heads/', 'refs/tags/'];
  await readGit(repositoryPath, args, {}, (piece) => {
    const lines = (rest + piece.toString('latin1')).split('\n');
    rest = lines.pop() ?? '';
    lost = lines.find((line) => absent.has(line.slice(0, ID_LENGTH))) ?? null;
    return lost === null;
  });
  return lost;
}

/** Finds the names without an object, with one process. */
async function missing(repositoryPath: string, names: readonly string[]): Promise<string[]> {
  if (names.length === 0) return [];
  const input = names.map((name) => `${name}\n`).join('');
  const output = await gitText(repositoryPath, ['cat-file', '--batch-check=%(objectname)'], { input });
  return output.split('\n').flatMap((line) => (line.endsWith(' missing') ? [line.slice(0, -8)] : []));
}
