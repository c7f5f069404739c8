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

/** A rule of how many of whom have to approve merge requests. */
export class MergeApprovalRuleRecord extends ApprovalRuleBasicRecord {
  @ListOf(() => UserBasicRecord)
  users!: UserBasicRecord[];

  @ListOf(() => ApprovingGroupRecord)
  groups!: ApprovingGroupRecord[];

  @Flag()
  contains_hidden_groups!: boolean;
}

/** A rule as it is read. */
export interface ApprovalRuleRow {
  readonly id: number;
  readonly name: string;
  readonly rule_type: (typeof RULE_TYPES)[number];
  readonly approvals_required: number;
  readonly eligible: readonly UserBasicRow[];
  readonly users: readonly UserBasicRow[];
  /** Those that the caller sees. */
  readonly groups: readonly { readonly id: number; readonly name: string; readonly full_path: string }[];
  readonly group_count: number;
}

/** The record of a rule. */
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

/** What a rule says. */
class ApprovalRuleValuesParams {
  @List(Id(), { optional: true, commaSeparated: true })
  user_ids?: number[];

  @List(Id(), { optional: true, commaSeparated: true })
  group_ids?: number[];
}

/** A new rule. */
export class CreateApprovalRuleParams extends ApprovalRuleValuesParams {
  @Text({ maxLength: 255 })
  name!: string;

  @Integer({ min: 0, max: 100 })
  approvals_required!: number;

  @OneOf(RULE_TYPES, { optional: true })
  rule_type?: (typeof RULE_TYPES)[number];
}

/** A new rule of one merge request, maybe made of one of its project. */
export class CreateOwnApprovalRuleParams extends ApprovalRuleValuesParams {
  @Id({ min: 0 })
  merge_request_iid!: number;

  @Text({ maxLength: 255, description: 'That of the rule of the project where one is named' })
  name!: string;

  @Integer({
    min: 0,
    max: 100,
    description: 'Not fewer than the rule of the project wants, where one is named',
  })
  approvals_required!: number;

  @Id({ optional: true, description: 'Rule of the project whose name, users and groups it takes' })
  approval_project_rule_id?: number;
}

/** One rule of a project. */
export class FindApprovalRuleParams {
  @Id({ min: 0 })
  approval_rule_id!: number;
}

/** One rule of a merge request. */
export class FindOwnApprovalRuleParams extends FindApprovalRuleParams {
  @Id({ min: 0 })
  merge_request_iid!: number;
}

/** Changes of a rule. */
export class UpdateApprovalRuleParams extends ApprovalRuleValuesParams {
  @Id({ min: 0 })
  approval_rule_id!: number;

  @Text({ optional: true, blank: false, maxLength: 255 })
  name?: string;

  @Integer({ optional: true, min: 0, max: 100 })
  approvals_required?: number;
}

/** Changes of a rule of one merge request. */
export class UpdateOwnApprovalRuleParams extends UpdateApprovalRuleParams {
  @Id({ min: 0 })
  merge_request_iid!: number;
}
