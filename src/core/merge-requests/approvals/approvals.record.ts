import { List, ListOf, Nested } from '#kernel/http/fields/composite-fields.js';
import { Anything, Count, Flag, Id, IsoTime, OneOf, Text } from '#kernel/http/fields/scalar-fields.js';
import { UserBasicRecord } from '#core/users/records/user-basic.record.js';
import { MERGE_REQUEST_STATES } from '../records/merge-request-simple.record.js';

/** A user who has approved. */
export class ApproverRecord {
  @Nested(() => UserBasicRecord)
  user!: UserBasicRecord;

  @IsoTime()
  approved_at!: string;
}

/** A rule that still needs approvals. */
export class ApprovalRuleLeftRecord {
  @Id()
  id!: number;

  @Text()
  name!: string;

  @Text()
  rule_type!: string;
}

/** Approvals of a merge request, and those still missing. */
export class ApprovalsRecord {
  @Id()
  id!: number;

  @Id()
  iid!: number;

  @Id()
  project_id!: number;

  @Text()
  title!: string;

  @Text({ nullable: true })
  description!: string | null;

  @OneOf(MERGE_REQUEST_STATES)
  state!: string;

  @IsoTime()
  created_at!: string;

  @IsoTime()
  updated_at!: string;

  @Text()
  merge_status!: string;

  @Flag()
  approved!: boolean;

  @Count()
  approvals_required!: number;

  @Count()
  approvals_left!: number;

  @Flag()
  require_password_to_approve!: boolean;

  @ListOf(() => ApproverRecord)
  approved_by!: ApproverRecord[];

  @List(Anything())
  suggested_approvers!: never[];

  @List(Anything())
  approvers!: never[];

  @List(Anything())
  approver_groups!: never[];

  @Flag()
  user_has_approved!: boolean;

  @Flag()
  user_can_approve!: boolean;

  @ListOf(() => ApprovalRuleLeftRecord)
  approval_rules_left!: ApprovalRuleLeftRecord[];

  @Flag()
  has_approval_rules!: boolean;

  @Flag()
  merge_request_approvers_available!: boolean;

  @Flag()
  multiple_approval_rules_available!: boolean;

  @List(Anything())
  invalid_approvers_rules!: never[];
}
