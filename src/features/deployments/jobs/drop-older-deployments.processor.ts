import { Injectable } from '@nestjs/common';
import { ReadDatabase } from '#kernel/database/reads/read-database.js';
import { Transactions } from '#kernel/database/transactions.js';
import { JobProcessor, type JobContext } from '#kernel/queue/job-processor.js';
import type { CiStatus } from '#core/ci/jobs/job-status.js';
import { Job } from '#core/ci/jobs/job.entity.js';
import { PipelinesService } from '#core/ci/pipelines/pipelines.service.js';
import { JobTransitionsService } from '#core/ci/processing/job-transitions.service.js';
import { ProcessPipeline } from '#core/ci/processing/process-pipeline.use-case.js';
import { DropOlderDeploymentsJob, type DropOlderPayload } from './drop-older-deployments.job.js';
import { FORWARD_ONLY } from './forward-only.sql.js';

interface Older {
  readonly jobId: number;
  readonly pipelineId: number;
}

/** Statuses of jobs that would still run by themselves. */
const ABOUT_TO_RUN: readonly CiStatus[] = ['created', 'waiting_for_resource', 'preparing', 'pending'];

const OLDER = `select j.id as "jobId", j.pipeline_id as "pipelineId" from deployments d
    join projects p on p.id = d.project_id
    join deployments o on o.environment_id = d.environment_id and o.status = 'created' and o.iid < d.iid
    join ci_jobs j on j.id = o.job_id
  where d.id = $1 and ${FORWARD_ONLY} and j.status = any($2) and j.pipeline_id <>
    coalesce((select pipeline_id from ci_jobs where id = d.job_id), 0)
  order by j.pipeline_id, j.id limit 1000`;

/** Fails them one by one, each in its own transaction. */
@Injectable()
export class DropOlderDeploymentsProcessor extends JobProcessor<DropOlderPayload> {
  readonly job = DropOlderDeploymentsJob;

  constructor(
    private readonly database: ReadDatabase,
    private readonly transactions: Transactions,
    private readonly pipelines: PipelinesService,
    private readonly transitions: JobTransitionsService,
    private readonly processing: ProcessPipeline,
  ) {
    super();
  }

  async process({ deploymentId }: DropOlderPayload, { signal }: JobContext): Promise<void> {
    const older = await this.database.long<Older>(OLDER, [deploymentId, ABOUT_TO_RUN]);
    for (const one of older) {
      signal.throwIfAborted();
      await this.drop(one);
    }
  }

  private drop({ jobId, pipelineId }: Older): Promise<void> {
    return this.transactions.run(async (tx) => {
      const pipeline = await this.pipelines.lockOrNull(tx, pipelineId);
      const job = pipeline ? await tx.findOneBy(Job, { id: jobId }) : null;
      if (!pipeline || !job || !ABOUT_TO_RUN.includes(job.status)) return;
      await this.transitions.move(tx, job, 'failed', { failureReason: 'forward_deployment_failure' });
      await this.processing.process(tx, pipeline);
    });
  }
}
