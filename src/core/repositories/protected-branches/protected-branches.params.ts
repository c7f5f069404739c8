import { Role } from '#kernel/access/roles.js';
import { ListOf } from '#kernel/http/fields/composite-fields.js';
import { Flag, OneOf, Text } from '#kernel/http/fields/scalar-fields.js';
import { AllowedTo, MAX_ALLOWED } from '../protection/allowed-to.params.js';
import { PROTECTION_LEVELS, type ProtectionLevel } from '../protection/protected-ref-access-level.record.js';

const PREMIUM = 'On the premium plan';

/** At least someone must always be able to unprotect. */
const UNPROTECT_LEVELS = PROTECTION_LEVELS.filter((level) => level !== Role.None);

/** Filters of the list of protected branches. */
export class ListProtectedBranchesParams {
  @Text({ optional: true, maxLength: 255, description: 'Part of the name' })
  search?: string;
}

/** Path parameters of a protected branch. */
export class FindProtectedBranchParams {
  @Text({ maxLength: 255, description: 'Name or pattern, encoded for a URL' })
  name!: string;
}

/** Access levels and options of a protected branch. */
class BranchRightsParams extends FindProtectedBranchParams {
  @OneOf(PROTECTION_LEVELS, { optional: true, description: 'Lowest role that may push; default 40' })
  push_access_level?: ProtectionLevel;

  @OneOf(PROTECTION_LEVELS, { optional: true, description: 'Lowest role that may merge; default 40' })
  merge_access_level?: ProtectionLevel;

  @OneOf(UNPROTECT_LEVELS, { optional: true, description: 'Lowest role that may unprotect; default 40' })
  unprotect_access_level?: ProtectionLevel;

  @Flag({ optional: true })
  allow_force_push?: boolean;

  @ListOf(() => AllowedTo, { optional: true, maxItems: MAX_ALLOWED, description: PREMIUM })
  allowed_to_push?: AllowedTo[];

  @ListOf(() => AllowedTo, { optional: true, maxItems: MAX_ALLOWED, description: PREMIUM })
  allowed_to_merge?: AllowedTo[];

  @ListOf(() => AllowedTo, { optional: true, maxItems: MAX_ALLOWED, description: PREMIUM })
  allowed_to_unprotect?: AllowedTo[];

  @Flag({ optional: true, description: PREMIUM })
  code_owner_approval_required?: boolean;
}

/** Parameters for protecting a branch or pattern. */
export class CreateProtectedBranchParams extends BranchRightsParams {}

/** Changes of a protected branch; levels replace existing ones, rights of users and groups are added. */
export class UpdateProtectedBranchParams extends BranchRightsParams {}

/** Parameters of the deprecated route that protects an existing branch. */
export class ProtectBranchParams {
  @Text({ maxLength: 1024, description: 'Name, encoded for a URL' })
  branch!: string;

  @Flag({ optional: true })
  developers_can_push?: boolean;

  @Flag({ optional: true })
  developers_can_merge?: boolean;
}
