import { List } from '#kernel/http/fields/composite-fields.js';
import { Flag, Id, OneOf, Text } from '#kernel/http/fields/scalar-fields.js';

/** Parameters of the list of users who starred a project. */
export class ListStarrersParams {
  @Text({ optional: true, maxLength: 255, description: 'Part of the name or username' })
  search?: string;
}

/** Parameters of the list of users with a role in a project. */
export class ListProjectUsersParams {
  @Text({ optional: true, maxLength: 255, description: 'Part of the name or username' })
  search?: string;

  @List(Id(), { optional: true, commaSeparated: true })
  skip_users?: number[];
}

/** Parameters of the list of groups above a project, and of those it is shared with. */
export class ListProjectGroupsParams {
  @Text({ optional: true, maxLength: 255, description: 'Part of the name or path' })
  search?: string;

  @List(Id(), { optional: true, commaSeparated: true })
  skip_groups?: number[];

  @Flag({ optional: true, description: 'Also those that the project is shared with' })
  with_shared?: boolean;

  @Flag({
    optional: true,
    description: 'Accepted, but always in effect: only those of them that the caller can see',
  })
  shared_visible_only?: boolean;

  @OneOf([10, 20, 30, 40, 50], {
    optional: true,
    description: 'Only those of them with at least this role',
  })
  shared_min_access_level?: number;
}
