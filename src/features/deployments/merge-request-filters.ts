import { List, Nested } from '#kernel/http/fields/composite-fields.js';
import { ExclusiveWith } from '#kernel/http/fields/exclusive.js';
import { Flag, Integer, IsoTime, OneOf, Text } from '#kernel/http/fields/scalar-fields.js';
import { FindDeployment } from './deployments.params.js';

/** An id, or whether there is one at all. */
const ID_OR_ANY = /^(\d{1,18}|any|none)$/i;

const SCOPES = [
  'created_by_me',
  'assigned_to_me',
  'reviews_for_me',
  'created-by-me',
  'assigned-to-me',
  'reviews-for-me',
  'all',
] as const;

const ORDERS = [
  'created_at',
  'label_priority',
  'merged_at',
  'milestone_due',
  'popularity',
  'priority',
  'title',
  'updated_at',
] as const;

/** What merge requests must not have. */
export class UnwantedMergeRequests {
  @List(Text(), { optional: true, commaSeparated: true })
  labels?: string[];

  @Text({ optional: true })
  milestone?: string;

  @ExclusiveWith(['author_username'])
  @Integer({ optional: true })
  author_id?: number;

  @Text({ optional: true })
  author_username?: string;

  @ExclusiveWith(['assignee_username'])
  @Integer({ optional: true })
  assignee_id?: number;

  @List(Text(), { optional: true, commaSeparated: true })
  assignee_username?: string[];

  @ExclusiveWith(['reviewer_username'])
  @Integer({ optional: true })
  reviewer_id?: number;

  @Text({ optional: true })
  reviewer_username?: string;

  @Text({ optional: true })
  my_reaction_emoji?: string;
}

/** Filters and order of the merge requests of a deployment: those of every list of merge requests. */
export class ListDeploymentMergeRequests extends FindDeployment {
  @OneOf(['opened', 'closed', 'locked', 'merged', 'all'], { optional: true })
  state?: string;

  @OneOf(ORDERS, { optional: true })
  order_by?: string;

  @OneOf(['asc', 'desc'], { optional: true })
  sort?: string;

  @OneOf(SCOPES, { optional: true })
  scope?: string;

  @OneOf(['simple'], { optional: true })
  view?: string;

  @ExclusiveWith(['author_username'])
  @Integer({ optional: true })
  author_id?: number;

  @Text({ optional: true })
  author_username?: string;

  @ExclusiveWith(['assignee_username'])
  @Text({ optional: true, matches: ID_OR_ANY, description: 'An id, None or Any' })
  assignee_id?: string;

  @List(Text(), { optional: true, commaSeparated: true })
  assignee_username?: string[];

  @ExclusiveWith(['reviewer_username'])
  @Text({ optional: true, matches: ID_OR_ANY, description: 'An id, None or Any' })
  reviewer_id?: string;

  @Text({ optional: true })
  reviewer_username?: string;

  @List(Text(), { optional: true, commaSeparated: true, description: 'Names, None or Any' })
  labels?: string[];

  @Text({ optional: true, description: 'Title, None or Any' })
  milestone?: string;

  @Text({ optional: true, description: 'Name of an emoji, None or Any' })
  my_reaction_emoji?: string;

  @Flag({ optional: true })
  with_labels_details?: boolean;

  @Flag({ optional: true })
  with_merge_status_recheck?: boolean;

  @IsoTime({ optional: true })
  created_after?: Date;

  @IsoTime({ optional: true })
  created_before?: Date;

  @IsoTime({ optional: true })
  updated_after?: Date;

  @IsoTime({ optional: true })
  updated_before?: Date;

  @IsoTime({ optional: true })
  deployed_after?: Date;

  @IsoTime({ optional: true })
  deployed_before?: Date;

  @Text({ optional: true })
  environment?: string;

  @Text({ optional: true })
  source_branch?: string;

  @Integer({ optional: true })
  source_project_id?: number;

  @Text({ optional: true })
  target_branch?: string;

  @Text({ optional: true })
  search?: string;

  @Text({ optional: true, matches: /^(title|description)(,(title|description))*$/ })
  in?: string;

  @OneOf(['yes', 'no'], { optional: true })
  wip?: string;

  @OneOf(['yes', 'no'], { optional: true })
  approved?: string;

  @Nested(() => UnwantedMergeRequests, { optional: true })
  not?: UnwantedMergeRequests;
}
