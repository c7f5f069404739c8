import { isoTimeSql } from '#kernel/database/time.sql.js';
import { Nested } from '#kernel/http/fields/composite-fields.js';
import { IsoTime, OneOf } from '#kernel/http/fields/scalar-fields.js';
import {
  ENVIRONMENT_BASIC_COLUMNS,
  EnvironmentBasicRecord,
  presentEnvironmentBasic,
  type EnvironmentBasicRow,
} from './environment-basic.record.js';
import { DeploymentSummaryRecord } from './deployments/deployment-summary.record.js';
import { ENVIRONMENT_STATES, type EnvironmentState } from './environment.entity.js';
import { TIERS, type EnvironmentTier } from './naming/environment-tier.js';

/** Attributes of an environment. */
export class EnvironmentFields extends EnvironmentBasicRecord {
  @OneOf(TIERS)
  tier!: EnvironmentTier;

  @OneOf(ENVIRONMENT_STATES)
  state!: EnvironmentState;

  @IsoTime({ nullable: true })
  auto_stop_at!: string | null;
}

/** An environment with its last deployment. */
export class EnvironmentDetailRecord extends EnvironmentFields {
  @Nested(() => DeploymentSummaryRecord, { nullable: true, description: 'Its last successful deployment' })
  last_deployment!: DeploymentSummaryRecord | null;
}

/** Row of an environment. */
export interface EnvironmentRow extends EnvironmentBasicRow {
  readonly e_tier: EnvironmentTier;
  readonly e_state: EnvironmentState;
  readonly e_auto_stop_at: string | null;
}

/** Select list of an `EnvironmentRow`, for an environment `e`. */
export const ENVIRONMENT_COLUMNS = `${ENVIRONMENT_BASIC_COLUMNS}, e.tier as e_tier, e.state as e_state,
  ${isoTimeSql('e.auto_stop_at')} as e_auto_stop_at`;

/** Presents an environment. */
export const presentEnvironment = (row: EnvironmentRow): EnvironmentFields =>
  Object.assign(presentEnvironmentBasic(row), {
    tier: row.e_tier,
    state: row.e_state,
    auto_stop_at: row.e_auto_stop_at,
  });
