import { Injectable } from '@nestjs/common';
import { JobProcessor } from '#kernel/queue/job-processor.js';
import { CloseMergedIssuesJob } from './close-merged-issues.job.js';
import { CloseMergedIssuesService } from './close-merged-issues.service.js';

/** Closes the issues of a merge request. */
@Injectable()
export class CloseMergedIssuesProcessor extends JobProcessor<Readonly<{ id: number }>> {
  readonly job = CloseMergedIssuesJob;

  constructor(private readonly issues: CloseMergedIssuesService) {
    super();
  }

  process({ id }: Readonly<{ id: number }>): Promise<void> {
    return this.issues.close(id);
  }
}
