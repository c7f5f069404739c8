import { Injectable } from '@nestjs/common';
import type { Tx } from '#kernel/database/transactions.js';
import type { Job } from '#core/ci/jobs/job.entity.js';
import type { Pipeline } from '#core/ci/pipelines/pipeline.entity.js';
import type { DefinedJob } from '#core/ci/processing/events/jobs-created.event.js';
import { environmentNameProblem } from '#core/environments/naming/environment-name.js';
import { guessTier } from '#core/environments/naming/environment-tier.js';
import type { Environment } from '#core/environments/environment.entity.js';
import { EnvironmentsService, type EnvironmentValues } from '#core/environments/environments.service.js';
import { EnvironmentProtectionsPolicy } from '#core/environments/protection/environment-protections.policy.js';
import { InternalIdsService } from '#core/iids/internal-ids.service.js';
import { Deployment } from '../deployment.entity.js';

/** Creates the environments and deployments of jobs. */
@Injectable()
export class JobDeploymentsService {
  constructor(
    private readonly environments: EnvironmentsService,
    private readonly protections: EnvironmentProtectionsPolicy,
    private readonly iids: InternalIdsService,
  ) {}

  /**
   * Creates what is missing: environments of all jobs except stop jobs, and a deployment for each deploying
   * job. Invalid names are skipped: the job fails when it starts. The pipeline must be locked.
   */
  async create(tx: Tx, { sha }: Pick<Pipeline, 'sha'>, jobs: readonly DefinedJob[]): Promise<void> {
    const wanted = jobs.filter(({ job }) => needsEnvironment(job));
    const environments = await this.lockEnvironments(tx, wanted);
    for (const { job, environment: named } of wanted) {
      const environment = environments.get(job.environment ?? '');
      if (!environment || job.environmentAction !== 'start') continue;
      await tx.insert(Deployment, {
        projectId: job.projectId,
        environmentId: environment.id,
        iid: await this.iids.next(tx, job.projectId, 'deployments'),
        userId: job.userId,
        jobId: job.id,
        ref: job.ref,
        tag: job.tag,
        sha,
        status: 'created',
        onStop: named?.onStop ?? null,
      });
    }
  }

  /** Locks the deployment of a job, after its environment; null if there is none. */
  async lock(tx: Tx, job: Pick<Job, 'id'>): Promise<Deployment | null> {
    const where = { jobId: job.id };
    const known = await tx.findOne(Deployment, { where, order: { id: 'desc' } });
    if (!known || !(await this.environments.lockOrNull(tx, known.projectId, known.environmentId)))
      return null;
    return tx.findOne(Deployment, { where: { id: known.id }, lock: { mode: 'pessimistic_write' } });
  }

  /** Locks all environments before taking any number, in the order of names, to avoid deadlocks. */
  private async lockEnvironments(
    tx: Tx,
    jobs: readonly DefinedJob[],
  ): Promise<ReadonlyMap<string, Environment>> {
    const named = new Map(jobs.map((one) => [one.job.environment ?? '', one]));
    const projectId = jobs[0]?.job.projectId ?? 0;
    const found = new Map<string, Environment>();
    for (const [name, { job, environment }] of [...named].sort(([a], [b]) => (a < b ? -1 : 1))) {
      const planned = { projectId, name, tier: guessTier(name) };
      const said = environment?.deploymentTier ?? null;
      const valuesOf = async (): Promise<EnvironmentValues> => ({
        tier: await this.protections.tierByJob(tx, planned, said, job.userId),
      });
      found.set(name, await this.environments.lockOrCreate(tx, projectId, name, 'environment', valuesOf));
    }
    return found;
  }
}

const needsEnvironment = ({ kind, environment, environmentAction }: Job): boolean =>
  kind !== 'status' &&
  environment !== null &&
  environmentAction !== 'stop' &&
  environmentNameProblem(environment) === null;
