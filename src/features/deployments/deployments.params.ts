import { Flag, Id, IsoTime, OneOf, Text } from '#kernel/http/fields/scalar-fields.js';
import { FreezeOverrideParams } from '#core/ci/jobs/freeze-override.params.js';
import {
  DEPLOYMENT_STATUSES,
  type DeploymentStatus,
} from '#core/environments/deployments/deployment-summary.record.js';
import { FinishedFilter } from './finished-filter.js';
import { SETTABLE_STATUSES, type SettableStatus } from './deployment-state.js';

/** Orders of the list of deployments. */
export const DEPLOYMENT_ORDERS = ['id', 'iid', 'created_at', 'updated_at', 'finished_at', 'ref'] as const;

/** Order of the list of deployments. */
export type DeploymentOrder = (typeof DEPLOYMENT_ORDERS)[number];

/** Filters and order of the list of deployments. */
export class ListDeploymentsParams {
  @OneOf(DEPLOYMENT_ORDERS, { optional: true, description: 'Default: id' })
  order_by?: DeploymentOrder;

  @OneOf(['asc', 'desc'], { optional: true, description: 'Default: asc' })
  sort?: 'asc' | 'desc';

  @IsoTime({ optional: true, description: 'At or after; the list is then ordered by updated_at' })
  updated_after?: Date;

  @IsoTime({ optional: true, description: 'At or before; the list is then ordered by updated_at' })
  updated_before?: Date;

  @FinishedFilter()
  @IsoTime({ optional: true, description: 'At or after; with order_by=finished_at and status=success' })
  finished_after?: Date;

  @FinishedFilter()
  @IsoTime({ optional: true, description: 'Before; with order_by=finished_at and status=success' })
  finished_before?: Date;

  @Text({ optional: true, description: 'Exact name' })
  environment?: string;

  @OneOf(DEPLOYMENT_STATUSES, { optional: true })
  status?: DeploymentStatus;
}

/** Parameters of a new deployment. */
export class CreateDeploymentParams extends FreezeOverrideParams {
  @Text({
    description: 'Name of the environment, which is created if there is none',
    example: 'production',
  })
  environment!: string;

  @Text()
  sha!: string;

  @Text({ description: 'Branch or tag' })
  ref!: string;

  @Flag({ description: 'Whether ref is a tag' })
  tag!: boolean;

  @OneOf(SETTABLE_STATUSES)
  status!: SettableStatus;
}

/** Path parameters of a deployment. */
export class FindDeploymentParams {
  @Id()
  deployment_id!: number;
}

/** Parameters of a change of the status. */
export class UpdateDeploymentParams extends FreezeOverrideParams {
  @Id()
  deployment_id!: number;

  @OneOf(SETTABLE_STATUSES)
  status!: SettableStatus;
}
