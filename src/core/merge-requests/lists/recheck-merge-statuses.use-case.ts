import { Injectable } from '@nestjs/common';
import { Transactions } from '#kernel/database/transactions.js';
import { Jobs } from '#kernel/queue/jobs.js';
import { FollowMergeRequestJob } from '../code/following/follow-merge-request.job.js';
import type { MergeStatus } from '../merge-request.entity.js';
import type { MergeRequestRow } from '../merge-request.row.js';

/** Statuses that do not say whether the branches can be merged now. */
const UNKNOWN: ReadonlySet<MergeStatus> = new Set(['unchecked', 'checking', 'cannot_be_merged_recheck']);

/** Lets the branches of listed merge requests be checked. */
@Injectable()
export class RecheckMergeStatuses {
  constructor(
    private readonly transactions: Transactions,
    private readonly jobs: Jobs,
  ) {}

  /** Enqueues a check of the branches of those with an unknown merge status. */
  async run(rows: readonly MergeRequestRow[]): Promise<void> {
    const unknown = rows.filter(
      ({ state, merge_status: status }) => state === 'opened' && UNKNOWN.has(status),
    );
    if (unknown.length === 0) return;
    const wanted = unknown.map(({ id }) => ({ id, userId: null, head: null }));
    await this.transactions.run((tx) => this.jobs.enqueueAll(tx, FollowMergeRequestJob, wanted));
  }
}
