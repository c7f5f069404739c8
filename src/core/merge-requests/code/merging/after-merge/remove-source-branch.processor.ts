import { Injectable } from '@nestjs/common';
import { Transactions } from '#kernel/database/transactions.js';
import { JobProcessor } from '#kernel/queue/job-processor.js';
import { Jobs } from '#kernel/queue/jobs.js';
import { MOVE_RETRY_MS } from '#core/repositories/pushes/push-errors.js';
import { RemoveSourceBranchService } from './remove-source-branch.service.js';
import { RemoveSourceBranchJob } from './remove-source-branch.job.js';

/** Removes the source branch of a merge request; later if its repository is being moved. */
@Injectable()
export class RemoveSourceBranchProcessor extends JobProcessor<Readonly<{ id: number; userId: number }>> {
  readonly job = RemoveSourceBranchJob;

  constructor(
    private readonly branches: RemoveSourceBranchService,
    private readonly transactions: Transactions,
    private readonly jobs: Jobs,
  ) {
    super();
  }

  async process(payload: Readonly<{ id: number; userId: number }>): Promise<void> {
    if (await this.branches.remove(payload.id, payload.userId)) return;
    const delayMs = MOVE_RETRY_MS;
    await this.transactions.run((tx) => this.jobs.enqueue(tx, this.job, payload, { delayMs }));
  }
}
