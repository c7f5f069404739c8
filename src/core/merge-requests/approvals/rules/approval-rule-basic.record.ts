import { ListOf } from '#kernel/http/fields/composite-fields.js';
import { Count, Id, OneOf, Text } from '#kernel/http/fields/scalar-fields.js';
import { UserBasicRecord } from '#core/users/records/user-basic.record.js';

/** Kinds of rules. */
export const RULE_TYPES = ['regular', 'any_approver'] as const;

/** What records of a rule have in common: of how many of whom it wants approvals. */
export class ApprovalRuleBasicRecord {
  @Id()
  id!: number;

  @Text()
  name!: string;

  @OneOf(RULE_TYPES)
  rule_type!: (typeof RULE_TYPES)[number];

  @ListOf(() => UserBasicRecord)
  eligible_approvers!: UserBasicRecord[];

  @Count()
  approvals_required!: number;
}
