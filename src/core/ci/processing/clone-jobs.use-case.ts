import { Injectable } from '@nestjs/common';
import { In } from 'typeorm';
import type { Tx } from '#kernel/database/transactions.js';
import { forbidden } from '#kernel/http/errors.js';
import { DomainEvents } from '#kernel/events/domain-events.js';
import { SealedVariablesService } from '../jobs/definition/sealed-variables.service.js';
import { StoredJobDefinition } from '../jobs/definition/job-definition.entity.js';
import { Job } from '../jobs/job.entity.js';
import { PipelineProtectionsQueries } from '../pipelines/pipeline-protections.queries.js';
import { Pipeline } from '../pipelines/pipeline.entity.js';
import { JobsCreated } from './events/jobs-created.event.js';

/** Columns that a new job copies from the job it replaces. */
const KEPT = [
  'projectId',
  'pipelineId',
  'kind',
  'name',
  'stage',
  'stageIndex',
  'when',
  'allowFailure',
  'needs',
  'interruptible',
  'resourceGroup',
  'userId',
  'ref',
  'tag',
  'tagList',
  'environment',
  'environmentAction',
  'artifactsPublic',
] as const satisfies readonly (keyof Job)[];

/** Limit of jobs of a pipeline that users have replaced: each retry adds a row. */
const MAX_RETRIED = 10_000;
const RETRIED = `select count(*)::int as count from (
    select from ci_jobs where pipeline_id = $1 and retried and kind <> 'status' limit ${MAX_RETRIED}) retried`;

/** Replaces jobs by new ones: a finished job is never reused. */
@Injectable()
export class CloneJobs {
  constructor(
    private readonly events: DomainEvents,
    private readonly sealed: SealedVariablesService,
    private readonly protections: PipelineProtectionsQueries,
  ) {}

  /**
   * Creates jobs (`created`, in the order of the given ones) from the same definitions, and marks the given
   * ones as retried. The pipeline must be locked. If `userId` is given, that user's right to run them has
   * been checked against the present protection of the ref. Otherwise no right has been checked, so an
   * unprotected job does not become protected by a retry.
   */
  async run(tx: Tx, jobs: readonly Job[], values: Partial<Pick<Job, 'attempt' | 'userId'>>): Promise<Job[]> {
    const [first] = jobs;
    if (!first) return [];
    const ids = jobs.map(({ id }) => id);
    const stored = await tx.findBy(StoredJobDefinition, { jobId: In(ids) });
    const byId = new Map(stored.map((one) => [one.jobId, one]));
    const pipeline = await tx.findOneByOrFail(Pipeline, { id: first.pipelineId });
    const isProtected = await this.protections.isProtected(pipeline);
    const made = jobs.map((job) =>
      Object.assign(new Job(), copied(job, byId.get(job.id)), values, {
        protected: isProtected && (job.protected || values.userId !== undefined),
      }),
    );
    await tx.createQueryBuilder().insert().into(Job).values(made).execute();
    const definitions = made.flatMap((job, at) => {
      const original = byId.get((jobs[at] as Job).id);
      return original ? [this.definitionFor(job, original)] : [];
    });
    if (definitions.length > 0) await tx.insert(StoredJobDefinition, definitions);
    await tx.update(Job, { id: In(ids) }, { retried: true });
    for (const job of jobs) job.retried = true;
    const defined = definitions.map(({ jobId, definition }) => ({
      job: made.find(({ id }) => id === jobId) as Job,
      environment: definition.environment,
    }));
    await this.events.publish(tx, new JobsCreated(pipeline, defined));
    return made;
  }

  /** Does so for a user who retries jobs. @throws 403 if too many jobs of the pipeline have been retried */
  async runFor(tx: Tx, userId: number, jobs: readonly Job[]): Promise<Job[]> {
    const [first] = jobs;
    if (!first) return [];
    const [row] = await tx.query<{ count: number }[]>(RETRIED, [first.pipelineId]);
    if ((row?.count ?? 0) + jobs.length > MAX_RETRIED)
      throw forbidden(`Pipeline has too many retried jobs! The limit is ${MAX_RETRIED}.`);
    return this.run(tx, jobs, { userId, attempt: 0 });
  }

  private definitionFor(job: Job, original: StoredJobDefinition): StoredJobDefinition {
    const played = this.sealed.openOfJob(original.jobId, original.playVariables);
    return {
      jobId: job.id,
      definition: original.definition,
      playVariables: this.sealed.sealForJob(job.id, played),
    };
  }
}

/** An allowed failure by exit code applied only to the replaced job. */
function copied(job: Job, stored: StoredJobDefinition | undefined): Partial<Job> {
  const kept = Object.fromEntries(KEPT.map((key) => [key, job[key]])) as Partial<Job>;
  const byExitCode = (stored?.definition.allowFailureExitCodes ?? null) !== null;
  return { ...kept, status: 'created', allowFailure: job.allowFailure && !byExitCode };
}
