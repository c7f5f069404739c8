import { List } from '#kernel/http/fields/composite-fields.js';
import { Flag, Id, IsoTime, OneOf, Text } from '#kernel/http/fields/scalar-fields.js';

/** Orders by size, for administrators. */
export const SIZE_ORDERS = ['repository_size', 'storage_size', 'packages_size', 'wiki_size'] as const;

/** Orders of lists of projects. */
export const PROJECT_ORDERS = [
  'id',
  'name',
  'path',
  'created_at',
  'updated_at',
  'last_activity_at',
  'similarity',
  ...SIZE_ORDERS,
] as const;

/** Filters and order of all lists of projects (`auth-core.md` 6.4). */
export class ListProjectsParams {
  @Flag({ optional: true })
  archived?: boolean;

  @OneOf(['private', 'internal', 'public'], { optional: true })
  visibility?: string;

  @Text({ optional: true, maxLength: 255, description: 'Part of the name or path' })
  search?: string;

  @Flag({ optional: true, description: 'Look in the names of the groups above, too' })
  search_namespaces?: boolean;

  @OneOf(PROJECT_ORDERS, { optional: true, description: 'Default created_at, which is the order of the ids' })
  order_by?: (typeof PROJECT_ORDERS)[number];

  @OneOf(['asc', 'desc'], { optional: true, description: 'Default desc' })
  sort?: 'asc' | 'desc';

  @Flag({ optional: true, description: 'Only a few fields of each' })
  simple?: boolean;

  @Flag({ optional: true, description: "Only the caller's own" })
  owned?: boolean;

  @Flag({ optional: true, description: 'Only where the caller is a member' })
  membership?: boolean;

  @Flag({ optional: true, description: 'Only those that the caller has starred' })
  starred?: boolean;

  @Flag({ optional: true })
  imported?: boolean;

  @OneOf([5, 10, 15, 20, 30, 40, 50], { optional: true, description: 'Lowest role of the caller' })
  min_access_level?: number;

  @Flag({ optional: true, description: 'Add the sizes' })
  statistics?: boolean;

  @List(Text({ maxLength: 255 }), {
    optional: true,
    commaSeparated: true,
    description: 'All of these topics',
  })
  topic?: string[];

  @Id({ optional: true, min: 0 })
  topic_id?: number;

  @Flag({ optional: true })
  with_issues_enabled?: boolean;

  @Flag({ optional: true })
  with_merge_requests_enabled?: boolean;

  @Text({ optional: true, maxLength: 100 })
  with_programming_language?: string;

  @Text({ optional: true, maxLength: 255, description: 'For administrators; ignored for others' })
  repository_storage?: string;

  @IsoTime({ optional: true })
  last_activity_after?: Date;

  @IsoTime({ optional: true })
  last_activity_before?: Date;

  @IsoTime({ optional: true })
  updated_after?: Date;

  @IsoTime({ optional: true })
  updated_before?: Date;

  @Id({ optional: true, min: 0 })
  id_after?: number;

  @Id({ optional: true, min: 0 })
  id_before?: number;
}

/** Parameters of the list of a user's projects. */
export class ListUserProjectsParams extends ListProjectsParams {
  @Text({ description: 'Id or username', maxLength: 255 })
  id!: string;
}

/** Parameters of the list of a group's projects. */
export class ListGroupProjectsParams extends ListProjectsParams {
  @Flag({ optional: true, description: 'Also those of subgroups' })
  include_subgroups?: boolean;

  @Flag({ optional: true, description: 'Also those that are shared with the group; default true' })
  with_shared?: boolean;
}
