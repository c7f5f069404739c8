import { Injectable } from '@nestjs/common';
import type { Caller, ProjectSubject } from '#kernel/access/caller.js';
import { runWithNext } from '#kernel/database/prepared.js';
import { Transactions, type Tx } from '#kernel/database/transactions.js';
import { BadRequest, Forbidden, NotFound } from '#kernel/http/errors.js';
import type { UnmodifiedCheck } from '#kernel/http/unmodified-since.js';
import { Jobs } from '#kernel/queue/jobs.js';
import { freezeOverride } from '#core/ci/jobs/freeze-override.params.js';
import { rightsOf } from '#core/ci/jobs/job-access.js';
import { DeploymentChecks } from '#core/environments/deployment-checks.js';
import { guessTier } from '#core/environments/environment-tier.js';
import { Environment } from '#core/environments/environment.entity.js';
import { EnvironmentsService } from '#core/environments/environments.service.js';
import { EnvironmentProtections } from '#core/environments/protection/environment-protections.js';
import { InternalIds, nextIidSql } from '#core/iids/internal-ids.js';
import { Deployment } from './deployment.entity.js';
import { transition, type StatusEffects } from './deployment-state.js';
import { DeploymentRefs } from './deployment-refs.js';
import { DeploymentTargets } from './deployment-target.js';
import { LinkMergeRequests } from './merge-requests/link-merge-requests.job.js';
import type { CreateDeployment, UpdateDeployment } from './deployments.params.js';

/** `ci.md` 1.5 */
const BY_JOB = 'Deployments created using GitLab CI can not be updated using the API';

/** The database's clock while the environment is locked: times then rise in the order of the changes. */
const clock = (): string => 'clock_timestamp()';

const finishedAt = (effects: StatusEffects): (() => string) =>
  effects.finishedAt === 'now' ? clock : () => 'null';

/** With its number: whoever deploys to another environment of the project waits for the number no longer than this statement and the commit take. */
const INSERT = `with number as (${nextIidSql('$1', `'deployments'`)})
  insert into deployments (project_id, environment_id, iid, user_id, ref, sha, tag, status, finished_at, created_at, updated_at)
  select $1, $2, number.last_value, $3, $4, $5, $6, $7, case when $8::boolean then clock_timestamp() end, clock_timestamp(), clock_timestamp()
  from number returning id, iid`;

const LAST_SUCCESS = `select id, ref, sha, tag from deployments where environment_id = $1 and status = 'success'
  order by finished_at desc, iid desc limit 1`;

interface DeployedRow {
  readonly id: number;
  readonly ref: string;
  readonly sha: string;
  readonly tag: boolean;
}

/** Deployments of a project. Every change holds the lock of the environment, so that its last deployment is certain. */
@Injectable()
export class DeploymentsService {
  constructor(
    private readonly transactions: Transactions,
    private readonly environments: EnvironmentsService,
    private readonly protections: EnvironmentProtections,
    private readonly checks: DeploymentChecks,
    private readonly iids: InternalIds,
    private readonly targets: DeploymentTargets,
    private readonly refs: DeploymentRefs,
    private readonly jobs: Jobs,
  ) {}

  /**
   * Creates a deployment and returns its id; one that repeats the environment's last success is that one.
   * @throws 400 for a commit, a ref or a name of an environment that cannot be, 403 for whoever may not deploy
   */
  async create(project: ProjectSubject, caller: Caller, params: CreateDeployment): Promise<number> {
    const { tag, status } = params;
    const { target, isStored } = await this.targets
      .find(project.id, params)
      .catch(async (problem: unknown) => {
        // Whoever may not deploy learns nothing of the repository: their rights come first.
        await this.assertMayDeploy(project.id, params.environment, caller);
        throw problem;
      });
    return this.transactions.run(async (tx) => {
      const environment = await this.environments.lockOrCreate(
        tx,
        project.id,
        params.environment,
        'environment',
      );
      const lastSuccess =
        status === 'success' ? await runWithNext<DeployedRow>(tx, LAST_SUCCESS, [environment.id]) : null;
      await this.protections.assertMayDeploy(tx, environment, rightsOf(caller));
      await this.checks.run(tx, {
        project,
        environment,
        status,
        caller,
        overridesFreeze: freezeOverride(params),
      });
      const [last] = (await lastSuccess?.()) ?? [];
      if (last?.ref === target.ref && last.sha === target.sha && last.tag === tag) return last.id;
      const effects = transition(null, status);
      const [created] = await tx.query<{ id: number; iid: number }[]>(INSERT, [
        project.id,
        environment.id,
        caller.actor?.id ?? null,
        target.ref,
        target.sha,
        tag,
        status,
        effects?.finishedAt === 'now',
      ]);
      if (!created) throw new Error('A new deployment has an id');
      const { id, iid } = created;
      if (effects) await this.enter(tx, environment, id, effects);
      if (isStored) await this.refs.refresh(tx, project.id, environment.slug, iid);
      return id;
    });
  }

  /** The right to deploy to the environment of a name, as it would be made if there is none. @throws 403 */
  private assertMayDeploy(projectId: number, name: string, caller: Caller): Promise<void> {
    return this.transactions.run(async (tx) => {
      const found = await tx.findOneBy(Environment, { projectId, name });
      const place = found ?? { projectId, name, tier: guessTier(name) };
      await this.protections.assertMayDeploy(tx, place, rightsOf(caller));
    });
  }

  /** Sets the status; setting the present one changes nothing. @throws 403 for one that a job has made, 404 */
  update(project: ProjectSubject, caller: Caller, params: UpdateDeployment): Promise<void> {
    const { deployment_id: id, status } = params;
    return this.transactions.run(async (tx) => {
      const { deployment, environment } = await this.lock(tx, project.id, id);
      await this.protections.assertMayDeploy(tx, environment, rightsOf(caller));
      if (deployment.jobId !== null) throw Forbidden(BY_JOB);
      const effects = transition(deployment.status, status);
      if (!effects) return;
      await this.checks.run(tx, {
        project,
        environment,
        status,
        caller,
        overridesFreeze: freezeOverride(params),
      });
      await tx.update(Deployment, { id }, { status, finishedAt: finishedAt(effects), updatedAt: clock });
      await this.enter(tx, environment, id, effects);
    });
  }

  /**
   * Removes a deployment.
   * @throws 400 while it runs or is what its environment runs, 403 for whoever may not deploy, 404, 412
   */
  remove(project: ProjectSubject, caller: Caller, id: number, unmodified: UnmodifiedCheck): Promise<void> {
    return this.transactions.run(async (tx) => {
      const { deployment, environment } = await this.lock(tx, project.id, id);
      await this.protections.assertMayDeploy(tx, environment, rightsOf(caller));
      unmodified(deployment.updatedAt);
      if (deployment.status === 'running') throw BadRequest('400 Cannot destroy running deployment');
      const last = deployment.status === 'success' ? await this.lastSuccess(tx, environment.id) : undefined;
      if (last?.id === id) throw BadRequest('400 Deployment currently deployed to environment');
      await tx.delete(Deployment, { id });
      await this.iids.removed(tx, project.id, 'deployments', 1);
      await this.refs.refresh(tx, project.id, environment.slug, deployment.iid);
    });
  }

  /** Locks the environment, then the deployment: everybody takes them in this order. */
  private async lock(
    tx: Tx,
    projectId: number,
    id: number,
  ): Promise<{ deployment: Deployment; environment: Environment }> {
    const found = await tx.findOneBy(Deployment, { id, projectId });
    if (!found) throw NotFound('Deployment');
    const environment = await this.environments.lock(tx, projectId, found.environmentId);
    const deployment = await tx.findOne(Deployment, { where: { id }, lock: { mode: 'pessimistic_write' } });
    if (!deployment) throw NotFound('Deployment');
    return { deployment, environment };
  }

  /** What the environment runs: the success with the greatest finishing time. */
  private async lastSuccess(tx: Tx, environmentId: number): Promise<DeployedRow | undefined> {
    return (await tx.query<DeployedRow[]>(LAST_SUCCESS, [environmentId]))[0];
  }

  private async enter(
    tx: Tx,
    environment: Environment,
    deploymentId: number,
    effects: StatusEffects,
  ): Promise<void> {
    if (!effects.restartsEnvironment) return;
    if (environment.state !== 'available') await this.environments.restart(tx, environment);
    await this.jobs.enqueue(tx, LinkMergeRequests, { deploymentId });
  }
}
