import { ListOf } from '#kernel/http/fields/composite-fields.js';
import { Flag } from '#kernel/http/fields/scalar-fields.js';
import type { Links } from '#kernel/http/links.js';
import { presentUserBasic, UserBasicRecord } from '#core/users/records/user-basic.record.js';
import { ApprovalRuleBasicRecord } from './rules/approval-rule-basic.record.js';
import type { AppliedRuleRow } from './approvals.queries.js';

/** An approval rule with its state for a merge request. */
export class AppliedRuleRecord extends ApprovalRuleBasicRecord {
  @ListOf(() => UserBasicRecord)
  approved_by!: UserBasicRecord[];

  @Flag()
  approved!: boolean;
}

/** All approval rules that apply to a merge request. */
export class ApprovalStateRecord {
  @Flag({ description: 'Whether the merge request has rules of its own' })
  approval_rules_overwritten!: boolean;

  @ListOf(() => AppliedRuleRecord)
  rules!: AppliedRuleRecord[];
}

/** Presents the rules. */
export const presentApprovalState = (
  rules: readonly AppliedRuleRow[],
  links: Links,
): ApprovalStateRecord => ({
  approval_rules_overwritten: rules.some((rule) => rule.is_own),
  rules: rules.map((rule) => ({
    id: rule.id,
    name: rule.name,
    rule_type: rule.rule_type,
    eligible_approvers: rule.users.map((user) => presentUserBasic(user, links)),
    approvals_required: rule.approvals_required,
    approved_by: rule.approved_by.map((user) => presentUserBasic(user, links)),
    approved: rule.is_met,
  })),
});
