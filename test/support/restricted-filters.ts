/**
 * A filter or an order of lists that not everyone may use, and its effect for others by the specification.
 */
export interface Restriction {
  readonly name: string;
  /** The lists, by the templates of their paths. */
  readonly of: RegExp;
  /** Callers who may not use it; `free` is a caller on the free plan. */
  readonly who: 'stranger' | 'anonymous' | 'free' | 'administrator';
  /** A value that would change the list for callers who may use it. */
  readonly values: readonly string[];
  /** The list is as without it, or empty, or refused with this status. */
  readonly effect: 'ignored' | 'empty' | number;
  /** Parameters without which the caller gets no list. */
  readonly beside?: string;
}

const ignored = (
  who: Restriction['who'],
  of: RegExp,
  values: Readonly<Record<string, readonly string[]>>,
  beside = '',
): Restriction[] =>
  Object.entries(values).map(([name, all]) => ({ name, of, who, values: all, effect: 'ignored', beside }));

const USERS = /^\/api\/v4\/users$/;
const PROJECTS = /\/(projects|shared|forks|starred_projects)$/;
const GROUPS = /\/(groups|subgroups|descendant_groups)$/;
const ISSUES = /(groups|projects)\/\{id\}\/issues$/;
const MERGE_REQUESTS = /(groups|projects)\/\{id\}\/merge_requests$/;
const EVERYWHERE = /^\/api\/v4\/(issues|merge_requests)$/;
const TOKENS = /^\/api\/v4\/personal_access_tokens$/;

/** Filters for administrators: `auth-core.md` 6.1 and 2.2. */
const OF_USERS = {
  admins: ['true'],
  external: ['true'],
  two_factor: ['enabled', 'disabled'],
  without_projects: ['true'],
  created_after: ['2999-01-01'],
  created_before: ['2000-01-01'],
  extern_uid: ['x&provider=x'],
  provider: ['x&extern_uid=x'],
  order_by: ['username', 'created_at'],
  sort: ['asc'],
} as const;

/** All restricted filters. A filter that is neither here nor among the open ones was forgotten. */
export const RESTRICTED: readonly Restriction[] = [
  ...ignored('stranger', USERS, OF_USERS),
  ...ignored('anonymous', USERS, OF_USERS, '&username=target'),
  { name: 'search', of: USERS, who: 'anonymous', values: ['target'], effect: 401 },
  {
    name: 'search',
    of: USERS,
    who: 'stranger',
    values: ['recluse@walk.test', 'theirs@walk.test'],
    effect: 'empty',
  },
  // `auth-core.md` 6.4: storage and sizes are for administrators; relations to the caller are empty for
  // anonymous callers.
  ...(['stranger', 'anonymous'] as const).flatMap((who) =>
    ignored(who, PROJECTS, {
      repository_storage: ['nowhere'],
      statistics: ['true'],
      order_by: ['repository_size', 'storage_size', 'packages_size', 'wiki_size'],
    }),
  ),
  ...['owned', 'membership', 'starred'].map((name): Restriction => ({
    name,
    of: PROJECTS,
    who: 'anonymous',
    values: ['true'],
    effect: 'empty',
  })),
  { name: 'min_access_level', of: PROJECTS, who: 'anonymous', values: ['10', '50'], effect: 'empty' },
  // `auth-core.md` 6.2.
  ...(['stranger', 'anonymous'] as const).flatMap((who) => ignored(who, GROUPS, { statistics: ['true'] })),
  { name: 'owned', of: GROUPS, who: 'anonymous', values: ['true'], effect: 'empty' },
  { name: 'min_access_level', of: GROUPS, who: 'anonymous', values: ['10', '50'], effect: 'empty' },
  // `auth-core.md` 2.2, and 403 in place of 401 by `decisions.md`.
  { name: 'user_id', of: TOKENS, who: 'stranger', values: ['103', '999999'], effect: 403 },
  { name: 'user_id', of: TOKENS, who: 'administrator', values: ['999999', ''], effect: 404 },
  // `planning.md` 5.2 and 5.3: anonymous callers have created, been assigned and commented nothing.
  {
    name: 'scope',
    of: EVERYWHERE,
    who: 'anonymous',
    values: ['created_by_me', 'assigned_to_me'],
    effect: 401,
  },
  ...[ISSUES, MERGE_REQUESTS].flatMap((of): Restriction[] => [
    { name: 'scope', of, who: 'anonymous', values: ['created_by_me', 'assigned-to-me'], effect: 'empty' },
    { name: 'my_reaction_emoji', of, who: 'anonymous', values: ['Any', 'tada'], effect: 'empty' },
    ...ignored('anonymous', of, { my_reaction_emoji: ['None'] }),
  ]),
  { name: 'confidential', of: ISSUES, who: 'stranger', values: ['true'], effect: 'empty' },
  // Premium features do not exist on a free plan.
  ...ignored('free', ISSUES, {
    weight: ['7', 'Any'],
    health_status: ['at_risk', 'Any'],
    epic_id: ['1', 'Any'],
    iteration_id: ['1', 'Any'],
    iteration_title: ['x'],
  }),
  ...ignored('free', /\/merge_requests$/, {
    approved_by_ids: ['103', 'Any'],
    approved_by_usernames: ['target', 'Any'],
    approver_ids: ['103', 'Any'],
  }),
  ...ignored('free', /\/members\/all$/, { state: ['awaiting'] }),
  {
    name: 'repository_storage',
    of: /\/snippets\/all$/,
    who: 'stranger',
    values: ['nowhere'],
    effect: 'ignored',
  },
];

/** Filters that reveal only what records show to any reader of the list, and its paging and order. */
export const OPEN_FILTERS = `
  page per_page pagination cursor page_token id_after id_before order_by sort
  action active activity_filter after all all_available approved archived assignee_id assignee_username author author_id
  author_username before blocked confidential created_after created_before deployed_after deployed_before due_date entity_id
  entity_type environment epic_id exclude_active exclude_external exclude_humans exclude_internal expires_after
  expires_before finished_after finished_before first_parent health_status humans iids imported in include_ancestor_groups
  include_ancestors include_descendant_groups include_parent_milestones include_retried include_subgroups
  include_versionless issue_type iteration_id iteration_title labels last_activity_after last_activity_before
  last_used_after last_used_before milestone milestone_id my_reaction_emoji name non_archived not only_group_labels
  order owned_only package_name package_type package_version path paused pipeline_id query recursive queue ref ref_name regex
  reviewer_id reviewer_username revoked scope search search_namespaces severity sha shared_min_access_level
  shared_visible_only show_seat_info simple since skip_groups skip_users source source_branch source_project_id stage state
  states status tag_list target_branch target_type title top_level_only topic topic_id trailers type unidiff until
  updated_after updated_before user_ids username view visibility weight wip with_content with_counts
  with_custom_attributes with_issues_enabled with_labels_details with_merge_requests_enabled
  with_merge_status_recheck with_programming_language with_shared with_stats without_project_bots yaml_errors`.trim();
