import type { MergeRequest } from './merge-request.entity.js';

/**
 * Kinds of changes of a merge request. `head` and `base`: the source or the target branch has moved;
 * `pushed`: the actor pushed the present head, which an earlier event may already have reported.
 */
export type MergeRequestChange =
  | 'created'
  | 'reopened'
  | 'closed'
  | 'retargeted'
  | 'head'
  | 'pushed'
  | 'base'
  | 'merged';

/**
 * A merge request has changed in a way that affects its code, pipelines or deployments; published in the
 * transaction of the change, under its lock.
 */
export class MergeRequestChanged {
  constructor(
    readonly mergeRequest: MergeRequest,
    readonly change: MergeRequestChange,
    /** Null if no known user did it. */
    readonly actorId: number | null,
  ) {}
}
