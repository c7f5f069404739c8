import { Injectable } from '@nestjs/common';
import { In } from 'typeorm';
import { runDeferred } from '#kernel/database/statements/prepared.js';
import type { Tx } from '#kernel/database/transactions.js';
import { DomainEvents } from '#kernel/events/domain-events.js';
import { Job } from '../jobs/job.entity.js';
import { isFinished, type CiStatus } from '../jobs/job-status.js';
import { Pipeline } from '../pipelines/pipeline.entity.js';
import { formerStatus, type FormerStatus } from './former-status.js';
import { JobStartingService } from './job-starting.service.js';
import { JobTransitionsService } from './job-transitions.service.js';
import { storeAwaited } from './steps/awaited-jobs.js';
import { PipelineJobs } from './steps/pipeline-jobs.js';
import { PipelineStatusChanged } from './events/pipeline-status-changed.event.js';
import { takeSteps, type Step } from './steps/pipeline-steps.js';

/** Time during which any job ran, null if none did; overlapping times count once. */
const DURATION = `select least(floor(sum(extract(epoch from upper(span) - lower(span)))), 2147483647)::int as seconds from unnest((
    select range_agg(tstzrange(started_at, finished_at)) from ci_jobs
    where pipeline_id = $1 and started_at is not null and finished_at > started_at)) span having count(*) > 0`;

/** Two statements: one that reads the jobs is planned for each pipeline anew, which takes longer than to run it. */
const GO_ON = `update ci_pipelines set status = $2, updated_at = $3, started_at = $4, finished_at = null, duration = null where id = $1`;
const FINISH = `update ci_pipelines set status = $2, updated_at = $3, started_at = $4, finished_at = $3, duration = (${DURATION}) where id = $1`;

const START_IN = `select (definition ->> 'startIn')::int as seconds from ci_job_definitions where job_id = $1`;

/**
 * Advances a pipeline: starts the jobs that may run now, skips those that no longer can, and updates the
 * status of the pipeline.
 */
@Injectable()
export class ProcessPipeline {
  constructor(
    private readonly events: DomainEvents,
    private readonly transitions: JobTransitionsService,
    private readonly starting: JobStartingService,
  ) {}

  /** Call this after any change of jobs, in the same transaction, with the pipeline locked. */
  async process(tx: Tx, pipeline: Pipeline): Promise<void> {
    const jobs = await PipelineJobs.read(tx, pipeline.id);
    await this.goOn(tx, pipeline, { jobs, former: formerStatus(tx, pipeline.id) });
  }

  /** Processes a pipeline whose jobs were read under its lock; `jobs` must contain all changes made since. */
  async processKnown(
    tx: Tx,
    pipeline: Pipeline,
    jobs: PipelineJobs,
    former: FormerStatus = formerStatus(tx, pipeline.id),
  ): Promise<void> {
    await this.goOn(tx, pipeline, { jobs, former });
  }

  /**
   * Processes a new pipeline with these jobs, which must be all of its jobs, in the transaction that creates
   * it.
   */
  async begin(tx: Tx, pipeline: Pipeline, jobs: readonly Job[]): Promise<void> {
    const former = formerStatus(tx, pipeline.id);
    await this.goOn(tx, pipeline, { jobs: PipelineJobs.of(jobs), former }, jobs);
  }

  private async goOn(
    tx: Tx,
    pipeline: Pipeline,
    { jobs, former }: { readonly jobs: PipelineJobs; readonly former: FormerStatus },
    known?: readonly Job[],
  ): Promise<void> {
    if (jobs.all.length === 0) return;
    const isSettled = await this.advance(tx, jobs, known);
    await storeAwaited(tx, jobs);
    // The verdict of a gate may hold back or release later jobs.
    if (!isSettled) return this.process(tx, pipeline);
    if (jobs.hasReleased) {
      const whole = await PipelineJobs.readWithNeeds(tx, pipeline.id);
      return this.goOn(tx, pipeline, { jobs: whole, former });
    }
    await this.setStatus(tx, pipeline, jobs.status, former);
  }

  /** Advances each job that can continue by one step; false if a job did not reach its expected status. */
  private async advance(tx: Tx, jobs: PipelineJobs, known?: readonly Job[]): Promise<boolean> {
    const steps = takeSteps(jobs);
    const all = [...steps.values()].flat();
    if (all.length === 0) return true;
    const loaded = known ?? (await tx.findBy(Job, { id: In(all.map(({ id }) => id)) }));
    const byId = new Map(loaded.map((job) => [job.id, job]));
    const of = (step: Step): Job[] => (steps.get(step) ?? []).map(({ id }) => byId.get(id) as Job);
    await this.transitions.moveAll(tx, of('skip'), 'skipped');
    await this.transitions.moveAll(tx, of('manual'), 'manual');
    for (const job of of('delay')) await this.delay(tx, job);
    await this.starting.startAll(tx, of('start'));
    for (const job of all) job.status = (byId.get(job.id) as Job).status;
    return (
      of('delay').every(({ status }) => status === 'scheduled') &&
      of('start').every(({ status }) => status === 'pending' || status === 'waiting_for_resource')
    );
  }

  private async delay(tx: Tx, job: Job): Promise<void> {
    const [row] = await tx.query<{ seconds: number | null }[]>(START_IN, [job.id]);
    await this.starting.schedule(tx, job, new Date(Date.now() + (row?.seconds ?? 0) * 1_000));
  }

  private async setStatus(tx: Tx, pipeline: Pipeline, status: CiStatus, former: FormerStatus): Promise<void> {
    const from = pipeline.status;
    if (status === from) return;
    const now = new Date();
    const values = {
      status,
      updatedAt: now,
      startedAt:
        pipeline.startedAt ??
        (status === 'running' || status === 'success' || status === 'failed' ? now : null),
      finishedAt: isFinished(status) ? now : null,
    };
    const asked = [pipeline.id, status, now, values.startedAt];
    await runDeferred(tx, values.finishedAt === null ? GO_ON : FINISH, asked);
    Object.assign(pipeline, values);
    await this.events.publish(tx, new PipelineStatusChanged(pipeline, from, former));
  }
}
