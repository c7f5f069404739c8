import type { Actor } from '#kernel/access/caller.js';

/** What became of a part of the instance: added or removed, or one attribute changed. */
export type InstanceChange =
  | { readonly add: string }
  | { readonly remove: string }
  | { readonly change: string; readonly from: unknown; readonly to: unknown };

/** Something of the instance itself has changed: a setting, a feature flag, the licence. */
export class InstanceChanged {
  constructor(
    /** Null where a schedule did it. */
    readonly author: Pick<Actor, 'id' | 'name'> | null,
    readonly target: { readonly type: string; readonly id: number | string; readonly details: string },
    readonly change: InstanceChange,
  ) {}
}
