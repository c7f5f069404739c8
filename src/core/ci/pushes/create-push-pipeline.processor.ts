import { Injectable } from '@nestjs/common';
import { errorCode } from '#kernel/database/statements/database-errors.js';
import { JobProcessor, PermanentFailure, type JobContext } from '#kernel/queue/job-processor.js';
import { CreatePipelineService } from '../creation/create-pipeline.service.js';
import type { CiVariable } from '../jobs/definition/job-definition.js';
import { SealedVariablesService } from '../jobs/definition/sealed-variables.service.js';
import { CreatePushPipelineJob, type PushedRef } from './create-push-pipeline.job.js';

/** Completes the job in the transaction that stores the pipeline, so that a push never has two. */
@Injectable()
export class CreatePushPipelineProcessor extends JobProcessor<PushedRef> {
  readonly job = CreatePushPipelineJob;

  constructor(
    private readonly pipelines: CreatePipelineService,
    private readonly sealed: SealedVariablesService,
  ) {
    super();
  }

  /** Creates the pipeline. @throws PermanentFailure if the push can never have one */
  async process(pushed: PushedRef, context: JobContext): Promise<void> {
    const variables = this.variablesOf(pushed);
    try {
      await this.create(pushed, variables, context);
    } catch (error) {
      // Class 22 (data exception): the database will never accept the value.
      if (errorCode(error)?.startsWith('22')) throw permanent(error);
      throw error;
    }
  }

  private variablesOf({ variables }: PushedRef): CiVariable[] {
    try {
      return this.sealed.openOfPipeline(variables);
    } catch (error) {
      throw permanent(error);
    }
  }

  private async create(pushed: PushedRef, variables: CiVariable[], context: JobContext): Promise<void> {
    await this.pipelines.create(
      {
        projectId: pushed.projectId,
        ref: pushed.ref,
        sha: pushed.after,
        beforeSha: pushed.before,
        source: 'push',
        userId: pushed.userId,
        variables,
      },
      (tx) => context.complete(tx),
    );
  }
}

const permanent = (cause: unknown): PermanentFailure =>
  new PermanentFailure(cause instanceof Error ? cause.message : String(cause), { cause });
