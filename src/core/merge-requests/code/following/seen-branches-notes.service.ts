import { Injectable } from '@nestjs/common';
import type { Tx } from '#kernel/database/transactions.js';
import { DomainEvents } from '#kernel/events/domain-events.js';
import { SystemNotesService } from '#core/notes/system-notes.service.js';
import { NO_OBJECT } from '#core/repositories/pushes/ref-change.js';
import { MergeRequestChanged } from '../../merge-request-changed.event.js';
import { ClosingIssuesService } from '../../closing/closing-issues.service.js';
import { MergeRequestStateService } from '../../merge-request-state.service.js';
import type { MergeRequest } from '../../merge-request.entity.js';
import { mergeRequestActivity, noteTarget } from '../merge-request-activity.js';
import { MarkMergedService } from '../merging/after-merge/mark-merged.service.js';
import { addVersion } from '../versions.js';
import type { SeenBranches } from './look-at-branches.service.js';

/** `updated_at` changes only with the code: a mere check is not news for anyone. */
const STORE = `update merge_requests set head_sha = $2, base_sha = $3, start_sha = $4, changes_count = $5, merge_status = $6,
    auto_merge = $7, merge_user_id = $8, merge_error = $9, prepared_at = coalesce(prepared_at, now()),
    updated_at = case when $10 then now() else updated_at end, committer_emails = $11
  where id = $1`;

const UNMERGEABLE = `update merge_requests set merge_status = 'cannot_be_merged', prepared_at = coalesce(prepared_at, now())
  where id = $1`;

/**
 * Names the user who pushed a head in the notes about it, which were written before it was known who did;
 * they are as old as its version.
 */
const ATTRIBUTE = `update notes n set author_id = u.id from users u, merge_request_versions v
  where u.id = $2 and v.merge_request_id = $1 and v.head_sha = $3 and n.noteable_type = 'MergeRequest' and n.noteable_id = $1
    and n.created_at = v.created_at and n.system and n.system_action in ('commit', 'merge') and n.author_id is null`;

/**
 * The user who moved a branch, and the head that this user pushed to the source branch (zeros if removed);
 * null for other moves.
 */
export interface Mover {
  readonly userId: number | null;
  readonly head: string | null;
}

/** Writes the result of checking branches to merge requests, which the transaction has locked. */
@Injectable()
export class SeenBranchesNotesService {
  constructor(
    private readonly events: DomainEvents,
    private readonly systemNotes: SystemNotesService,
    private readonly merged: MarkMergedService,
    private readonly states: MergeRequestStateService,
    private readonly closing: ClosingIssuesService,
  ) {}

  async take(tx: Tx, mergeRequest: MergeRequest, seen: SeenBranches, mover: Mover): Promise<void> {
    const { userId } = mover;
    // Other users may have pushed in between: their commits are not the mover's.
    const isPushed = mover.head === seen.headSha;
    const pusherId = isPushed ? userId : null;
    const hasNewHead = mergeRequest.headSha !== seen.headSha;
    const hasNewStart = mergeRequest.startSha !== seen.startSha;
    // The commits of an imported merge request, whose committers are unknown, were never read here.
    const hasUnreadCommits =
      hasNewHead || mergeRequest.baseSha !== seen.baseSha || mergeRequest.committerEmails === null;
    const before = mergeRequest.mergeStatus;
    const abortsMerge = hasNewHead && mergeRequest.autoMerge !== null;
    const { headSha, baseSha, startSha, changesCount, committerEmails } = seen;
    Object.assign(mergeRequest, { headSha, baseSha, startSha, changesCount, committerEmails });
    mergeRequest.mergeStatus = seen.canBeMerged ? 'can_be_merged' : 'cannot_be_merged';
    mergeRequest.preparedAt ??= new Date();
    if (hasNewHead) Object.assign(mergeRequest, { autoMerge: null, mergeUserId: null, mergeError: null });
    await store(tx, mergeRequest, hasNewHead);
    await addVersion(tx, mergeRequest);
    if (hasUnreadCommits) await this.closing.refreshByCommits(tx, mergeRequest, seen.messages);
    if (hasNewHead) await this.noteHead(tx, mergeRequest, seen, pusherId, abortsMerge);
    if (hasNewHead && isPushed) await this.tellOfPush(tx, mergeRequest, userId);
    else if (isPushed) await this.attribute(tx, mergeRequest, mover);
    if (hasNewHead || hasNewStart)
      await this.events.publish(
        tx,
        new MergeRequestChanged(mergeRequest, hasNewHead ? 'head' : 'base', hasNewHead ? pusherId : userId),
      );
    if (isPushed) await this.events.publish(tx, new MergeRequestChanged(mergeRequest, 'pushed', userId));
    if (seen.isMerged) await this.merged.byPush(tx, mergeRequest, userId);
    else if (!seen.canBeMerged && before !== 'cannot_be_merged')
      await this.tellOfConflict(tx, mergeRequest, userId);
  }

  /**
   * Completes what was written about a pushed head when the check of another user, or a merge, has seen it
   * before the check of its push.
   */
  async attribute(tx: Tx, mergeRequest: MergeRequest, { userId, head }: Mover): Promise<void> {
    if (userId === null || head === null || head !== mergeRequest.headSha) return;
    const [, attributed] = await tx.query<[unknown, number]>(ATTRIBUTE, [mergeRequest.id, userId, head]);
    if (attributed > 0) await this.tellOfPush(tx, mergeRequest, userId);
  }

  /** Handles a missing branch: nothing can be merged; removing the source branch closes the merge request. */
  async missing(tx: Tx, mergeRequest: MergeRequest, { userId, head }: Mover): Promise<void> {
    await tx.query(UNMERGEABLE, [mergeRequest.id]);
    if (head === NO_OBJECT) await this.states.close(tx, mergeRequest, userId);
  }

  private async noteHead(
    tx: Tx,
    mergeRequest: MergeRequest,
    { addedCommits: count }: SeenBranches,
    userId: number | null,
    abortsMerge: boolean,
  ): Promise<void> {
    const target = noteTarget(mergeRequest);
    const text = count > 0 ? `added ${count} commit${count === 1 ? '' : 's'}` : 'changed the source branch';
    await this.systemNotes.write(tx, target, userId, 'commit', text);
    if (abortsMerge)
      await this.systemNotes.write(
        tx,
        target,
        userId,
        'merge',
        'aborted the automatic merge because the source branch was updated',
      );
  }

  private tellOfPush(tx: Tx, mergeRequest: MergeRequest, userId: number | null): Promise<void> {
    return this.events.publish(tx, mergeRequestActivity('code_pushed', mergeRequest, userId));
  }

  /** Reports a conflict, except for a merge request without changes. */
  private async tellOfConflict(tx: Tx, mergeRequest: MergeRequest, userId: number | null): Promise<void> {
    if (mergeRequest.baseSha === mergeRequest.headSha) return;
    await this.events.publish(tx, mergeRequestActivity('became_unmergeable', mergeRequest, userId));
  }
}

const store = (tx: Tx, one: MergeRequest, hasNewHead: boolean): Promise<unknown> =>
  tx.query(STORE, [
    one.id,
    one.headSha,
    one.baseSha,
    one.startSha,
    one.changesCount,
    one.mergeStatus,
    one.autoMerge && JSON.stringify(one.autoMerge),
    one.mergeUserId,
    one.mergeError,
    hasNewHead,
    one.committerEmails,
  ]);
