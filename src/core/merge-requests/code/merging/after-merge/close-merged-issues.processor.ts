import { Injectable } from '@nestjs/common';
import { JobProcessor } from '#kernel/queue/job-processor.js';
import { CloseMergedIssuesJob } from './close-merged-issues.job.js';
import { MergedIssues } from './merged-issues.js';

/** Closes the issues of one merge request. */
@Injectable()
export class CloseMergedIssuesProcessor extends JobProcessor<Readonly<{ id: number }>> {
  readonly job = CloseMergedIssuesJob;

  constructor(private readonly issues: MergedIssues) {
    super();
  }

  process({ id }: Readonly<{ id: number }>): Promise<void> {
    return this.issues.close(id);
  }
}
