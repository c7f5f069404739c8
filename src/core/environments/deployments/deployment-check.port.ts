import type { Caller, ProjectSubject } from '#kernel/access/caller.js';
import type { Tx } from '#kernel/database/transactions.js';
import type { FreezeOverride } from '#core/ci/jobs/freeze-override.params.js';
import type { DeploymentStatus } from './deployment-summary.record.js';
import type { Environment } from '../environment.entity.js';

/** A planned deployment: a new one, or a new status of an existing one. */
export interface PlannedDeployment {
  readonly project: ProjectSubject;
  readonly environment: Environment;
  readonly status: DeploymentStatus;
  readonly caller: Caller;
  /** Set if the caller asks to deploy in spite of a freeze period. */
  readonly overridesFreeze: FreezeOverride | null;
}

/** Checks whether a deployment is allowed. */
export abstract class DeploymentCheckPort {
  /** Called while the environment is locked. @throws 403 if the deployment is not allowed */
  abstract assertAllowed(tx: Tx, planned: PlannedDeployment): Promise<void>;
}
