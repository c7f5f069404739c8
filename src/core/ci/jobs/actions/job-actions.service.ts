import { Injectable } from '@nestjs/common';
import { Role } from '#kernel/access/roles.js';
import { Transactions, type Tx } from '#kernel/database/transactions.js';
import { badRequest, forbidden, notFound } from '#kernel/http/errors.js';
import type { RightsOf } from '#core/repositories/protection/protections.queries.js';
import { SealedVariablesService } from '../definition/sealed-variables.service.js';
import { PipelinesService } from '../../pipelines/pipelines.service.js';
import { PipelineProtectionsQueries } from '../../pipelines/pipeline-protections.queries.js';
import type { Pipeline } from '../../pipelines/pipeline.entity.js';
import { CloneJobs } from '../../processing/clone-jobs.use-case.js';
import { JobStartingService } from '../../processing/job-starting.service.js';
import { JobTransitionsService } from '../../processing/job-transitions.service.js';
import { ProcessPipeline } from '../../processing/process-pipeline.use-case.js';
import { SkippedJobsService } from '../../processing/steps/skipped-jobs.service.js';
import type { JobFreezeOverride } from '../freeze-override.params.js';
import type { CiVariable } from '../definition/job-definition.js';
import { StoredJobDefinition } from '../definition/job-definition.entity.js';
import type { Job } from '../job.entity.js';
import { JobRefPolicy } from './job-ref.policy.js';
import { isFinished } from '../job-status.js';

/**
 * User actions on single jobs (`ci.md` 5.2). Each returns the id of the job to present; the routes have
 * checked the role.
 */
@Injectable()
export class JobActionsService {
  constructor(
    private readonly transactions: Transactions,
    private readonly pipelines: PipelinesService,
    private readonly rights: JobRefPolicy,
    private readonly protections: PipelineProtectionsQueries,
    private readonly transitions: JobTransitionsService,
    private readonly processing: ProcessPipeline,
    private readonly starting: JobStartingService,
    private readonly cloning: CloneJobs,
    private readonly skipped: SkippedJobsService,
    private readonly sealed: SealedVariablesService,
  ) {}

  /**
   * Starts a manual or delayed job; if it was played and has finished, runs it again. @throws 400, 403, 404
   */
  play(
    projectId: number,
    jobId: number,
    by: RightsOf,
    variables: readonly CiVariable[] = [],
    override: JobFreezeOverride | null = null,
  ): Promise<number> {
    return this.transactions.run(async (tx) => {
      const { pipeline, job } = await this.lock(tx, projectId, jobId, by);
      const again = (job.when === 'manual' || job.when === 'delayed') && isRetryable(job);
      if (!again && !isPlayable(job)) throw badRequest('400 Bad request - Unplayable Job');
      if (variables.length > 0) await this.assertMayGiveVariables(tx, projectId, by);
      if (again) return this.runAgain(tx, pipeline, job, by, variables, override);
      const wasFrozen = job.waitingReason !== null;
      await this.giveVariables(tx, job, variables);
      await this.playWithin(tx, pipeline, job, by.userId, override);
      assertMayDeploy(job);
      if (wasFrozen && job.waitingReason !== null) throw forbidden(job.waitingReason);
      if (isPlayable(job) && job.waitingReason === null) throw badRequest('400 Bad request - Unplayable Job');
      return job.id;
    });
  }

  /**
   * Plays a job in a transaction that locked its pipeline and read the job afterwards. A job that a gate
   * holds stays manual or is delayed. Jobs skipped because of it are revived.
   */
  async playWithin(
    tx: Tx,
    pipeline: Pipeline,
    job: Job,
    userId: number,
    override: JobFreezeOverride | null = null,
  ): Promise<void> {
    const isProtected = await this.protections.isProtected(pipeline);
    await this.starting.start(tx, job, { userId, protected: isProtected }, override);
    if (!isPlayable(job) || job.waitingReason !== null) await this.skipped.reviveAfter(tx, job, userId);
    await this.processing.process(tx, pipeline);
  }

  /** Runs a finished job again, as a new job. @throws 403, 404 */
  retry(projectId: number, jobId: number, by: RightsOf): Promise<number> {
    return this.transactions.run(async (tx) => {
      const { pipeline, job } = await this.lock(tx, projectId, jobId, by);
      if (!isRetryable(job)) throw forbidden('Job is not retryable');
      return this.runAgain(tx, pipeline, job, by);
    });
  }

  /** Cancels a job, whether or not it has started; finished jobs stay unchanged. @throws 403, 404 */
  cancel(projectId: number, jobId: number, by: RightsOf): Promise<number> {
    return this.transactions.run(async (tx) => {
      const { pipeline, job } = await this.lock(tx, projectId, jobId, by);
      if (isFinished(job.status)) return job.id;
      await this.transitions.move(tx, job, 'canceled');
      await this.processing.process(tx, pipeline);
      return job.id;
    });
  }

  private async runAgain(
    tx: Tx,
    pipeline: Pipeline,
    job: Job,
    { userId }: RightsOf,
    variables: readonly CiVariable[] = [],
    override: JobFreezeOverride | null = null,
  ): Promise<number> {
    // Jobs imported from another instance have no definition, so they cannot run.
    if (!(await tx.existsBy(StoredJobDefinition, { jobId: job.id }))) throw forbidden('Job is not retryable');
    const [fresh] = (await this.cloning.runFor(tx, userId, [job])) as [Job];
    await this.giveVariables(tx, fresh, variables);
    await this.starting.start(tx, fresh, {}, override);
    assertMayDeploy(fresh);
    await this.skipped.reviveAfter(tx, fresh, userId);
    await this.processing.process(tx, pipeline);
    return fresh.id;
  }

  private async giveVariables(tx: Tx, job: Job, variables: readonly CiVariable[]): Promise<void> {
    if (variables.length === 0) return;
    const playVariables = this.sealed.sealForJob(job.id, variables);
    await tx.update(StoredJobDefinition, { jobId: job.id }, { playVariables });
  }

  private async assertMayGiveVariables(tx: Tx, projectId: number, { role }: RightsOf): Promise<void> {
    if (role >= Role.Maintainer) return;
    const [project] = await tx.query<{ restricted: boolean }[]>(
      `select settings -> 'restrict_user_defined_variables' = 'true' as restricted from projects where id = $1`,
      [projectId],
    );
    if (project?.restricted) throw forbidden();
  }

  private async lock(
    tx: Tx,
    projectId: number,
    jobId: number,
    by: RightsOf,
  ): Promise<{ pipeline: Pipeline; job: Job }> {
    const found = await this.pipelines.lockJob(tx, projectId, jobId);
    // Commit statuses reported from outside cannot be run or canceled here.
    if (found.job.kind === 'status') throw notFound('Job');
    await this.rights.assertMayRun(found.pipeline, by);
    return found;
  }
}

/**
 * A user who may not deploy to the environment must neither run the job nor leave it failed by trying: the
 * exception rolls everything back. @throws 403
 */
function assertMayDeploy({ status, failureReason }: Job): void {
  if (status === 'failed' && failureReason === 'protected_environment_failure') throw forbidden();
}

const isPlayable = ({ status, kind }: Job): boolean =>
  kind !== 'status' && (status === 'manual' || status === 'scheduled');

/**
 * Returns whether a job may be replaced by a new one: it ran or was canceled, and its deployment was not
 * rejected.
 */
export const isRetryable = ({ kind, status, retried, failureReason }: Job): boolean =>
  kind !== 'status' &&
  !retried &&
  (status === 'success' || status === 'failed' || status === 'canceled') &&
  failureReason !== 'deployment_rejected';
