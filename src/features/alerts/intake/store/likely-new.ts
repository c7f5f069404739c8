import type { SourcedAlert } from './alert-plan.js';

/** Alerts that are remembered. */
const MOST = 5_000;

const keyOf = ({ projectId, alert }: SourcedAlert): string => `${projectId} ${alert.fingerprint}`;

/** Remembers what has come in lately, to guess what is new: a wrong guess costs one more way to the database, and nothing else. */
export class LikelyNew {
  private readonly open = new Set<string>();
  /** Projects whose new alerts want more than to be stored. */
  private readonly following = new Set<number>();

  /** Whether an alert is likely to be new, with nothing to follow from it; one that ends never is. */
  includes(item: SourcedAlert, grouping: boolean): boolean {
    if (item.alert.ended !== null || this.following.has(item.projectId)) return false;
    return !grouping || !this.open.has(keyOf(item));
  }

  /** An alert has been stored, or was there before. */
  note(item: SourcedAlert): void {
    const key = keyOf(item);
    this.open.delete(key);
    if (item.alert.ended === null) bounded(this.open, key);
  }

  /** Whether anything follows from new alerts of a project. */
  noteProject(id: number, follows: boolean): void {
    this.following.delete(id);
    if (follows) bounded(this.following, id);
  }
}

/** What was added first goes first. */
function bounded<Item>(set: Set<Item>, item: Item): void {
  set.add(item);
  const [oldest] = set;
  if (set.size > MOST && oldest !== undefined) set.delete(oldest);
}
