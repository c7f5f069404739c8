import { Injectable } from '@nestjs/common';
import { Transactions, type Tx } from '#kernel/database/transactions.js';
import type { CreatedPipeline, NewPipeline } from './new-pipeline.js';
import { PipelineInsertionService } from './pipeline-insertion.service.js';
import { PlanPipeline } from './plan-pipeline.use-case.js';

/** Creates pipelines from configurations. */
@Injectable()
export class CreatePipelineService {
  constructor(
    private readonly planning: PlanPipeline,
    private readonly insertion: PipelineInsertionService,
    private readonly transactions: Transactions,
  ) {}

  /**
   * Creates and starts a pipeline, or returns why there is none. An invalid configuration of a push is stored
   * as a failed pipeline; otherwise nothing is stored. `within` runs in the same transaction, before the
   * pipeline is stored.
   */
  async create(
    wanted: NewPipeline,
    within: (tx: Tx) => Promise<void> = () => Promise.resolve(),
  ): Promise<CreatedPipeline> {
    const planned = await this.planning.run(wanted);
    const { plan } = planned;
    const errors = 'errors' in planned ? planned.errors : null;
    if (!plan || (errors && wanted.source !== 'push')) return planned as CreatedPipeline;
    const pipeline = await this.transactions.run(async (tx) => {
      await within(tx);
      return errors || plan.skipped
        ? this.insertion.insertEmpty(tx, plan, errors)
        : this.insertion.insert(tx, plan);
    });
    return { pipeline };
  }
}
