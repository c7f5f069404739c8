import { LRUCache } from 'lru-cache';
import type { SourcedAlert } from './alert-plan.js';

/** Limit of remembered alerts. */
const MOST = 5_000;

const keyOf = ({ projectId, alert }: SourcedAlert): string => `${projectId} ${alert.fingerprint}`;

/** Remembers recent alerts to guess which are new: a wrong guess only costs one more round trip. */
export class LikelyNew {
  private readonly open = new LRUCache<string, true>({ max: MOST });
  /** Projects whose new alerts have further effects. */
  private readonly following = new LRUCache<number, true>({ max: MOST });

  /** Returns whether an alert is likely to be new without further effects; a resolution never is. */
  includes(item: SourcedAlert, grouping: boolean): boolean {
    if (item.alert.ended !== null || this.following.has(item.projectId)) return false;
    return !grouping || !this.open.has(keyOf(item));
  }

  /** Records that an alert was stored, or existed. */
  note(item: SourcedAlert): void {
    const key = keyOf(item);
    if (item.alert.ended === null) this.open.set(key, true);
    else this.open.delete(key);
  }

  /** Records whether new alerts of a project have further effects. */
  noteProject(id: number, follows: boolean): void {
    if (follows) this.following.set(id, true);
    else this.following.delete(id);
  }
}
