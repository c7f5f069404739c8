import { Injectable } from '@nestjs/common';
import { Transactions } from '#kernel/database/transactions.js';
import { JobProcessor } from '#kernel/queue/job-processor.js';
import { Jobs } from '#kernel/queue/jobs.js';
import { MOVE_RETRY_MS } from '#core/repositories/pushes/push-errors.js';
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
    private readonly transactions: Transactions,
    private readonly jobs: Jobs,
  ) {
    super();
  }

  async process(payload: Readonly<{ id: number }>): Promise<void> {
    if (await this.merging.mergeAutomatically(payload.id)) return;
    const delayMs = MOVE_RETRY_MS;
    await this.transactions.run((tx) => this.jobs.enqueue(tx, this.job, payload, { delayMs }));
  }

  override async failed({ id }: Readonly<{ id: number }>): Promise<void> {
    await this.autoMerges.abort(id, null, 'the merge failed too often');
  }
}
