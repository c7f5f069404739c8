import { Injectable } from '@nestjs/common';
import { JobProcessor } from '#kernel/queue/job-processor.js';
import { RemoveSourceBranchService } from './remove-source-branch.service.js';
import { RemoveSourceBranchJob } from './remove-source-branch.job.js';

/** Removes the source branch of a merge request. */
@Injectable()
export class RemoveSourceBranchProcessor extends JobProcessor<Readonly<{ id: number; userId: number }>> {
  readonly job = RemoveSourceBranchJob;

  constructor(private readonly branches: RemoveSourceBranchService) {
    super();
  }

  process({ id, userId }: Readonly<{ id: number; userId: number }>): Promise<void> {
    return this.branches.remove(id, userId);
  }
}
