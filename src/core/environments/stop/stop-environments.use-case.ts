import { Injectable } from '@nestjs/common';
import { Transactions, type Tx } from '#kernel/database/transactions.js';
import { JobActionsService } from '#core/ci/jobs/actions/job-actions.service.js';
import { isFinished } from '#core/ci/jobs/job-status.js';
import { PipelinesService } from '#core/ci/pipelines/pipelines.service.js';
import type { RightsOf } from '#core/repositories/protection/protections.queries.js';
import type { Environment } from '../environment.entity.js';
import { EnvironmentsService } from '../environments.service.js';
import { EnvironmentProtectionsPolicy } from '../protection/environment-protections.policy.js';
import { DUE } from './stop-due-environments.job.js';
import { StopJobsQueries, type StopJob } from './stop-jobs.queries.js';

/**
 * Jobs that are about to stop an environment: of one pipeline, or (null) of any. Those of other pipelines that
 * are only created may wait for a user.
 */
export const STOPPING = `select 1 from ci_jobs where project_id = $1 and environment = $2 and environment_action = 'stop' and not retried
  and (($3::bigint is null and status <> 'created') or pipeline_id = $3) and status in ('created', 'waiting_for_resource', 'preparing', 'pending', 'running', 'scheduled') limit 1`;

/** How an environment is stopped. */
export type StopManner = 'by jobs' | 'force' | 'when due';

const IS_DUE = `select 1 from environments where id = $1 and ${DUE}`;

/** Returns whether an environment, which is locked, is to be stopped automatically now: by the database's clock. */
export const isDue = async (tx: Tx, { id }: Environment): Promise<boolean> =>
  (await tx.query<unknown[]>(IS_DUE, [id])).length > 0;

/** Stops environments by stop jobs, if the last deployment has any. */
@Injectable()
export class StopEnvironments {
  constructor(
    private readonly transactions: Transactions,
    private readonly environments: EnvironmentsService,
    private readonly protections: EnvironmentProtectionsPolicy,
    private readonly jobs: StopJobsQueries,
    private readonly pipelines: PipelinesService,
    private readonly actions: JobActionsService,
  ) {}

  /**
   * Plays the stop jobs of an environment, which is `stopping` until they finish; without any (or by `force`)
   * it stops at once. `when due`: only if it is still available, and its time has come.
   * @throws 400 and 403 if the user cannot play a job, 403 if the user may not deploy, 404
   */
  async run(projectId: number, id: number, by: RightsOf, how: StopManner): Promise<void> {
    const environment = await this.transactions.run(async (tx) => {
      const found = await this.environments.lock(tx, projectId, id);
      if (how === 'when due' && !(await isDue(tx, found))) return null;
      await this.protections.assertMayDeploy(tx, found, by);
      return found;
    });
    if (environment === null || environment.state === 'stopped') return;
    await this.transactions.together(async (tx) => {
      const jobs = how === 'force' ? [] : await this.lockJobs(tx, projectId, id);
      // All or none: jobs that stop a part of the environment must not be left alone.
      for (const job of jobs) if (isAtRest(job)) await this.actions.play(projectId, job.id, by);
      const found = await this.environments.lock(tx, projectId, id);
      if (jobs.length === 0) await this.environments.stop(tx, found);
      else await this.await(tx, found);
    });
  }

  /** Locks the pipeline of the stop jobs, so that another call, or a user, does not play them in the meantime. */
  private async lockJobs(tx: Tx, projectId: number, id: number): Promise<StopJob[]> {
    const [job] = await this.jobs.of(projectId, id);
    if (!job) return [];
    await this.pipelines.lockOfJob(tx, job.id, projectId);
    return this.jobs.of(projectId, id);
  }

  /** The jobs may have finished by now: then their result counts. */
  private async await(tx: Tx, environment: Environment): Promise<void> {
    const active = await tx.query<unknown[]>(STOPPING, [environment.projectId, environment.name, null]);
    if (environment.state !== 'available' || active.length === 0) return;
    environment.state = 'stopping';
    environment.autoStopAt = null;
    await tx.save(environment);
  }
}

/** Whether the job has not started or has finished, so that it can be played. */
const isAtRest = ({ status }: StopJob): boolean => status === 'manual' || isFinished(status);
