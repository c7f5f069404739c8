import { GitFailure } from '../git-failure.js';
import { gitText } from '../git.js';
import { readGit } from '../processes/read-git.js';
import { RepositoryDamaged } from './repository-damaged.js';

const ID = /^[0-9a-f]{40}$/;
const ID_LENGTH = 40;
/** Refs that one process is asked for. */
const AT_ONCE = 200;

/**
 * To be asked where git has found no commit of names (ids, `HEAD` or full names of refs): it says the same of what never was and of what has been
 * lost. @throws 503 when a branch or tag says that one of them should be there, or holds nothing that git can read
 */
export async function requireWhole(repositoryPath: string, names: readonly string[]): Promise<void> {
  const lost =
    (await lostId(repositoryPath, new Set(names.filter((name) => ID.test(name))))) ??
    (await lostRef(repositoryPath, names));
  if (lost !== null) throw new RepositoryDamaged(repositoryPath, `what ${lost} names is missing`);
}

/** One of these refs that is there, but not the object that it names. Asked for a broken one git warns of it, which is damage. */
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

/** The ref that HEAD names; null where it names none. */
async function headOf(repositoryPath: string): Promise<string | null> {
  try {
    return await gitText(repositoryPath, ['symbolic-ref', '--quiet', 'HEAD']);
  } catch (error) {
    if (error instanceof GitFailure && error.reason === 'exit') return null;
    throw error;
  }
}

/** One of these ids that a branch or tag has, and the repository lacks. */
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

/** Which of these names lead to nothing, in one process. */
async function missing(repositoryPath: string, names: readonly string[]): Promise<string[]> {
  if (names.length === 0) return [];
  const input = names.map((name) => `${name}\n`).join('');
  const output = await gitText(repositoryPath, ['cat-file', '--batch-check=%(objectname)'], { input });
  return output.split('\n').flatMap((line) => (line.endsWith(' missing') ? [line.slice(0, -8)] : []));
}
