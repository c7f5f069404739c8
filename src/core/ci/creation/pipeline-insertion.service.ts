import { Injectable } from '@nestjs/common';
import { runDeferred } from '#kernel/database/statements/prepared.js';
import type { Tx } from '#kernel/database/transactions.js';
import { DomainEvents } from '#kernel/events/domain-events.js';
import { Jobs } from '#kernel/queue/jobs.js';
import { InternalIdsService } from '#core/iids/internal-ids.service.js';
import { SettingsService } from '#core/instance/settings/settings.service.js';
import type { PlannedJob } from '../config/planned-pipeline.js';
import { Job } from '../jobs/job.entity.js';
import { Pipeline } from '../pipelines/pipeline.entity.js';
import { JobsCreated, type DefinedJob } from '../processing/events/jobs-created.event.js';
import { PipelineCreated } from '../processing/events/pipeline-created.event.js';
import { ProcessPipeline } from '../processing/process-pipeline.use-case.js';
import { CancelRedundantJob } from '../redundancy/cancel-redundant.job.js';
import type { PipelinePlan } from './pipeline-plan.js';
import { SealedVariablesService } from '../jobs/definition/sealed-variables.service.js';

/** Rows per insert: a statement takes at most 65,535 parameters. */
const ROWS = 500;

const DEFINITIONS = `insert into ci_job_definitions (job_id, definition)
  select * from unnest($1::bigint[], $2::jsonb[])`;

/** Columns that are null in new jobs. */
const NOTHING_YET = {
  failureReason: null,
  runnerId: null,
  coverage: null,
  exitCode: null,
  timeout: null,
  tokenDigest: null,
  artifactsExpireAt: null,
  targetUrl: null,
  description: null,
  erasedAt: null,
  erasedById: null,
  scheduledAt: null,
  waitingReason: null,
  queuedAt: null,
  startedAt: null,
  finishedAt: null,
  runnerSeenAt: null,
  traceCheckedAt: null,
  traceWatchedAt: null,
} as const satisfies Partial<Job>;

/** Inserts planned pipelines. */
@Injectable()
export class PipelineInsertionService {
  constructor(
    private readonly iids: InternalIdsService,
    private readonly settings: SettingsService,
    private readonly sealed: SealedVariablesService,
    private readonly events: DomainEvents,
    private readonly processing: ProcessPipeline,
    private readonly jobs: Jobs,
  ) {}

  /** Inserts a pipeline with its jobs, and starts it. */
  async insert(tx: Tx, plan: PipelinePlan): Promise<Pipeline> {
    const pipeline = await this.insertPipeline(tx, plan, { status: 'created', name: plan.planned.name });
    const jobs = await this.insertJobs(tx, plan, pipeline);
    await this.events.publish(tx, new JobsCreated(pipeline, jobs));
    await this.processing.begin(
      tx,
      pipeline,
      jobs.map(({ job }) => job),
    );
    const { settings } = plan.project;
    if (!pipeline.tag && pipeline.parentId === null && settings.auto_cancel_pending_pipelines !== 'disabled')
      await this.jobs.enqueue(tx, CancelRedundantJob, { pipelineId: pipeline.id });
    return pipeline;
  }

  /** Inserts a pipeline without jobs: skipped, or with an invalid configuration. */
  insertEmpty(tx: Tx, plan: PipelinePlan, errors: readonly string[] | null): Promise<Pipeline> {
    const yamlErrors = errors && errors.join('\n').slice(0, 10_000).replaceAll('\0', '').toWellFormed();
    const status = errors ? 'failed' : 'skipped';
    return this.insertPipeline(tx, plan, { status, yamlErrors, finishedAt: errors ? new Date() : null });
  }

  private async insertPipeline(tx: Tx, plan: PipelinePlan, values: Partial<Pipeline>): Promise<Pipeline> {
    const { wanted, project, at, commit } = plan;
    const iid = await this.iids.next(tx, project.id, 'pipelines');
    const pipeline = await tx.save(
      Pipeline,
      Object.assign(new Pipeline(), {
        projectId: project.id,
        iid,
        ...at,
        beforeSha: plan.beforeSha,
        source: wanted.source,
        userId: wanted.userId,
        mergeRequestId: wanted.mergeRequestId ?? null,
        parentId: wanted.parentId ?? null,
        bridgeId: wanted.bridgeId ?? null,
        protected: plan.protected,
        locked: await this.isLocked(tx, plan),
        commit,
        committedAt: dateOf(commit.committed_date),
        variables: this.sealed.sealForPipeline(wanted.variables),
        name: null,
        cancelOnNewCommit: plan.planned.autoCancel.onNewCommit,
        cancelOnJobFailure: plan.planned.autoCancel.onJobFailure,
        yamlErrors: null,
        duration: null,
        startedAt: null,
        finishedAt: null,
        ...values,
      }),
    );
    await this.events.publish(tx, new PipelineCreated(pipeline));
    return pipeline;
  }

  /**
   * The artifacts of a child stay locked as long as those of its parent, whose row is locked here. The lock
   * of the parent may already have been released.
   */
  private async isLocked(tx: Tx, { wanted, project }: PipelinePlan): Promise<boolean> {
    if (wanted.parentId) return (await tx.findOneByOrFail(Pipeline, { id: wanted.parentId })).locked;
    return project.settings.keep_latest_artifact && this.settings.values.keep_latest_artifact;
  }

  private async insertJobs(tx: Tx, plan: PipelinePlan, pipeline: Pipeline): Promise<DefinedJob[]> {
    const defined = plan.planned.jobs.map((planned) => ({
      job: newJob(pipeline, planned),
      environment: planned.environment,
      definition: planned.definition,
    }));
    for (let at = 0; at < defined.length; at += ROWS) {
      const rows = defined.slice(at, at + ROWS);
      await tx
        .createQueryBuilder()
        .insert()
        .into(Job)
        .values(rows.map(({ job }) => job))
        .execute();
      const ids = rows.map(({ job }) => job.id);
      await runDeferred(tx, DEFINITIONS, [ids, rows.map(({ definition }) => definition)]);
      for (const { job } of rows) Object.assign(job, NOTHING_YET);
    }
    return defined;
  }
}

function newJob(pipeline: Pipeline, planned: PlannedJob): Job {
  const { kind, name, stage, stageIndex, when, allowFailure, needs, interruptible } = planned;
  return Object.assign(new Job(), {
    kind,
    name,
    stage,
    stageIndex,
    when,
    allowFailure,
    needs,
    interruptible,
    projectId: pipeline.projectId,
    pipelineId: pipeline.id,
    status: 'created' as const,
    resourceGroup: planned.resourceGroup,
    userId: pipeline.userId,
    ref: pipeline.ref,
    tag: pipeline.tag,
    protected: pipeline.protected,
    tagList: [...planned.tagList],
    environment: planned.environmentName,
    environmentAction: planned.environment?.action ?? null,
    artifactsPublic: planned.artifactsPublic,
  });
}

const dateOf = (text: string): Date | null => {
  const date = new Date(text);
  return Number.isNaN(date.getTime()) ? null : date;
};
