import { ListOf } from '#kernel/http/fields/composite-fields.js';
import { Count, Id, OneOf, Text } from '#kernel/http/fields/scalar-fields.js';
import { UserBasicRecord } from '#core/users/records/user-basic.record.js';

/** Types of approval rules. */
export const RULE_TYPES = ['regular', 'any_approver'] as const;

/** Attributes that records of rules share: the required number of approvals, and the approvers. */
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
