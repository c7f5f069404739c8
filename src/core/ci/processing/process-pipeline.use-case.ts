import { Injectable } from '@nestjs/common';
import { In } from 'typeorm';
import { runDeferred } from '#kernel/database/statements/prepared.js';
import type { Tx } from '#kernel/database/transactions.js';
import { DomainEvents } from '#kernel/events/domain-events.js';
import { Job } from '../jobs/job.entity.js';
import { isFinished, type CiStatus } from '../jobs/job-status.js';
import { Pipeline } from '../pipelines/pipeline.entity.js';
import { JobStartingService } from './job-starting.service.js';
import { JobTransitionsService } from './job-transitions.service.js';
import { PipelineJobs } from './steps/pipeline-jobs.js';
import { PipelineStatusChanged } from './events/pipeline-status-changed.event.js';
import { takeSteps, type Step } from './steps/pipeline-steps.js';

/** Time in which any job ran: what ran at the same time counts once. */
const DURATION = `select least(floor(sum(extract(epoch from upper(span) - lower(span)))), 2147483647)::int as seconds from unnest((
    select range_agg(tstzrange(started_at, finished_at)) from ci_jobs
    where pipeline_id = $1 and started_at is not null and finished_at > started_at)) span`;

/** The end is fenced off by `offset`: where it could be folded into the plan, each would be planned anew. */
const SET_STATUS = `update ci_pipelines set status = $2, updated_at = $3, started_at = $4, finished_at = ended.at,
    duration = case when ended.at is not null then (${DURATION}) end
  from (select $5::timestamptz as at offset 0) ended where id = $1`;

const START_IN = `select (definition ->> 'startIn')::int as seconds from ci_job_definitions where job_id = $1`;

/** Brings a pipeline forward: what may run now gets pending, what cannot run any more is skipped, and the whole gets its status. */
@Injectable()
export class ProcessPipeline {
  constructor(
    private readonly events: DomainEvents,
    private readonly transitions: JobTransitionsService,
    private readonly starting: JobStartingService,
  ) {}

  /** Call it after any change of jobs, in the same transaction, with the pipeline locked. */
  async process(tx: Tx, pipeline: Pipeline): Promise<void> {
    await this.goOn(tx, pipeline, await PipelineJobs.read(tx, pipeline.id));
  }

  /** The same for whoever has read the jobs under the lock, and changed nothing since that is not in `jobs`. */
  async processKnown(tx: Tx, pipeline: Pipeline, jobs: PipelineJobs): Promise<void> {
    await this.goOn(tx, pipeline, jobs);
  }

  /** Call it once a pipeline has been made with these jobs, in the same transaction: they are all it has. */
  async begin(tx: Tx, pipeline: Pipeline, jobs: readonly Job[]): Promise<void> {
    await this.goOn(tx, pipeline, PipelineJobs.of(jobs), jobs);
  }

  private async goOn(tx: Tx, pipeline: Pipeline, jobs: PipelineJobs, known?: readonly Job[]): Promise<void> {
    if (jobs.all.length === 0) return;
    const isSettled = await this.advance(tx, jobs, known);
    // What a gate has refused may hold back, or set free, what comes after it.
    if (!isSettled) return this.process(tx, pipeline);
    await this.setStatus(tx, pipeline, jobs.status);
  }

  /** One step of each job that may take one; false when a job has not become what it was taken for. */
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
    return of('start').every(({ status }) => status === 'pending' || status === 'waiting_for_resource');
  }

  private async delay(tx: Tx, job: Job): Promise<void> {
    const [row] = await tx.query<{ seconds: number | null }[]>(START_IN, [job.id]);
    await this.starting.delay(tx, job, new Date(Date.now() + (row?.seconds ?? 0) * 1_000));
  }

  private async setStatus(tx: Tx, pipeline: Pipeline, status: CiStatus): Promise<void> {
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
    const asked = [pipeline.id, status, now, values.startedAt, values.finishedAt];
    await runDeferred(tx, SET_STATUS, asked);
    Object.assign(pipeline, values);
    await this.events.publish(tx, new PipelineStatusChanged(pipeline, from));
  }
}
