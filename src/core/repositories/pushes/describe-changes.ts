import { git, gitText } from '../git/git.js';
import { GitFailure } from '../git/git-failure.js';
import type { DescribedChange } from './push-payload.js';
import { NO_OBJECT, type RefChange } from './ref-change.js';

/** More changes than this only make bulk events: nobody looks at their commits. */
const MAX_DESCRIBED = 20;

/** Counts the commits of each change and finds the title of the newest one. */
export async function describeChanges(
  path: string,
  changes: readonly RefChange[],
): Promise<DescribedChange[]> {
  if (changes.length > MAX_DESCRIBED)
    return changes.map((change) => ({ change, commitCount: 0, title: null }));
  return Promise.all(changes.map((change) => describe(path, change)));
}

async function describe(path: string, change: RefChange): Promise<DescribedChange> {
  const { before, after, ref } = change;
  if (after === NO_OBJECT) return { change, commitCount: 0, title: null };
  try {
    const title = (await git(path, ['log', '-1', '--format=%s', '--end-of-options', after, '--'])).toString(
      'utf8',
    );
    // Of a new ref: what no other branch has yet.
    const range =
      before === NO_OBJECT ? [after, '--not', `--exclude=${ref}`, '--branches'] : [`${before}..${after}`];
    const count = await gitText(path, ['rev-list', '--count', ...range, '--']);
    return { change, commitCount: Number(count), title: title.trim() };
  } catch (error) {
    // A tag of something that is no commit has neither.
    if (error instanceof GitFailure && error.reason === 'exit')
      return { change, commitCount: 0, title: null };
    throw error;
  }
}
