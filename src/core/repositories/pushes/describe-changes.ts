import { git, gitText } from '../git/git.js';
import { GitFailure } from '../git/git-failure.js';
import type { DescribedChange } from './push-payload.js';
import { branchOf, NO_OBJECT, type RefChange } from './ref-change.js';

/** More changes than this only make bulk events: nobody looks at their commits. */
const MAX_DESCRIBED = 20;

/** Counts the commits of each change and finds the title of the newest one. What git cannot tell of a change is left out, never the change. */
export async function describeChanges(
  path: string,
  changes: readonly RefChange[],
): Promise<DescribedChange[]> {
  if (changes.length > MAX_DESCRIBED) return changes.map(undescribed);
  return Promise.all(changes.map((change, index) => describe(path, change, changes.slice(index))));
}

const undescribed = (change: RefChange): DescribedChange => ({ change, commitCount: 0, title: null });

/** `rest`: the change and those after it, none of which tells of commits before the others. */
async function describe(
  path: string,
  change: RefChange,
  rest: readonly RefChange[],
): Promise<DescribedChange> {
  const { after } = change;
  if (after === NO_OBJECT) return undescribed(change);
  try {
    const title = await git(path, ['log', '-1', '--format=%s', '--end-of-options', after, '--']);
    const count = await gitText(path, ['rev-list', '--count', ...newCommits(change, rest), '--']);
    return { change, commitCount: Number(count), title: title.toString('utf8').trim() || null };
  } catch (error) {
    // A tag of something that is no commit has neither.
    if (error instanceof GitFailure) return undescribed(change);
    throw error;
  }
}

/** Of a new ref: what no branch has that was there before, nor one that is told of first. */
function newCommits({ before, after }: RefChange, rest: readonly RefChange[]): string[] {
  if (before !== NO_OBJECT) return [after, `^${before}`];
  const excluded = rest.map(branchOf).filter((branch) => branch !== null);
  return [after, '--not', ...excluded.map((branch) => `--exclude=${branch}`), '--branches'];
}
