import type { Actor } from '#kernel/access/caller.js';

/** A change of a part of the instance: added, removed, or an attribute changed. */
export type InstanceChange =
  | { readonly add: string }
  | { readonly remove: string }
  | { readonly change: string; readonly from: unknown; readonly to: unknown };

/** A setting, feature flag or license of the instance has changed. */
export class InstanceChanged {
  constructor(
    /** Null if a scheduled job did it. */
    readonly author: Pick<Actor, 'id' | 'name'> | null,
    readonly target: { readonly type: string; readonly id: number | string; readonly details: string },
    readonly change: InstanceChange,
  ) {}
}
