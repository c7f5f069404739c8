import type { Links } from '#kernel/http/links.js';
import { entryWords } from '#core/environments/protection/protected-environment.record.js';
import { presentUserIn } from '#core/users/records/user-basic.record.js';
import type { DeploymentApprovalRecord } from '../deployment-approval.record.js';
import type { ApprovalFields } from '../deployment.record.js';
import { approvalsOf, missingApprovals, type ApprovalRow, type ApprovalState } from './approval-state.js';

/** Presents an approval. */
export const presentApproval = (row: ApprovalRow, links: Links): DeploymentApprovalRecord => ({
  user: presentUserIn(row, 'u_', links),
  status: row.status,
  created_at: row.created_at,
  comment: row.comment,
});

/** Presents the approvals of a deployment; one that needs none may still have some. */
export function presentApprovals(
  state: ApprovalState | null,
  links: Links,
  needsThem: boolean,
): ApprovalFields {
  const present = (rows: readonly ApprovalRow[]): DeploymentApprovalRecord[] =>
    rows.map((row) => presentApproval(row, links));
  if (state === null || !needsThem)
    return {
      pending_approval_count: 0,
      approvals: present(state?.approvals ?? []),
      approval_summary: { rules: [] },
    };
  return {
    pending_approval_count: missingApprovals(state),
    approvals: present(state.approvals),
    approval_summary: {
      rules: state.rules.map((rule) => ({
        id: rule.id,
        user_id: rule.user_id,
        group_id: rule.group_id,
        group_inheritance_type: rule.group_inheritance_type,
        access_level: rule.access_level,
        access_level_description: entryWords(rule),
        required_approvals: rule.required_approvals,
        deployment_approvals: present(approvalsOf(state, rule.id)),
      })),
    },
  };
}
