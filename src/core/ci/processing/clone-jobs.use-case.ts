import { Injectable } from '@nestjs/common';
import { In } from 'typeorm';
import type { Tx } from '#kernel/database/transactions.js';
import { DomainEvents } from '#kernel/events/domain-events.js';
import { SealedVariablesService } from '../jobs/definition/sealed-variables.service.js';
import { StoredJobDefinition } from '../jobs/definition/job-definition.entity.js';
import { Job } from '../jobs/job.entity.js';
import { PipelineProtectionsQueries } from '../pipelines/pipeline-protections.queries.js';
import { Pipeline } from '../pipelines/pipeline.entity.js';
import { JobsCreated } from './events/jobs-created.event.js';

/** What a new job has of the one whose place it takes. */
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

/** Puts new jobs in the place of others: a job that is done is never used again. */
@Injectable()
export class CloneJobs {
  constructor(
    private readonly events: DomainEvents,
    private readonly sealed: SealedVariablesService,
    private readonly protections: PipelineProtectionsQueries,
  ) {}

  /**
   * New jobs (`created`, in the order of the given ones) of the same definitions; the given ones are retried from here on. The pipeline is locked.
   * They are as protected as their ref is now; with a `userId` that person's right to run them has been judged by that. Without one nobody's
   * has, and nothing gets protected by failing.
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

  private definitionFor(job: Job, original: StoredJobDefinition): StoredJobDefinition {
    const played = this.sealed.openOfJob(original.jobId, original.playVariables);
    return {
      jobId: job.id,
      definition: original.definition,
      playVariables: this.sealed.sealForJob(job.id, played),
    };
  }
}

/** What made the failure of the former one count as none was its exit code. */
function copied(job: Job, stored: StoredJobDefinition | undefined): Partial<Job> {
  const kept = Object.fromEntries(KEPT.map((key) => [key, job[key]])) as Partial<Job>;
  const byExitCode = (stored?.definition.allowFailureExitCodes ?? null) !== null;
  return { ...kept, status: 'created', allowFailure: job.allowFailure && !byExitCode };
}
