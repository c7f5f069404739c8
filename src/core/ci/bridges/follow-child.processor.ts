import { Injectable } from '@nestjs/common';
import { clock } from '#kernel/database/time.sql.js';
import { Transactions, type Tx } from '#kernel/database/transactions.js';
import { JobProcessor } from '#kernel/queue/job-processor.js';
import { StoredJobDefinition } from '../jobs/definition/job-definition.entity.js';
import { Job } from '../jobs/job.entity.js';
import { isFinished } from '../jobs/job-status.js';
import { Pipeline } from '../pipelines/pipeline.entity.js';
import { PipelinesService } from '../pipelines/pipelines.service.js';
import { CloneJobs } from '../processing/clone-jobs.use-case.js';
import { JobTransitionsService } from '../processing/job-transitions.service.js';
import { ProcessPipeline } from '../processing/process-pipeline.use-case.js';
import { SkippedJobsService } from '../processing/steps/skipped-jobs.service.js';
import { FollowChildJob, type Followed } from './follow-child.job.js';

/** Copies the status; skips bridges that do not depend on their child, because they have already finished. */
@Injectable()
export class FollowChildProcessor extends JobProcessor<Followed> {
  readonly job = FollowChildJob;

  constructor(
    private readonly transactions: Transactions,
    private readonly pipelines: PipelinesService,
    private readonly transitions: JobTransitionsService,
    private readonly processing: ProcessPipeline,
    private readonly cloning: CloneJobs,
    private readonly skipped: SkippedJobsService,
  ) {
    super();
  }

  process({ childId, bridgeId, parentId, userId }: Followed): Promise<void> {
    return this.transactions.run(async (tx) => {
      const parent = await this.pipelines.lockOrNull(tx, parentId);
      if (!parent) return;
      // Use the current status: if the child was rerun since, it notifies again. A removed child has nothing
      // to report.
      const child = await tx.findOneBy(Pipeline, { id: childId });
      const known = await tx.findOneBy(Job, { id: child?.bridgeId ?? bridgeId });
      const bridge = child && known && userId ? await this.reopened(tx, child, known, userId) : known;
      if (bridge?.status !== 'running') return;
      if (child?.status === 'success') await this.transitions.move(tx, bridge, 'success');
      else if (child?.status === 'canceled') await this.transitions.move(tx, bridge, 'canceled');
      else if (!child || isFinished(child.status))
        await this.transitions.move(tx, bridge, 'failed', { failureReason: 'unknown_failure' });
      await this.processing.process(tx, parent);
    });
  }

  /** Replaces a finished bridge whose child runs again by a new one that waits; revives the jobs after it. */
  private async reopened(tx: Tx, child: Pipeline, bridge: Job, userId: number): Promise<Job> {
    if (!isFinished(bridge.status) || bridge.retried || bridge.status === child.status) return bridge;
    const stored = await tx.findOneBy(StoredJobDefinition, { jobId: bridge.id });
    if (stored?.definition.trigger?.depend !== true) return bridge;
    const [fresh] = (await this.cloning.run(tx, [bridge], { userId })) as [Job];
    await tx.update(Pipeline, { id: child.id }, { bridgeId: fresh.id, updatedAt: clock });
    await this.transitions.move(tx, fresh, 'running');
    await this.skipped.reviveAfter(tx, fresh, userId);
    return fresh;
  }
}
