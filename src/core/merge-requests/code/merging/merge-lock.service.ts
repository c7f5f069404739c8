import { Injectable } from '@nestjs/common';
import { Transactions, type Tx } from '#kernel/database/transactions.js';
import { conflict, HttpError } from '#kernel/http/errors.js';
import { SystemNotesService } from '#core/notes/system-notes.service.js';
import { isReadOnly } from '#core/repositories/pushes/push-errors.js';
import { MergeRequest } from '../../merge-request.entity.js';
import { MergeRequestStateService } from '../../merge-request-state.service.js';
import { noteTarget } from '../merge-request-activity.js';
import { autoMergeAborted } from './auto-merge/auto-merge-aborted.js';
import type { BuiltMerge } from './build-merge.js';
import { MarkMergedService } from './after-merge/mark-merged.service.js';
import { MergeableQueries, mergeStatusOf, type MergeableMergeRequest } from './mergeable.queries.js';

const LOCK = `update merge_requests set state = 'locked', locked_at = $2, merge_user_id = $3, squash = $4,
    should_remove_source_branch = coalesce($5, should_remove_source_branch), merge_error = null,
    merge_commit_sha = null, squash_commit_sha = null
  where id = $1`;

const PLAN = `with planned as (update merge_requests set merge_commit_sha = $3, squash_commit_sha = $4
    where id = $1 and state = 'locked' and locked_at = $2 returning id) select id from planned`;

const RELEASE = `update merge_requests set state = 'opened', locked_at = null, merge_error = $2,
    auto_merge = case when $4 then auto_merge end,
    merge_user_id = case when $4 then (auto_merge ->> 'userId')::bigint end,
    merge_commit_sha = null, squash_commit_sha = null,
    merge_status = case when $3 then 'cannot_be_merged' else merge_status end
  where id = $1`;

/** Merging user and options of a locked merge request. */
export interface MergeLock {
  readonly userId: number;
  readonly squash: boolean;
  readonly shouldRemoveSourceBranch: boolean | null;
  /** The merge depends on auto-merge, which may be canceled until the lock. */
  readonly isAutomatic?: boolean;
}

/** A merge request being merged, with the start of the lock: a holder with another time has lost the lock. */
export interface Locked {
  readonly id: number;
  readonly lockedAt: Date;
}

/** Manages the state of merge requests from the start of a merge to its end. */
@Injectable()
export class MergeLockService {
  constructor(
    private readonly transactions: Transactions,
    private readonly queries: MergeableQueries,
    private readonly merged: MarkMergedService,
    private readonly states: MergeRequestStateService,
    private readonly notes: SystemNotesService,
  ) {}

  /**
   * Locks the state against other merges and changes of branches and approvals. @throws 409 if the merge
   * request has changed
   */
  lock(known: MergeableMergeRequest, plan: MergeLock): Promise<Locked> {
    const { id } = known;
    return this.transactions.run(async (tx) => {
      const now = (await locked(tx, id)) && (await this.queries.within(tx, id));
      if (!now || !isStillMergeable(now, known) || (plan.isAutomatic === true && now.autoMerge === null))
        throw conflict('The merge request was changed in the meantime. Try again.');
      const lockedAt = new Date();
      const { userId, squash, shouldRemoveSourceBranch } = plan;
      await tx.query(LOCK, [id, lockedAt, userId, squash, shouldRemoveSourceBranch]);
      return { id, lockedAt };
    });
  }

  /**
   * Stores the commits that the target is about to receive, so that they are known even if this process dies.
   * @throws 409 if the lock was lost
   */
  async plan({ id, lockedAt }: Locked, { mergeCommitSha, squashCommitSha }: BuiltMerge): Promise<void> {
    const values = [id, lockedAt, mergeCommitSha, squashCommitSha];
    const rows = await this.transactions.run((tx) => tx.query<unknown[]>(PLAN, values));
    if (rows.length === 0) throw conflict();
  }

  /** Marks it as merged. If two processes end a merge, the second changes nothing. */
  finish(one: Locked): Promise<void> {
    return this.end(one, (tx, mergeRequest) => this.merged.byRequest(tx, mergeRequest));
  }

  /**
   * Reopens it with the error if the target did not receive the merge, without auto-merge unless that is tried
   * again, as after a storage move; closes it if its fork was removed in the meantime.
   */
  release(one: Locked, error: unknown, isTriedAgain = isReadOnly(error)): Promise<void> {
    const isConflict = error instanceof HttpError && error.status === 422;
    const text = error instanceof HttpError ? error.message : 'The merge was interrupted. Please try again.';
    return this.end(one, async (tx, mergeRequest) => {
      const { sourceProjectId, autoMerge, mergeUserId } = mergeRequest;
      const isLost = sourceProjectId === null;
      await tx.query(RELEASE, [mergeRequest.id, text, isConflict || isLost, isTriedAgain]);
      if (autoMerge !== null && !isTriedAgain)
        await this.notes.write(tx, noteTarget(mergeRequest), mergeUserId, 'merge', autoMergeAborted(text));
      if (isLost)
        await this.states.close(tx, Object.assign(mergeRequest, { state: 'opened' as const }), null);
    });
  }

  private end(
    { id, lockedAt }: Locked,
    work: (tx: Tx, mergeRequest: MergeRequest) => Promise<void>,
  ): Promise<void> {
    return this.transactions.run(async (tx) => {
      const now = await locked(tx, id);
      if (now?.state === 'locked' && now.lockedAt?.getTime() === lockedAt.getTime()) await work(tx, now);
    });
  }
}

/** Approvals may have been revoked since, threads opened; a target that has moved is left to git. */
const isStillMergeable = (
  now: MergeableMergeRequest,
  { headSha, targetBranch, mergeStatus, baseSha, startSha }: MergeableMergeRequest,
): boolean =>
  now.headSha === headSha &&
  now.targetBranch === targetBranch &&
  mergeStatusOf({ ...now, mergeStatus, baseSha, startSha }) === 'mergeable';

const locked = (tx: Tx, id: number): Promise<MergeRequest | null> =>
  tx.findOne(MergeRequest, { where: { id }, lock: { mode: 'pessimistic_write' } });
