import { git, gitTells } from '../git/git.js';
import { GitFailure } from '../git/git-failure.js';
import { branchOf, NO_OBJECT, type RefChange } from './ref-change.js';

/** Refs asked for at a time: their names stay below the length of a command line. */
const AT_ONCE = 500;

/** Those of the changes that have been made, as the refs tell now; none where there is no repository (any more). */
export async function doneChanges(path: string, changes: readonly RefChange[]): Promise<RefChange[]> {
  try {
    const refs = await readRefs(
      path,
      changes.map(({ ref }) => ref),
    );
    const done: RefChange[] = [];
    for (const change of changes) if (await isDone(path, change, refs.get(change.ref))) done.push(change);
    return done;
  } catch (error) {
    if (error instanceof GitFailure && error.reason === 'exit') return [];
    throw error;
  }
}

/** A branch may have gone on since, from what this change brought. */
async function isDone(path: string, change: RefChange, now: string | undefined): Promise<boolean> {
  if (change.after === NO_OBJECT || now === undefined) return change.after === (now ?? NO_OBJECT);
  if (now === change.after || now === change.before || branchOf(change) === null) return now === change.after;
  try {
    return await gitTells(path, ['merge-base', '--is-ancestor', change.after, now]);
  } catch (error) {
    // Its commits never got here.
    if (error instanceof GitFailure && error.reason === 'exit') return false;
    throw error;
  }
}

async function readRefs(path: string, names: readonly string[]): Promise<Map<string, string>> {
  const refs = new Map<string, string>();
  for (let at = 0; at < names.length; at += AT_ONCE) {
    const asked = names.slice(at, at + AT_ONCE);
    const output = await git(path, ['for-each-ref', '--format=%(objectname) %(refname)', '--', ...asked]);
    for (const line of output.toString('utf8').split('\n')) refs.set(line.slice(41), line.slice(0, 40));
  }
  return refs;
}
