import { Injectable } from '@nestjs/common';
import { STATEMENT_TIME } from '#kernel/database/time.sql.js';
import { Transactions, type Tx } from '#kernel/database/transactions.js';
import { conflict } from '#kernel/http/errors.js';
import { DomainEvents } from '#kernel/events/domain-events.js';
import { SystemNotesService } from '#core/notes/system-notes.service.js';
import { MergeRequest, type AutoMerge } from '../../../merge-request.entity.js';
import { mergeRequestActivity, noteTarget } from '../../merge-request-activity.js';
import { autoMergeAborted } from './auto-merge-aborted.js';
import type { MergeOptions } from '../merge-execution.service.js';
import type { MergeableMergeRequest } from '../mergeable.queries.js';

const SET = `update merge_requests set auto_merge = $2, merge_user_id = $3, merge_error = null, updated_at = ${STATEMENT_TIME} where id = $1`;

const CLEAR = `update merge_requests set auto_merge = null, merge_user_id = null, merge_error = $2, updated_at = ${STATEMENT_TIME} where id = $1`;

/** Manages auto-merge. */
@Injectable()
export class AutoMergeService {
  constructor(
    private readonly transactions: Transactions,
    private readonly events: DomainEvents,
    private readonly systemNotes: SystemNotesService,
  ) {}

  /** Enables auto-merge. @throws 409 if the merge request has changed since it was checked */
  set({ id, headSha, targetBranch }: MergeableMergeRequest, options: MergeOptions): Promise<void> {
    return this.transactions.run(async (tx) => {
      const now = await locked(tx, id);
      if (now?.state !== 'opened' || now.headSha === null || now.headSha !== headSha) throw conflict();
      if (now.targetBranch !== targetBranch) throw conflict();
      const { userId, squash, shouldRemoveSourceBranch, mergeCommitMessage, squashCommitMessage } = options;
      const autoMerge: AutoMerge = {
        userId,
        sha: headSha,
        squash,
        shouldRemoveSourceBranch,
        mergeCommitMessage,
        squashCommitMessage,
      };
      await tx.query(SET, [id, JSON.stringify(autoMerge), userId]);
      const text = `enabled an automatic merge when the pipeline for ${headSha} succeeds`;
      await this.systemNotes.write(tx, noteTarget(now), userId, 'merge', text);
      await this.events.publish(tx, mergeRequestActivity('auto_merge_set', now, userId));
    });
  }

  /** Cancels auto-merge by a user; false if it is not enabled. */
  cancel(id: number, userId: number): Promise<boolean> {
    return this.clear(id, userId, null, 'canceled the automatic merge');
  }

  /** Disables auto-merge because it is impossible. */
  async abort(id: number, userId: number | null, reason: string): Promise<void> {
    await this.clear(id, userId, reason, autoMergeAborted(reason));
  }

  private clear(id: number, userId: number | null, error: string | null, text: string): Promise<boolean> {
    return this.transactions.run(async (tx) => {
      const now = await locked(tx, id);
      if (now?.state !== 'opened' || now.autoMerge === null) return false;
      await tx.query(CLEAR, [id, error]);
      await this.systemNotes.write(tx, noteTarget(now), userId, 'merge', text);
      return true;
    });
  }
}

const locked = (tx: Tx, id: number): Promise<MergeRequest | null> =>
  tx.findOne(MergeRequest, { where: { id }, lock: { mode: 'pessimistic_write' } });
