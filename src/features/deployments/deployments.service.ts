import { Injectable } from '@nestjs/common';
import type { Caller, ProjectSubject } from '#kernel/access/caller.js';
import { Tier } from '#kernel/access/roles.js';
import { Transactions, type Tx } from '#kernel/database/transactions.js';
import { badRequest, forbidden, notFound } from '#kernel/http/errors.js';
import type { UnmodifiedCheck } from '#kernel/http/answers/unmodified-since.js';
import { Jobs } from '#kernel/queue/jobs.js';
import { freezeOverride } from '#core/ci/jobs/freeze-override.params.js';
import { rightsOf } from '#core/ci/jobs/job-access.js';
import { DeploymentCheckPort } from '#core/environments/deployments/deployment-check.port.js';
import { guessTier } from '#core/environments/naming/environment-tier.js';
import { Environment } from '#core/environments/environment.entity.js';
import { EnvironmentsService } from '#core/environments/environments.service.js';
import { EnvironmentProtectionsPolicy } from '#core/environments/protection/environment-protections.policy.js';
import { InternalIdsService } from '#core/iids/internal-ids.service.js';
import { Deployment } from './deployment.entity.js';
import { transition, type StatusEffects } from './deployment-state.js';
import { DeploymentRefsContribution } from './refs/deployment-refs.contribution.js';
import { DeploymentTargetFinder, type FoundTarget } from './deployment-target.finder.js';
import {
  insertDeployment,
  lastSuccessId,
  lockDeployment,
  environmentStateOf,
  setDeploymentStatus,
  type EnvironmentState,
  type LockedDeployment,
  type WrittenDeployment,
  type WrittenLater,
} from './deployment-writes.js';
import type { DeploymentRow } from './deployment.record.js';
import type { CreateDeploymentParams, UpdateDeploymentParams } from './deployments.params.js';

/** Text of `ci.md` 1.5. */
const BY_JOB = 'Deployments created using GitLab CI can not be updated using the API';

/** Thrown if the project has a repository by now. */
class GuessedWrong extends Error {}

function orNull(problem: unknown): null {
  if (problem instanceof GuessedWrong) return null;
  throw problem;
}

/**
 * Manages the deployments of a project. Every change holds the lock of the environment, so that its last
 * deployment is certain.
 */
@Injectable()
export class DeploymentsService {
  /** Number of requests of this process that are creating deployments. */
  private creating = 0;

  constructor(
    private readonly transactions: Transactions,
    private readonly environments: EnvironmentsService,
    private readonly protections: EnvironmentProtectionsPolicy,
    private readonly check: DeploymentCheckPort,
    private readonly iids: InternalIdsService,
    private readonly targets: DeploymentTargetFinder,
    private readonly refs: DeploymentRefsContribution,
    private readonly jobs: Jobs,
  ) {}

  /**
   * Creates a deployment and returns its response; a repetition of the environment's last success returns
   * that instead.
   * @throws 400 if the commit, ref or environment name is invalid, 403 if the caller may not deploy
   */
  async create(
    project: ProjectSubject,
    caller: Caller,
    params: CreateDeploymentParams,
  ): Promise<DeploymentRow | number> {
    this.creating += 1;
    try {
      const guess = this.targets.guess(project.id, params);
      const made = guess && (await this.createAt(project, caller, params, guess).catch(orNull));
      if (made) return made;
      const found = await this.targets.find(project.id, params).catch(async (problem: unknown) => {
        // Check the right to deploy first, so that the error reveals nothing about the repository.
        await this.assertMayDeploy(project.id, params.environment, caller);
        throw problem;
      });
      return await this.createAt(project, caller, params, found);
    } finally {
      this.creating -= 1;
    }
  }

  /**
   * Creates the deployment. @throws GuessedWrong if the target is a guess and there is a repository by now
   */
  private async createAt(
    project: ProjectSubject,
    caller: Caller,
    params: CreateDeploymentParams,
    { target, isStored, isGuess }: FoundTarget,
  ): Promise<DeploymentRow | number> {
    const { tag, status } = params;
    const made = await this.transactions.run(async (tx) => {
      const { environment, state } = await this.lockEnvironment(tx, project.id, params, caller);
      if (isGuess && state.hasRepository) throw new GuessedWrong();
      const isLast = state.ref === target.ref && state.sha === target.sha && state.tag === tag;
      if (state.id !== null && isLast) return state.id;
      await this.check.assertAllowed(tx, {
        project,
        environment,
        status,
        caller,
        overridesFreeze: freezeOverride(params),
      });
      const effects = transition(null, status);
      await this.prepare(tx, environment, effects);
      const written = await insertDeployment(tx, {
        projectId: project.id,
        environmentId: environment.id,
        userId: caller.actor?.id ?? null,
        ...{ ...target, tag, status, effects },
        keptUnder: isStored ? environment.slug : null,
        isCrowded: this.creating > 1,
      });
      return this.announced(tx, written);
    });
    return typeof made === 'number' ? made : shown(await made(), caller);
  }

  /**
   * Locks the environment with a name, or creates it. @throws 400 if the name is invalid, 403 if the caller
   * may not deploy
   */
  private async lockEnvironment(
    tx: Tx,
    projectId: number,
    { environment: name, status }: CreateDeploymentParams,
    caller: Caller,
  ): Promise<{ environment: Environment; state: EnvironmentState }> {
    const locked = await this.environments.lockWithNext(tx, 'name', projectId, name);
    const seen = await environmentStateOf(tx, projectId, name, status === 'success');
    const found = await locked();
    const environment = found ?? (await this.environments.lockOrCreate(tx, projectId, name, 'environment'));
    // It may have been created and deployed to concurrently.
    const state = found ? seen : await environmentStateOf(tx, projectId, name, status === 'success');
    if (!state) throw new Error('An environment that is locked is there');
    if (state.isProtected) await this.protections.assertNamed(tx, environment, rightsOf(caller));
    return { environment, state };
  }

  /** Asserts the right to deploy to the environment with a name, which may be new. @throws 403 */
  private assertMayDeploy(projectId: number, name: string, caller: Caller): Promise<void> {
    return this.transactions.run(async (tx) => {
      const found = await tx.findOneBy(Environment, { projectId, name });
      const environment = found ?? { projectId, name, tier: guessTier(name) };
      await this.protections.assertMayDeploy(tx, environment, rightsOf(caller));
    });
  }

  /**
   * Sets the status, and returns the response; null if it already has that status. @throws 403 if the
   * deployment belongs to a job, 404
   */
  async update(
    project: ProjectSubject,
    caller: Caller,
    params: UpdateDeploymentParams,
  ): Promise<DeploymentRow | null> {
    const { deployment_id: id, status } = params;
    const written = await this.transactions.run(async (tx) => {
      const { deployment, environment } = await this.lock(tx, project.id, id, caller);
      if (deployment.jobId !== null) throw forbidden(BY_JOB);
      const effects = transition(deployment.status, status);
      if (!effects) return null;
      await this.check.assertAllowed(tx, {
        project,
        environment,
        status,
        caller,
        overridesFreeze: freezeOverride(params),
      });
      await this.prepare(tx, environment, effects);
      return this.announced(tx, await setDeploymentStatus(tx, id, status, effects));
    });
    return written && shown(await written(), caller);
  }

  /**
   * Removes a deployment.
   * @throws 400 if it is running or is what its environment runs, 403 if the caller may not deploy, 404, 412
   */
  remove(project: ProjectSubject, caller: Caller, id: number, unmodified: UnmodifiedCheck): Promise<void> {
    return this.transactions.run(async (tx) => {
      const { deployment, environment } = await this.lock(tx, project.id, id, caller);
      unmodified(deployment.updatedAt);
      if (deployment.status === 'running') throw badRequest('400 Cannot destroy running deployment');
      const last = deployment.status === 'success' ? await lastSuccessId(tx, environment.id) : undefined;
      if (last === id) throw badRequest('400 Deployment currently deployed to environment');
      await tx.delete(Deployment, { id });
      await this.iids.removed(tx, project.id, 'deployments', 1);
      await this.refs.refresh(tx, project.id, environment.slug, deployment.iid);
    });
  }

  /**
   * Locks the environment, then the deployment, in the order used everywhere. @throws 403 if the caller may
   * not deploy, 404
   */
  private async lock(
    tx: Tx,
    projectId: number,
    id: number,
    caller: Caller,
  ): Promise<{ deployment: LockedDeployment; environment: Environment }> {
    const locked = await this.environments.lockWithNext(tx, 'deployment', projectId, id);
    const deployment = await lockDeployment(tx, projectId, id);
    const environment = await locked();
    if (!environment || !deployment) throw notFound('Deployment');
    if (deployment.isProtected) await this.protections.assertNamed(tx, environment, rightsOf(caller));
    return { deployment, environment };
  }

  /** Makes the environment available before a deployment. */
  private async prepare(tx: Tx, environment: Environment, effects: StatusEffects | null): Promise<void> {
    const restarts = effects?.restartsEnvironment === true && environment.state !== 'available';
    if (restarts) await this.environments.restart(tx, environment);
  }

  private announced(tx: Tx, written: WrittenLater): WrittenLater {
    this.jobs.announce(tx, async () => (await written()).queued > 0);
    return written;
  }
}

/** It has no job, so it needs no approvals. */
const shown = ({ queued: _, ...row }: WrittenDeployment, { tier }: Caller): DeploymentRow =>
  tier >= Tier.Premium ? { ...row, approval: null } : row;
