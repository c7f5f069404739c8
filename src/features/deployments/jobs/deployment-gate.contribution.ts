import { Injectable, type OnModuleInit } from '@nestjs/common';
import type { Tx } from '#kernel/database/transactions.js';
import { StoredJobDefinition } from '#core/ci/jobs/definition/job-definition.entity.js';
import type { Job } from '#core/ci/jobs/job.entity.js';
import { Pipeline } from '#core/ci/pipelines/pipeline.entity.js';
import { JobGatesRegistry, type GateVerdict } from '#core/ci/processing/job-gates.registry.js';
import { environmentNameProblem } from '#core/environments/naming/environment-name.js';
import { guessTier, type EnvironmentTier } from '#core/environments/naming/environment-tier.js';
import { Environment } from '#core/environments/environment.entity.js';
import { EnvironmentProtectionsPolicy } from '#core/environments/protection/environment-protections.policy.js';
import { ApprovalsService } from '../approvals/approvals.service.js';
import type { Deployment } from '../deployment.entity.js';
import { FORWARD_ONLY } from './forward-only.sql.js';
import { JobDeploymentsService } from './job-deployments.service.js';

const NEWER_IS_DEPLOYED = `select 1 from projects p where p.id = $1 and ${FORWARD_ONLY} and exists (
  select 1 from deployments where environment_id = $2 and status = 'success' and iid > $3)`;

const SAID_TIER = `select definition -> 'environment' ->> 'deploymentTier' as tier from ci_job_definitions where job_id = $1`;

/** Gate for jobs: protected environments, missing approvals, newer deployments. */
@Injectable()
export class DeploymentGateContribution implements OnModuleInit {
  constructor(
    private readonly gates: JobGatesRegistry,
    private readonly protections: EnvironmentProtectionsPolicy,
    private readonly deployments: JobDeploymentsService,
    private readonly approvals: ApprovalsService,
  ) {}

  onModuleInit(): void {
    this.gates.register((tx, job) => this.judge(tx, job));
  }

  private async judge(tx: Tx, job: Job): Promise<GateVerdict> {
    const { environment: name, projectId } = job;
    if (name === null || job.kind === 'status') return 'pass';
    if (environmentNameProblem(name) !== null) return { fail: 'environment_creation_failure' };
    const deployment = job.environmentAction === 'start' ? await this.ensure(tx, job) : null;
    const environment = await tx.findOneBy(Environment, { projectId, name });
    const present = environment?.tier ?? guessTier(name);
    // The tier that the job will set applies to the protection, not the tier of the environment until then.
    const said = deployment ? await this.tierOf(tx, job) : null;
    for (const tier of new Set([present, said ?? present]))
      if (!(await this.protections.mayJobDeploy(tx, { projectId, name, tier }, job.userId)))
        return { fail: 'protected_environment_failure' };
    if (!deployment) return 'pass';
    const newer = await tx.query<unknown[]>(NEWER_IS_DEPLOYED, [
      projectId,
      deployment.environmentId,
      deployment.iid,
    ]);
    if (newer.length > 0) return { fail: 'forward_deployment_failure' };
    return (await this.approvals.mayGoOn(tx, deployment)) ? 'pass' : 'hold';
  }

  private async tierOf(tx: Tx, { id }: Job): Promise<EnvironmentTier | null> {
    const [row] = await tx.query<{ tier: EnvironmentTier | null }[]>(SAID_TIER, [id]);
    return row?.tier ?? null;
  }

  /** Recreates the deployment if the environment was removed since the job was created. */
  private async ensure(tx: Tx, job: Job): Promise<Deployment | null> {
    const found = await this.deployments.lock(tx, job);
    if (found) return found;
    const stored = await tx.findOneBy(StoredJobDefinition, { jobId: job.id });
    const pipeline = await tx.findOneBy(Pipeline, { id: job.pipelineId });
    if (!stored || !pipeline) return null;
    await this.deployments.create(tx, pipeline, [{ job, environment: stored.definition.environment }]);
    return this.deployments.lock(tx, job);
  }
}
