import { ListOf } from '#kernel/http/fields/composite-fields.js';
import { ANY_WHOLE, Flag, Id, Integer, OneOf, Text } from '#kernel/http/fields/scalar-fields.js';

/** Limit of entries of each kind in a protection, and in a request: a protection is always shown whole. */
export const MAX_ENTRIES = 100;

/** A new deploy entry: one of user, group and role. */
export class NewDeployAccess {
  @Id({ optional: true, nullable: true, description: '30, 40 or 60' })
  access_level?: number | null;

  @Id({ optional: true, nullable: true, description: 'A member' })
  user_id?: number | null;

  @Id({ optional: true, nullable: true, description: 'A group that is invited' })
  group_id?: number | null;

  @OneOf([0, 1], { optional: true, description: '0: direct members of the group; 1: inherited ones too' })
  group_inheritance_type?: number;
}

/** A new approval rule. */
export class NewApprovalRule extends NewDeployAccess {
  @Integer({ optional: true, ...ANY_WHOLE, description: '1 to 5; default 1' })
  required_approvals?: number;
}

/** A deploy entry to add, change (with `id`) or remove. */
export class ChangedDeployAccess extends NewDeployAccess {
  @Id({ optional: true, min: 1, description: 'Id of an existing one' })
  id?: number;

  @Flag({ optional: true, as: '_destroy', description: 'Remove the one with this id' })
  destroy?: boolean;
}

/** A rule to add, change (with `id`) or remove. */
export class ChangedApprovalRule extends NewApprovalRule {
  @Id({ optional: true, min: 1, description: 'Id of an existing one' })
  id?: number;

  @Flag({ optional: true, as: '_destroy', description: 'Remove the one with this id' })
  destroy?: boolean;
}

/** Path parameters of a protected environment. */
export class FindProtectedEnvironmentParams {
  @Text({ maxLength: 255, description: 'Name of the environment, encoded for a URL; of a group: its tier' })
  name!: string;
}

/** Parameters of a new protection. */
export class CreateProtectedEnvironmentParams extends FindProtectedEnvironmentParams {
  @ListOf(() => NewDeployAccess, { maxItems: MAX_ENTRIES })
  deploy_access_levels!: NewDeployAccess[];

  @Integer({ optional: true, ...ANY_WHOLE, description: '0 to 5; default 0' })
  required_approval_count?: number;

  @ListOf(() => NewApprovalRule, { optional: true, maxItems: MAX_ENTRIES })
  approval_rules?: NewApprovalRule[];
}

/** Parameters of an update of a protection. */
export class UpdateProtectedEnvironmentParams extends FindProtectedEnvironmentParams {
  @ListOf(() => ChangedDeployAccess, { optional: true, maxItems: MAX_ENTRIES })
  deploy_access_levels?: ChangedDeployAccess[];

  @Integer({ optional: true, ...ANY_WHOLE, description: '0 to 5' })
  required_approval_count?: number;

  @ListOf(() => ChangedApprovalRule, { optional: true, maxItems: MAX_ENTRIES })
  approval_rules?: ChangedApprovalRule[];
}
