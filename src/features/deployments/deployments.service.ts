import { Injectable } from '@nestjs/common';
import type { Caller, ProjectSubject } from '#kernel/access/caller.js';
import { Tier } from '#kernel/access/roles.js';
import { Transactions, type Tx } from '#kernel/database/transactions.js';
import { badRequest, forbidden, notFound } from '#kernel/http/errors.js';
import type { UnmodifiedCheck } from '#kernel/http/answers/unmodified-since.js';
import { Jobs } from '#kernel/queue/jobs.js';
import { freezeOverride } from '#core/ci/jobs/freeze-override.params.js';
import { rightsOf } from '#core/ci/jobs/job-access.js';
import { DeploymentChecksRegistry } from '#core/environments/deployments/deployment-checks.registry.js';
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
  placeOf,
  setDeploymentStatus,
  type DeploymentPlace,
  type LockedDeployment,
  type WrittenDeployment,
  type WrittenLater,
} from './deployment-writes.js';
import type { DeploymentRow } from './deployment.record.js';
import type { CreateDeploymentParams, UpdateDeploymentParams } from './deployments.params.js';

/** `ci.md` 1.5 */
const BY_JOB = 'Deployments created using GitLab CI can not be updated using the API';

/** The project has a repository by now. */
class GuessedWrong extends Error {}

function orNull(problem: unknown): null {
  if (problem instanceof GuessedWrong) return null;
  throw problem;
}

/** Deployments of a project. Every change holds the lock of the environment, so that its last deployment is certain. */
@Injectable()
export class DeploymentsService {
  /** Requests of this process that make deployments just now. */
  private creating = 0;

  constructor(
    private readonly transactions: Transactions,
    private readonly environments: EnvironmentsService,
    private readonly protections: EnvironmentProtectionsPolicy,
    private readonly checks: DeploymentChecksRegistry,
    private readonly iids: InternalIdsService,
    private readonly targets: DeploymentTargetFinder,
    private readonly refs: DeploymentRefsContribution,
    private readonly jobs: Jobs,
  ) {}

  /**
   * Creates a deployment, as it is answered; one that repeats the environment's last success is that one, and its id is returned.
   * @throws 400 for a commit, a ref or a name of an environment that cannot be, 403 for whoever may not deploy
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
        // Whoever may not deploy learns nothing of the repository: their rights come first.
        await this.assertMayDeploy(project.id, params.environment, caller);
        throw problem;
      });
      return await this.createAt(project, caller, params, found);
    } finally {
      this.creating -= 1;
    }
  }

  /** @throws GuessedWrong where the target is only a guess, and there is a repository to look into */
  private async createAt(
    project: ProjectSubject,
    caller: Caller,
    params: CreateDeploymentParams,
    { target, isStored, isGuess }: FoundTarget,
  ): Promise<DeploymentRow | number> {
    const { tag, status } = params;
    const made = await this.transactions.run(async (tx) => {
      const { environment, place } = await this.lockPlace(tx, project.id, params, caller);
      if (isGuess && place.hasRepository) throw new GuessedWrong();
      await this.checks.run(tx, {
        project,
        environment,
        status,
        caller,
        overridesFreeze: freezeOverride(params),
      });
      const isLast = place.ref === target.ref && place.sha === target.sha && place.tag === tag;
      if (place.id !== null && isLast) return place.id;
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

  /** Locks the environment of a name, which is created if there is none. @throws 400 for a name that cannot be one, 403 for whoever may not deploy */
  private async lockPlace(
    tx: Tx,
    projectId: number,
    { environment: name, status }: CreateDeploymentParams,
    caller: Caller,
  ): Promise<{ environment: Environment; place: DeploymentPlace }> {
    const locked = await this.environments.lockWithNext(tx, 'name', projectId, name);
    const seen = await placeOf(tx, projectId, name, status === 'success');
    const found = await locked();
    const environment = found ?? (await this.environments.lockOrCreate(tx, projectId, name, 'environment'));
    // Somebody else may have created it, and deployed to it, meanwhile.
    const place = found ? seen : await placeOf(tx, projectId, name, status === 'success');
    if (!place) throw new Error('An environment that is locked is there');
    if (place.isProtected) await this.protections.assertNamed(tx, environment, rightsOf(caller));
    return { environment, place };
  }

  /** The right to deploy to the environment of a name, as it would be made if there is none. @throws 403 */
  private assertMayDeploy(projectId: number, name: string, caller: Caller): Promise<void> {
    return this.transactions.run(async (tx) => {
      const found = await tx.findOneBy(Environment, { projectId, name });
      const place = found ?? { projectId, name, tier: guessTier(name) };
      await this.protections.assertMayDeploy(tx, place, rightsOf(caller));
    });
  }

  /** Sets the status, and returns the deployment as it is answered; null when it has that status. @throws 403 for one that a job has made, 404 */
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
      await this.checks.run(tx, {
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
   * @throws 400 while it runs or is what its environment runs, 403 for whoever may not deploy, 404, 412
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

  /** Locks the environment, then the deployment: everybody takes them in this order. @throws 403 for whoever may not deploy, 404 */
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

  /** Has the environment run that is about to be deployed to. */
  private async prepare(tx: Tx, environment: Environment, effects: StatusEffects | null): Promise<void> {
    const restarts = effects?.restartsEnvironment === true && environment.state !== 'available';
    if (restarts) await this.environments.restart(tx, environment);
  }

  private announced(tx: Tx, written: WrittenLater): WrittenLater {
    this.jobs.announce(tx, async () => (await written()).queued > 0);
    return written;
  }
}

/** No job has made it: it needs no approvals. */
const shown = ({ queued: _, ...row }: WrittenDeployment, { tier }: Caller): DeploymentRow =>
  tier >= Tier.Premium ? { ...row, approval: null } : row;
