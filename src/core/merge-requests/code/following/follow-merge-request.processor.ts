import { Injectable } from '@nestjs/common';
import { Transactions } from '#kernel/database/transactions.js';
import { JobProcessor } from '#kernel/queue/job-processor.js';
import { Jobs } from '#kernel/queue/jobs.js';
import { isReadOnly, MOVE_RETRY_MS } from '#core/repositories/pushes/push-errors.js';
import { FollowMergeRequestJob, type FollowedMergeRequest } from './follow-merge-request.job.js';
import { MergeRequestFollowingService } from './merge-request-following.service.js';

/** Retry delay while a merge, which may fail, locks the merge request. */
const MERGED_WITHIN_MS = 2_000;

/** Checks the branches of a merge request. */
@Injectable()
export class FollowMergeRequestProcessor extends JobProcessor<FollowedMergeRequest> {
  readonly job = FollowMergeRequestJob;

  constructor(
    private readonly following: MergeRequestFollowingService,
    private readonly transactions: Transactions,
    private readonly jobs: Jobs,
  ) {
    super();
  }

  async process(payload: FollowedMergeRequest): Promise<void> {
    try {
      if (!(await this.following.follow(payload.id, payload))) await this.again(payload, MERGED_WITHIN_MS);
    } catch (error) {
      if (!isReadOnly(error)) throw error;
      await this.again(payload, MOVE_RETRY_MS);
    }
  }

  private again(payload: FollowedMergeRequest, delayMs: number): Promise<unknown> {
    return this.transactions.run((tx) => this.jobs.enqueue(tx, FollowMergeRequestJob, payload, { delayMs }));
  }
}
