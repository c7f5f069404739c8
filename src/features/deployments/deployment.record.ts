import { ListOf, Nested } from '#kernel/http/fields/composite-fields.js';
import { Count } from '#kernel/http/fields/scalar-fields.js';
import type { Links } from '#kernel/http/links.js';
import type { JobSight } from '#core/ci/jobs/job-access.js';
import {
  EnvironmentBasicRecord,
  presentEnvironmentBasic,
  type EnvironmentBasicRow,
} from '#core/environments/environment-basic.record.js';
import {
  DeploymentSummaryRecord,
  presentDeploymentSummary,
  type DeploymentSummaryRow,
} from '#core/environments/deployments/deployment-summary.record.js';
import type { ApprovalState } from './approvals/approval-state.js';
import { presentApprovals } from './approvals/present-approvals.js';
import { ApprovalSummaryRecord, DeploymentApprovalRecord } from './deployment-approval.record.js';

/** A deployment (`api-v4.md` 2.2); the last three attributes exist on premium plans. */
export class DeploymentRecord extends DeploymentSummaryRecord {
  @Nested(() => EnvironmentBasicRecord)
  environment!: EnvironmentBasicRecord;

  @Count({ optional: true, description: 'Approvals that are still missing; premium' })
  pending_approval_count?: number;

  @ListOf(() => DeploymentApprovalRecord, { optional: true, description: 'Premium' })
  approvals?: DeploymentApprovalRecord[];

  @Nested(() => ApprovalSummaryRecord, { optional: true, description: 'Approvals by rule; premium' })
  approval_summary?: ApprovalSummaryRecord;
}

/** Attributes on premium plans. */
export type ApprovalFields = Required<
  Pick<DeploymentRecord, 'pending_approval_count' | 'approvals' | 'approval_summary'>
>;

/** Row of a deployment; with `approval` on premium plans, null for one without a job or any approval. */
export type DeploymentRow = DeploymentSummaryRow &
  EnvironmentBasicRow & { readonly approval?: ApprovalState | null };

/** Presents a deployment with the attributes of the plan. */
export function presentDeployment(row: DeploymentRow, links: Links, sight: JobSight): DeploymentRecord {
  // Without a job nothing waits for approvals.
  const needsThem = row.job !== null || row.status === 'blocked';
  return Object.assign(
    presentDeploymentSummary(row, links, sight),
    { environment: presentEnvironmentBasic(row) },
    row.approval === undefined ? {} : presentApprovals(row.approval, links, needsThem),
  );
}
