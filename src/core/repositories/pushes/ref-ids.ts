import { git } from '../git/git.js';
import { isValidRefName } from '../ref-name.js';
import { NO_OBJECT, type RefChange } from './ref-change.js';

/** Refs per call: their names must fit into a command line. */
const AT_ONCE = 500;

/** Reads the objects of refs by their full names; omits refs that do not exist. @throws GitFailure */
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
 * Corrects the old values of removals: git trusts the client, and also removes a ref that the client calls
 * missing. A ref that does not exist gets forty zeros on both sides.
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
