import { git, gitText } from '../git/git.js';
import { GitFailure } from '../git/git-failure.js';
import { BroughtCommits } from './brought-commits.js';
import { toldSingly, type DescribedChange } from './push-payload.js';
import { branchOf, NO_OBJECT, type RefChange } from './ref-change.js';

/** Changes described at a time: more would take slots from other short git calls. */
const AT_ONCE = 4;

/**
 * Counts the commits of each change that gets its own payload (`limit` as in pushPayloads), and reads the
 * title of the newest one; skips commits of other changes. A change is kept even if git cannot describe it.
 */
export async function describeChanges(
  path: string,
  changes: readonly RefChange[],
  limit: number,
  brought = BroughtCommits.none,
): Promise<DescribedChange[]> {
  const singly = toldSingly(changes, limit);
  const described: DescribedChange[] = [];
  for (let at = 0; at < changes.length; at += AT_ONCE) {
    const some = changes
      .slice(at, at + AT_ONCE)
      .map(async (change, index) =>
        singly.has(change)
          ? (known(change, brought) ?? describe(path, change, changes.slice(at + index)))
          : undescribed(change),
      );
    described.push(...(await Promise.all(some)));
  }
  return described;
}

const undescribed = (change: RefChange): DescribedChange => ({ change, commitCount: 0, title: null });

function known(change: RefChange, brought: BroughtCommits): DescribedChange | null {
  const line = brought.lineOf(change);
  return line && { change, commitCount: line.length, title: line[0]?.title.trim() || null };
}

/** `rest`: the change and all later ones, whose commits do not count for earlier ones. */
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
    // A tag of an object that is not a commit has neither.
    if (error instanceof GitFailure) return undescribed(change);
    throw error;
  }
}

/** For a new ref: commits that neither an existing branch nor an earlier change contains. */
function newCommits({ before, after }: RefChange, rest: readonly RefChange[]): string[] {
  if (before !== NO_OBJECT) return [after, `^${before}`];
  const excluded = rest.map(branchOf).filter((branch) => branch !== null);
  return [after, '--not', ...excluded.map((branch) => `--exclude=${branch}`), '--branches'];
}
