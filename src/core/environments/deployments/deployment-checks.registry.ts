import { Injectable } from '@nestjs/common';
import type { Caller, ProjectSubject } from '#kernel/access/caller.js';
import type { Tx } from '#kernel/database/transactions.js';
import type { FreezeOverride } from '#core/ci/jobs/freeze-override.params.js';
import type { DeploymentStatus } from './deployment-summary.record.js';
import type { Environment } from '../environment.entity.js';

/** What is about to be deployed: a new deployment, or a new status of one that exists. */
export interface PlannedDeployment {
  readonly project: ProjectSubject;
  readonly environment: Environment;
  readonly status: DeploymentStatus;
  readonly caller: Caller;
  /** Set where the caller asks to deploy although a freeze period is in force. */
  readonly overridesFreeze: FreezeOverride | null;
}

/** Throws where the deployment must not be. */
export type DeploymentCheck = (tx: Tx, planned: PlannedDeployment) => Promise<void>;

/** Whoever may stand in the way of a deployment registers here, in `onModuleInit`. */
@Injectable()
export class DeploymentChecksRegistry {
  private readonly checks: DeploymentCheck[] = [];

  register(check: DeploymentCheck): void {
    this.checks.push(check);
  }

  /** Asks all checks, one after the other, while the environment is locked. */
  async run(tx: Tx, planned: PlannedDeployment): Promise<void> {
    for (const check of this.checks) await check(tx, planned);
  }
}
