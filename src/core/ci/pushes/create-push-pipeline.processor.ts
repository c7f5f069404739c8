import { Injectable } from '@nestjs/common';
import { JobProcessor, type JobContext } from '#kernel/queue/job-processor.js';
import { CreatePipeline } from '../creation/create-pipeline.js';
import { SealedVariables } from '../jobs/sealed-variables.js';
import { CreatePushPipeline, type PushedRef } from './create-push-pipeline.job.js';

/** The job is done with the transaction that stores the pipeline: no push has two. */
@Injectable()
export class CreatePushPipelineProcessor extends JobProcessor<PushedRef> {
  readonly job = CreatePushPipeline;

  constructor(
    private readonly pipelines: CreatePipeline,
    private readonly sealed: SealedVariables,
  ) {
    super();
  }

  async process(pushed: PushedRef, context: JobContext): Promise<void> {
    await this.pipelines.create(
      {
        projectId: pushed.projectId,
        ref: pushed.ref,
        sha: pushed.after,
        beforeSha: pushed.before,
        source: 'push',
        userId: pushed.userId,
        variables: this.sealed.openOfPipeline(pushed.variables),
      },
      (tx) => context.complete(tx),
    );
  }
}
