import { Injectable } from '@nestjs/common';
import { JobProcessor } from '#kernel/queue/job-processor.js';
import { MergeAutomaticallyJob } from './merge-automatically.job.js';
import { MergeRequestMerging } from '../merge-request-merging.js';

/** Merges one merge request whose pipeline has succeeded. */
@Injectable()
export class MergeAutomaticallyProcessor extends JobProcessor<Readonly<{ id: number }>> {
  readonly job = MergeAutomaticallyJob;

  constructor(private readonly merging: MergeRequestMerging) {
    super();
  }

  process({ id }: Readonly<{ id: number }>): Promise<void> {
    return this.merging.mergeAutomatically(id);
  }
}
