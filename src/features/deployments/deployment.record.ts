import { Tier } from '#kernel/access/roles.js';
import { ListOf, Nested } from '#kernel/http/fields/composite-fields.js';
import { Integer } from '#kernel/http/fields/scalar-fields.js';
import type { Links } from '#kernel/http/links.js';
import {
  EnvironmentBasicRecord,
  presentEnvironmentBasic,
  type EnvironmentBasicRow,
} from '#core/environments/environment-basic.record.js';
import {
  DeploymentSummaryRecord,
  presentDeployer,
  type DeploymentSummaryRow,
} from '#core/environments/deployment-summary.record.js';
import { ApprovalSummaryRecord, DeploymentApprovalRecord } from './deployment-approval.record.js';

/** A deployment (`api-v4.md` 2.2); the last three fields are there on premium plans. */
export class DeploymentRecord extends DeploymentSummaryRecord {
  @Nested(() => EnvironmentBasicRecord)
  environment!: EnvironmentBasicRecord;

  @Integer({ optional: true, description: 'Approvals that are still missing; premium' })
  pending_approval_count?: number;

  @ListOf(() => DeploymentApprovalRecord, { optional: true, description: 'Premium' })
  approvals?: DeploymentApprovalRecord[];

  @Nested(() => ApprovalSummaryRecord, { optional: true, description: 'Approvals by rule; premium' })
  approval_summary?: ApprovalSummaryRecord;
}

/** What a deployment is made of. */
export type DeploymentRow = DeploymentSummaryRow & EnvironmentBasicRow;

/** The deployment of a row, with the fields of the plan. */
export function presentDeployment(row: DeploymentRow, links: Links, tier: Tier): DeploymentRecord {
  const record: DeploymentRecord = {
    id: row.id,
    iid: row.iid,
    ref: row.ref,
    sha: row.sha,
    created_at: row.created_at,
    updated_at: row.updated_at,
    status: row.status,
    user: presentDeployer(row, links),
    environment: presentEnvironmentBasic(row),
    deployable: null,
  };
  if (tier >= Tier.Premium) {
    record.pending_approval_count = 0;
    record.approvals = [];
    record.approval_summary = { rules: [] };
  }
  return record;
}
