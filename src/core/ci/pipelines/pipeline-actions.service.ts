import { Injectable } from '@nestjs/common';
import { In } from 'typeorm';
import { differs } from '#kernel/database/base.entity.js';
import { clock } from '#kernel/database/time.sql.js';
import { Transactions, type Tx } from '#kernel/database/transactions.js';
import type { UnmodifiedCheck } from '#kernel/http/answers/unmodified-since.js';
import { DomainEvents } from '#kernel/events/domain-events.js';
import { Jobs } from '#kernel/queue/jobs.js';
import { InternalIdsService } from '#core/iids/internal-ids.service.js';
import type { RightsOf } from '#core/repositories/protection/protections.queries.js';
import { FollowChildJob } from '../bridges/follow-child.job.js';
import { CancelPipelinesJob } from '../redundancy/cancel-pipelines.job.js';
import { isRetryable } from '../jobs/actions/job-actions.service.js';
import { Job } from '../jobs/job.entity.js';
import { JobRefPolicy } from '../jobs/actions/job-ref.policy.js';
import { FINISHED_STATUSES, type CiStatus } from '../jobs/job-status.js';
import { CloneJobs } from '../processing/clone-jobs.use-case.js';
import { withDefinitions } from '../processing/job-definitions.js';
import { JobTransitionsService } from '../processing/job-transitions.service.js';
import { ProcessPipeline } from '../processing/process-pipeline.use-case.js';
import { PipelineRemoved } from '../processing/pipeline-removed.event.js';
import { SkippedJobsService } from '../processing/steps/skipped-jobs.service.js';
import { Pipeline } from './pipeline.entity.js';
import { PipelinesService } from './pipelines.service.js';

/** Statuses of jobs that canceling a pipeline stops. */
const UNDER_WAY: readonly CiStatus[] = [
  'created',
  'waiting_for_resource',
  'preparing',
  'pending',
  'running',
  'scheduled',
];

const FAMILY = `with recursive family as (
    select id, project_id from ci_pipelines where id = $1
    union all select c.id, c.project_id from ci_pipelines c join family f on c.parent_id = f.id)`;

const LOCK_FAMILY = `${FAMILY} select p.id from ci_pipelines p join family f on f.id = p.id order by p.id for update of p`;

/** Unfinished jobs of the pipeline and its descendants. */
const UNFINISHED = `${FAMILY} select j.id from ci_jobs j join family f on j.pipeline_id = f.id
  where j.status <> all($2) order by j.id`;

const REMOVE = `${FAMILY},
  gone as (delete from ci_pipelines p using family f where p.id = f.id returning p.project_id)
  select project_id as id, count(*)::int as count from gone group by project_id`;

/** User actions on whole pipelines (`ci.md` 5.3). The routes have checked the role. */
@Injectable()
export class PipelineActionsService {
  constructor(
    private readonly transactions: Transactions,
    private readonly pipelines: PipelinesService,
    private readonly rights: JobRefPolicy,
    private readonly transitions: JobTransitionsService,
    private readonly processing: ProcessPipeline,
    private readonly cloning: CloneJobs,
    private readonly skipped: SkippedJobsService,
    private readonly iids: InternalIdsService,
    private readonly jobs: Jobs,
    private readonly events: DomainEvents,
  ) {}

  /** Cancels a pipeline and its child pipelines. @throws 403, 404 */
  cancel(projectId: number, pipelineId: number, by: RightsOf): Promise<number> {
    return this.transactions.run(async (tx) => {
      const pipeline = await this.pipelines.lock(tx, projectId, pipelineId);
      await this.rights.assertMayRun(pipeline, by);
      await this.cancelWithin(tx, pipeline);
      return pipelineId;
    });
  }

  /**
   * Cancels a locked pipeline within a transaction, or only its interruptible jobs; a queued job does the same
   * with its children. Manual jobs that may fail stay as they are.
   */
  async cancelWithin(tx: Tx, pipeline: Pipeline, onlyInterruptible = false): Promise<void> {
    const current = {
      pipelineId: pipeline.id,
      retried: false,
      ...(onlyInterruptible && { interruptible: true }),
    };
    const jobs = await tx.find(Job, {
      where: [
        { ...current, status: In([...UNDER_WAY]) },
        { ...current, status: 'manual', allowFailure: false },
      ],
      order: { id: 'asc' },
    });
    // A running bridge would take its whole child with it, instead of following what becomes of that.
    const ended = jobs.filter((job) => !(onlyInterruptible && isFollowing(job)));
    await this.transitions.moveAll(tx, ended, 'canceled');
    await this.processing.process(tx, pipeline);
    await this.jobs.enqueue(tx, CancelPipelinesJob, {
      parentId: pipeline.id,
      ...(onlyInterruptible && { onlyInterruptible }),
    });
  }

  /** Renames a pipeline; jobs that start later get the name in a variable. @throws 403, 404 */
  rename(projectId: number, pipelineId: number, name: string, by: RightsOf): Promise<number> {
    return this.transactions.run(async (tx) => {
      const pipeline = await this.pipelines.lock(tx, projectId, pipelineId);
      await this.rights.assertMayRun(pipeline, by);
      if (differs(pipeline, { name }))
        await tx.update(Pipeline, { id: pipelineId }, { name, updatedAt: clock });
      return pipelineId;
    });
  }

  /** Retries failed and canceled jobs, and revives the jobs skipped because of them. @throws 403, 404 */
  retry(projectId: number, pipelineId: number, by: RightsOf): Promise<number> {
    return this.transactions.run(async (tx) => {
      const pipeline = await this.pipelines.lock(tx, projectId, pipelineId);
      await this.rights.assertMayRun(pipeline, by);
      const done = await tx.find(Job, {
        where: { pipelineId, retried: false, status: In(['failed', 'canceled']) },
        order: { id: 'asc' },
      });
      const { userId } = by;
      const runnable = await withDefinitions(
        tx,
        done.map(({ id }) => id),
      );
      const again = done.filter((job) => isRetryable(job) && runnable.has(job.id));
      await this.cloning.runFor(tx, userId, again);
      await this.skipped.reviveAll(tx, pipelineId, userId);
      await this.processing.process(tx, pipeline);
      return pipelineId;
    });
  }

  /**
   * Removes a pipeline with its jobs and child pipelines. Cancels unfinished jobs first: listeners of job
   * statuses (deployments, environments to stop, resources) must learn of their end, and a database cascade
   * publishes no events. @throws 404, 412
   */
  remove(
    projectId: number,
    pipelineId: number,
    unmodified: UnmodifiedCheck = () => undefined,
  ): Promise<void> {
    return this.transactions.run(async (tx) => {
      const pipeline = await this.pipelines.lock(tx, projectId, pipelineId);
      unmodified(pipeline.updatedAt);
      await tx.query(LOCK_FAMILY, [pipelineId]);
      await this.endJobs(tx, pipelineId);
      await this.events.publish(tx, new PipelineRemoved(pipeline));
      const [removed] = await tx.query<{ count: number }[]>(REMOVE, [pipelineId]);
      await this.iids.removed(tx, projectId, 'pipelines', removed?.count ?? 0);
      const { id: childId, bridgeId, parentId } = pipeline;
      if (bridgeId !== null && parentId !== null)
        await this.jobs.enqueue(tx, FollowChildJob, { childId, bridgeId, parentId });
    });
  }

  private async endJobs(tx: Tx, pipelineId: number): Promise<void> {
    const found = await tx.query<{ id: number }[]>(UNFINISHED, [pipelineId, FINISHED_STATUSES]);
    const ids = found.map(({ id }) => id);
    if (ids.length === 0) return;
    const jobs = await tx.find(Job, { where: { id: In(ids) }, order: { id: 'asc' } });
    await this.transitions.moveAll(tx, jobs, 'canceled');
  }
}

const isFollowing = ({ kind, status }: Job): boolean => kind === 'bridge' && status === 'running';
