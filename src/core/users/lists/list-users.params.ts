import { Flag, IsoTime, OneOf, Text } from '#kernel/http/fields/scalar-fields.js';

/** Orders of the list of users for administrators. */
export const USER_ORDERS = ['id', 'name', 'username', 'created_at', 'updated_at'] as const;

/** Filters of the list of users; those marked so are for administrators and ignored for other callers. */
export class ListUsersParams {
  @Text({ optional: true, description: 'Exact username, in any case' })
  username?: string;

  @Text({ optional: true, maxLength: 1000, description: 'Part of name or username, or the exact address' })
  search?: string;

  @Flag({ optional: true })
  active?: boolean;

  @Flag({ optional: true })
  blocked?: boolean;

  @Flag({ optional: true, description: 'Administrators only' })
  external?: boolean;

  @Flag({ optional: true })
  exclude_internal?: boolean;

  @Flag({ optional: true })
  exclude_external?: boolean;

  @Flag({ optional: true })
  exclude_active?: boolean;

  @Flag({ optional: true, description: 'Only human users' })
  humans?: boolean;

  @Flag({ optional: true, description: 'Only bots' })
  exclude_humans?: boolean;

  @Flag({ optional: true })
  without_project_bots?: boolean;

  @Flag({ optional: true, description: 'Administrators only' })
  admins?: boolean;

  @IsoTime({ optional: true, description: 'Administrators only' })
  created_after?: Date;

  @IsoTime({ optional: true, description: 'Administrators only' })
  created_before?: Date;

  @OneOf(['enabled', 'disabled'], { optional: true, description: 'Administrators only' })
  two_factor?: 'enabled' | 'disabled';

  @Flag({ optional: true, description: 'Administrators only: users who have no project' })
  without_projects?: boolean;

  @Text({ optional: true, description: 'Administrators only, with provider' })
  extern_uid?: string;

  @Text({ optional: true, description: 'Administrators only, with extern_uid' })
  provider?: string;

  @OneOf(USER_ORDERS, { optional: true, description: 'Administrators only; default id' })
  order_by?: (typeof USER_ORDERS)[number];

  @OneOf(['asc', 'desc'], { optional: true, description: 'Administrators only; default desc' })
  sort?: 'asc' | 'desc';
}
