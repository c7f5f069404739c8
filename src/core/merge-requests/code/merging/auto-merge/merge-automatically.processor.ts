import { Injectable } from '@nestjs/common';
import { JobProcessor } from '#kernel/queue/job-processor.js';
import { MoveRetriesService } from '#core/repositories/effects/move-retries.service.js';
import { AutoMergeService } from './auto-merge.service.js';
import { MergeAutomaticallyJob } from './merge-automatically.job.js';
import { MergeMergeRequest } from '../merge-merge-request.use-case.js';

/** Merges a merge request whose pipeline has succeeded; later if its repository is being moved. */
@Injectable()
export class MergeAutomaticallyProcessor extends JobProcessor<Readonly<{ id: number }>> {
  readonly job = MergeAutomaticallyJob;

  constructor(
    private readonly merging: MergeMergeRequest,
    private readonly autoMerges: AutoMergeService,
    private readonly retries: MoveRetriesService,
  ) {
    super();
  }

  process(payload: Readonly<{ id: number }>): Promise<void> {
    return this.retries.run(this.job, payload, () => this.merging.mergeAutomatically(payload.id));
  }

  override async failed({ id }: Readonly<{ id: number }>): Promise<void> {
    await this.autoMerges.abort(id, null, 'the merge failed too often');
  }
}
