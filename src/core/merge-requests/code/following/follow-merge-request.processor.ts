import { Injectable } from '@nestjs/common';
import { JobProcessor } from '#kernel/queue/job-processor.js';
import { MoveRetriesService } from '#core/repositories/effects/move-retries.service.js';
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
    private readonly retries: MoveRetriesService,
  ) {
    super();
  }

  async process(payload: FollowedMergeRequest): Promise<void> {
    await this.retries.run(this.job, payload, async () => {
      if (!(await this.following.follow(payload.id, payload)))
        await this.retries.again(this.job, payload, MERGED_WITHIN_MS);
    });
  }
}
