import { git } from '../git/git.js';
import { isValidRefName } from '../ref-name.js';
import { NO_OBJECT, type RefChange } from './ref-change.js';

/** Refs asked for at a time: their names stay below the length of a command line. */
const AT_ONCE = 500;

/** The objects that refs name now, by the full names of the refs; those that are not there are left out. @throws GitFailure */
export async function readRefIds(path: string, names: readonly string[]): Promise<Map<string, string>> {
  const refs = new Map<string, string>();
  for (let at = 0; at < names.length; at += AT_ONCE) {
    const asked = names.slice(at, at + AT_ONCE);
    const output = await git(path, ['for-each-ref', '--format=%(objectname) %(refname)', '--', ...asked]);
    for (const line of output.toString('utf8').split('\n')) refs.set(line.slice(41), line.slice(0, 40));
  }
  return refs;
}

/**
 * The changes with what their refs have in truth wherever one is removed: git takes the word of the client for that, and also removes a ref
 * that the client calls missing. Forty zeros stand on both sides of what is not there.
 */
export async function withTrueRemovals(path: string, changes: readonly RefChange[]): Promise<RefChange[]> {
  const removed = changes.filter(({ ref, after }) => after === NO_OBJECT && isValidRefName(ref));
  const ids = await readRefIds(
    path,
    removed.map(({ ref }) => ref),
  );
  return changes.map((change) =>
    change.after === NO_OBJECT ? { ...change, before: ids.get(change.ref) ?? NO_OBJECT } : change,
  );
}
