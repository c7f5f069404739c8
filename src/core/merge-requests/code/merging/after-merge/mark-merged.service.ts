import { Injectable } from '@nestjs/common';
import type { Tx } from '#kernel/database/transactions.js';
import { DomainEvents } from '#kernel/events/domain-events.js';
import { Jobs } from '#kernel/queue/jobs.js';
import { MERGE_REQUEST } from '#core/issuables/issuable-kind.js';
import { keepState } from '#core/issuables/resource-events/write-resource-events.js';
import { SystemNotesService } from '#core/notes/system-notes.service.js';
import { MergeRequestChanged } from '../../../merge-request-changed.event.js';
import type { MergeRequest } from '../../../merge-request.entity.js';
import { mergeRequestActivity, noteTarget } from '../../merge-request-activity.js';
import { CloseMergedIssuesJob } from './close-merged-issues.job.js';
import { RemoveSourceBranchJob } from './remove-source-branch.job.js';

const STORE = `update merge_requests set state = 'merged', merged_at = $2, merge_user_id = $3, merge_commit_sha = $4,
    squash_commit_sha = $5, locked_at = null, auto_merge = null, merge_error = null, merge_status = 'can_be_merged', updated_at = $2
  where id = $1`;

/** Records merges, in the transaction that holds the lock of the merge request. */
@Injectable()
export class MarkMergedService {
  constructor(
    private readonly events: DomainEvents,
    private readonly jobs: Jobs,
    private readonly systemNotes: SystemNotesService,
  ) {}

  /** Records a merge request whose commits a user pushed to the target. */
  byPush(tx: Tx, mergeRequest: MergeRequest, userId: number | null): Promise<void> {
    return this.note(tx, mergeRequest, userId, false);
  }

  /** Records a locked merge request, with the commits in its row; may enqueue removing its source branch. */
  async byRequest(tx: Tx, mergeRequest: MergeRequest): Promise<void> {
    await this.note(tx, mergeRequest, mergeRequest.mergeUserId, true);
  }

  private async note(
    tx: Tx,
    mergeRequest: MergeRequest,
    userId: number | null,
    mayRemove: boolean,
  ): Promise<void> {
    const { id, mergeCommitSha, squashCommitSha } = mergeRequest;
    const mergedAt = new Date();
    const removes = mergeRequest.shouldRemoveSourceBranch ?? mergeRequest.forceRemoveSourceBranch ?? false;
    Object.assign(mergeRequest, {
      state: 'merged',
      mergedAt,
      mergeUserId: userId,
      lockedAt: null,
      autoMerge: null,
      mergeError: null,
      mergeStatus: 'can_be_merged',
      updatedAt: mergedAt,
    });
    await tx.query(STORE, [id, mergedAt, userId, mergeCommitSha, squashCommitSha]);
    await keepState(tx, MERGE_REQUEST, id, userId, 'merged');
    await this.systemNotes.write(tx, noteTarget(mergeRequest), userId, 'merged', 'merged');
    await this.events.publish(tx, new MergeRequestChanged(mergeRequest, 'merged', userId));
    await this.events.publish(tx, mergeRequestActivity('merged', mergeRequest, userId));
    await this.jobs.enqueue(tx, CloseMergedIssuesJob, { id });
    if (mayRemove && removes && userId !== null)
      await this.jobs.enqueue(tx, RemoveSourceBranchJob, { id, userId });
  }
}
