import { Injectable } from '@nestjs/common';
import { JobProcessor } from '#kernel/queue/job-processor.js';
import { MergeAutomaticallyJob } from './merge-automatically.job.js';
import { MergeMergeRequest } from '../merge-merge-request.use-case.js';

/** Merges a merge request whose pipeline has succeeded. */
@Injectable()
export class MergeAutomaticallyProcessor extends JobProcessor<Readonly<{ id: number }>> {
  readonly job = MergeAutomaticallyJob;

  constructor(private readonly merging: MergeMergeRequest) {
    super();
  }

  process({ id }: Readonly<{ id: number }>): Promise<void> {
    return this.merging.mergeAutomatically(id);
  }
}
