import { List, ListOf } from '#kernel/http/fields/composite-fields.js';
import { Flag, Id, Integer, OneOf, Text } from '#kernel/http/fields/scalar-fields.js';
import type { Links } from '#kernel/http/links.js';
import {
  presentUserBasic,
  UserBasicRecord,
  type UserBasicRow,
} from '#core/users/records/user-basic.record.js';
import { ApprovalRuleBasicRecord, RULE_TYPES } from './approval-rule-basic.record.js';

/** A group whose members may approve. */
export class ApprovingGroupRecord {
  @Id()
  id!: number;

  @Text()
  name!: string;

  @Text()
  full_path!: string;

  @Text()
  web_url!: string;
}

/** An approval rule: the required number of approvals, and the approvers. */
export class MergeApprovalRuleRecord extends ApprovalRuleBasicRecord {
  @ListOf(() => UserBasicRecord)
  users!: UserBasicRecord[];

  @ListOf(() => ApprovingGroupRecord)
  groups!: ApprovingGroupRecord[];

  @Flag()
  contains_hidden_groups!: boolean;
}

/** Row of an approval rule. */
export interface ApprovalRuleRow {
  readonly id: number;
  readonly name: string;
  readonly rule_type: (typeof RULE_TYPES)[number];
  readonly approvals_required: number;
  readonly eligible: readonly UserBasicRow[];
  readonly users: readonly UserBasicRow[];
  /** Groups that the caller can see. */
  readonly groups: readonly { readonly id: number; readonly name: string; readonly full_path: string }[];
  readonly group_count: number;
}

/** Presents a rule. */
export const presentApprovalRule = (row: ApprovalRuleRow, links: Links): MergeApprovalRuleRecord => ({
  id: row.id,
  name: row.name,
  rule_type: row.rule_type,
  eligible_approvers: row.eligible.map((user) => presentUserBasic(user, links)),
  approvals_required: row.approvals_required,
  users: row.users.map((user) => presentUserBasic(user, links)),
  groups: row.groups.map((group) => ({ ...group, web_url: links.group(group.full_path) })),
  contains_hidden_groups: row.group_count > row.groups.length,
});

/** Limit of users, and of groups, of a rule: each is shown with the rule. */
const MAX_APPROVERS = 200;

/** Parameters that creating and updating share. */
class ApprovalRuleValuesParams {
  @List(Id(), { optional: true, commaSeparated: true, maxItems: MAX_APPROVERS })
  user_ids?: number[];

  @List(Id(), { optional: true, commaSeparated: true, maxItems: MAX_APPROVERS })
  group_ids?: number[];
}

/** Parameters of a new rule. */
export class CreateApprovalRuleParams extends ApprovalRuleValuesParams {
  @Text({ maxLength: 255 })
  name!: string;

  @Integer({ min: 0, max: 100 })
  approvals_required!: number;

  @OneOf(RULE_TYPES, { optional: true })
  rule_type?: (typeof RULE_TYPES)[number];
}

/** Parameters of a new rule of a merge request, optionally copied from one of its project. */
export class CreateOwnApprovalRuleParams extends ApprovalRuleValuesParams {
  @Id({ min: 0 })
  merge_request_iid!: number;

  @Text({ maxLength: 255, description: 'Replaced by the name of the rule of the project, if one is given' })
  name!: string;

  @Integer({
    min: 0,
    max: 100,
    description: 'At least as many as the named rule of the project requires',
  })
  approvals_required!: number;

  @Id({ optional: true, description: 'Rule of the project whose name, users and groups it takes' })
  approval_project_rule_id?: number;
}

/** Path parameters of a rule of a project. */
export class FindApprovalRuleParams {
  @Id({ min: 0 })
  approval_rule_id!: number;
}

/** Path parameters of a rule of a merge request. */
export class FindOwnApprovalRuleParams extends FindApprovalRuleParams {
  @Id({ min: 0 })
  merge_request_iid!: number;
}

/** Parameters of an update of a rule. */
export class UpdateApprovalRuleParams extends ApprovalRuleValuesParams {
  @Id({ min: 0 })
  approval_rule_id!: number;

  @Text({ optional: true, blank: false, maxLength: 255 })
  name?: string;

  @Integer({ optional: true, min: 0, max: 100 })
  approvals_required?: number;
}

/** Parameters of an update of a merge request's rule. */
export class UpdateOwnApprovalRuleParams extends UpdateApprovalRuleParams {
  @Id({ min: 0 })
  merge_request_iid!: number;
}
