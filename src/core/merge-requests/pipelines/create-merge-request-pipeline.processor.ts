import { Injectable } from '@nestjs/common';
import { errorCode } from '#kernel/database/statements/database-errors.js';
import { Transactions } from '#kernel/database/transactions.js';
import { JobProcessor, PermanentFailure, type JobContext } from '#kernel/queue/job-processor.js';
import { Pipeline } from '#core/ci/pipelines/pipeline.entity.js';
import { MergeRequest } from '../merge-request.entity.js';
import {
  CreateMergeRequestPipelineJob,
  type WantedMergeRequestPipeline,
} from './create-merge-request-pipeline.job.js';
import { HeadPipelinesService } from './head-pipelines.service.js';
import { MergeRequestPipelinesService } from './merge-request-pipelines.service.js';

/** Completes the job in the transaction that stores the pipeline, so that a head never has two. */
@Injectable()
export class CreateMergeRequestPipelineProcessor extends JobProcessor<WantedMergeRequestPipeline> {
  readonly job = CreateMergeRequestPipelineJob;

  constructor(
    private readonly transactions: Transactions,
    private readonly pipelines: MergeRequestPipelinesService,
    private readonly heads: HeadPipelinesService,
  ) {
    super();
  }

  /** Creates the pipeline; a newer head has its own job. */
  async process(wanted: WantedMergeRequestPipeline, context: JobContext): Promise<void> {
    const { userId } = wanted;
    const mergeRequest = await this.prepare(wanted);
    if (!mergeRequest) return;
    try {
      await this.pipelines.create(mergeRequest, { userId, inParent: false }, (tx) => context.complete(tx));
    } catch (error) {
      // Class 22 (data exception): the database will never accept the value.
      if (!errorCode(error)?.startsWith('22')) throw error;
      throw new PermanentFailure(error instanceof Error ? error.message : String(error), { cause: error });
    }
  }

  /**
   * Returns the merge request, unless nothing remains to be done; the pipeline of the branch may be older
   * than it.
   */
  private prepare({
    mergeRequestId: id,
    sha,
    again,
  }: WantedMergeRequestPipeline): Promise<MergeRequest | null> {
    return this.transactions.run(async (tx) => {
      await this.heads.refresh(tx, [id]);
      const mergeRequest = await tx.findOneBy(MergeRequest, { id, headSha: sha, state: 'opened' });
      if (!mergeRequest || again) return mergeRequest;
      const has = await tx.existsBy(Pipeline, { mergeRequestId: id, sha, source: 'merge_request_event' });
      return has ? null : mergeRequest;
    });
  }
}
