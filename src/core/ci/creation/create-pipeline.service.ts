import { Injectable } from '@nestjs/common';
import { Transactions, type Tx } from '#kernel/database/transactions.js';
import type { CreatedPipeline, NewPipeline } from './new-pipeline.js';
import { PipelineInsertionService } from './pipeline-insertion.service.js';
import { PlanPipeline } from './plan-pipeline.use-case.js';

/** Makes pipelines out of configurations. */
@Injectable()
export class CreatePipelineService {
  constructor(
    private readonly planning: PlanPipeline,
    private readonly insertion: PipelineInsertionService,
    private readonly transactions: Transactions,
  ) {}

  /**
   * Makes a pipeline and lets it begin, or says why there is none; then nothing is stored, but for a push with a configuration that is
   * wrong: that is a pipeline that has failed. `within` runs in the same transaction, before the pipeline is stored.
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
