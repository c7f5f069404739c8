import { gitTells } from '../git/git.js';
import { GitFailure } from '../git/git-failure.js';
import { readRefIds } from './ref-ids.js';
import { branchOf, NO_OBJECT, type RefChange } from './ref-change.js';

/** Returns the changes that took effect, by the present refs; none if the repository does not exist. */
export async function doneChanges(path: string, changes: readonly RefChange[]): Promise<RefChange[]> {
  try {
    const refs = await readRefIds(
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

/** A branch may have advanced further from the change. */
async function isDone(path: string, change: RefChange, now: string | undefined): Promise<boolean> {
  if (change.after === NO_OBJECT || now === undefined) return change.after === (now ?? NO_OBJECT);
  if (now === change.after || now === change.before || branchOf(change) === null) return now === change.after;
  try {
    return await gitTells(path, ['merge-base', '--is-ancestor', change.after, now]);
  } catch (error) {
    // Its commits never arrived.
    if (error instanceof GitFailure && error.reason === 'exit') return false;
    throw error;
  }
}
