import type { SourcedAlert } from './alert-plan.js';

/** Limit of remembered alerts. */
const MOST = 5_000;

const keyOf = ({ projectId, alert }: SourcedAlert): string => `${projectId} ${alert.fingerprint}`;

/** Remembers recent alerts to guess which are new: a wrong guess only costs one more round trip. */
export class LikelyNew {
  private readonly open = new Set<string>();
  /** Projects whose new alerts have further effects. */
  private readonly following = new Set<number>();

  /** Returns whether an alert is likely to be new without further effects; a resolution never is. */
  includes(item: SourcedAlert, grouping: boolean): boolean {
    if (item.alert.ended !== null || this.following.has(item.projectId)) return false;
    return !grouping || !this.open.has(keyOf(item));
  }

  /** Records that an alert was stored, or existed. */
  note(item: SourcedAlert): void {
    const key = keyOf(item);
    this.open.delete(key);
    if (item.alert.ended === null) bounded(this.open, key);
  }

  /** Records whether new alerts of a project have further effects. */
  noteProject(id: number, follows: boolean): void {
    this.following.delete(id);
    if (follows) bounded(this.following, id);
  }
}

/** Drops the oldest entries first. */
function bounded<Item>(set: Set<Item>, item: Item): void {
  set.add(item);
  const [oldest] = set;
  if (set.size > MOST && oldest !== undefined) set.delete(oldest);
}
