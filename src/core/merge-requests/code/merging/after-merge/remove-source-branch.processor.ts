import { Injectable } from '@nestjs/common';
import { JobProcessor } from '#kernel/queue/job-processor.js';
import { MoveRetriesService } from '#core/repositories/effects/move-retries.service.js';
import { RemoveSourceBranchService } from './remove-source-branch.service.js';
import { RemoveSourceBranchJob } from './remove-source-branch.job.js';

/** Removes the source branch of a merge request; later if its repository is being moved. */
@Injectable()
export class RemoveSourceBranchProcessor extends JobProcessor<Readonly<{ id: number; userId: number }>> {
  readonly job = RemoveSourceBranchJob;

  constructor(
    private readonly branches: RemoveSourceBranchService,
    private readonly retries: MoveRetriesService,
  ) {
    super();
  }

  process(payload: Readonly<{ id: number; userId: number }>): Promise<void> {
    return this.retries.run(this.job, payload, () => this.branches.remove(payload.id, payload.userId));
  }
}
