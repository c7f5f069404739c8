import { List } from '#kernel/http/fields/composite-fields.js';
import { Anything, Count, Flag, Integer } from '#kernel/http/fields/scalar-fields.js';
import { APPROVERS } from '../../merge-request-deprecations.js';

/** Approval settings of a project. */
export class ApprovalSettingsRecord {
  @List(Anything(), { deprecated: APPROVERS, description: 'Always empty: use approval rules' })
  approvers!: never[];

  @List(Anything(), { deprecated: APPROVERS, description: 'Always empty: use approval rules' })
  approver_groups!: never[];

  @Count({ description: 'The setting approvals_before_merge of the project' })
  approvals_before_merge!: number;

  @Flag()
  reset_approvals_on_push!: boolean;

  @Flag()
  selective_code_owner_removals!: boolean;

  @Flag()
  disable_overriding_approvers_per_merge_request!: boolean;

  @Flag({ description: 'Whether authors may approve their own' })
  merge_requests_author_approval!: boolean;

  @Flag()
  merge_requests_disable_committers_approval!: boolean;

  @Flag()
  require_password_to_approve!: boolean;
}

/** The stored settings; the others are columns of the project. */
export type ApprovalSettings = Omit<
  ApprovalSettingsRecord,
  'approvers' | 'approver_groups' | 'approvals_before_merge'
>;

/** Parameters of an update of the settings. */
export class ChangeApprovalSettingsParams implements Partial<ApprovalSettings> {
  @Integer({ optional: true, min: 0, max: 100, description: 'The setting of the project' })
  approvals_before_merge?: number;

  @Flag({ optional: true })
  reset_approvals_on_push?: boolean;

  @Flag({ optional: true })
  selective_code_owner_removals?: boolean;

  @Flag({ optional: true })
  disable_overriding_approvers_per_merge_request?: boolean;

  @Flag({ optional: true })
  merge_requests_author_approval?: boolean;

  @Flag({ optional: true })
  merge_requests_disable_committers_approval?: boolean;

  @Flag({ optional: true })
  require_password_to_approve?: boolean;
}
