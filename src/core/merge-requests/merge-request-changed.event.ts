import type { MergeRequest } from './merge-request.entity.js';

/** What happened to a merge request. `head` and `base`: the source or the target branch has moved; `pushed`: the head is what
 * the actor has pushed, which may have been seen before. */
export type MergeRequestChange =
  | 'created'
  | 'reopened'
  | 'closed'
  | 'retargeted'
  | 'head'
  | 'pushed'
  | 'base'
  | 'merged';

/** A merge request has changed in a way that its code, its pipelines or its deployments follow; in the transaction that changes it, under its lock. */
export class MergeRequestChanged {
  constructor(
    readonly mergeRequest: MergeRequest,
    readonly change: MergeRequestChange,
    /** Null when nobody who is known any more did it. */
    readonly actorId: number | null,
  ) {}
}
