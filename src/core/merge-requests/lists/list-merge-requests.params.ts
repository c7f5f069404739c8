import { ExclusiveWith } from '#kernel/http/fields/exclusive.js';
import type { FieldClass } from '#kernel/http/fields/field-spec.js';
import { Flag, Id, IsoTime, OneOf, Text } from '#kernel/http/fields/scalar-fields.js';
import { List, Nested } from '#kernel/http/fields/composite-fields.js';
import { IdOrAny, type AnyOrNone } from '#core/issuables/lists/any-or-none.js';
import { ExcludedIssuables, IssuableFilters } from '#core/issuables/lists/issuable-filters.params.js';
import { MERGE_REQUEST_STATES } from '../records/merge-request-simple.record.js';
import type { MergeRequestState } from '../merge-request.entity.js';

const SCOPES = [
  'created_by_me',
  'assigned_to_me',
  'reviews_for_me',
  'all',
  'created-by-me',
  'assigned-to-me',
  'reviews-for-me',
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
  'id',
] as const;

/** Orders of lists of merge requests. */
export type MergeRequestOrder = (typeof ORDERS)[number];

/** Negated filters. */
export class ExcludedMergeRequests extends ExcludedIssuables {
  @ExclusiveWith(['reviewer_username'])
  @Id({ optional: true })
  reviewer_id?: number;

  @Text({ optional: true, maxLength: 255 })
  reviewer_username?: string;

  @Text({ optional: true, maxLength: 1_024 })
  source_branch?: string;

  @Text({ optional: true, maxLength: 1_024 })
  target_branch?: string;
}

/** The shared filters, except those that differ here. */
const SharedFilters = IssuableFilters as FieldClass<Omit<IssuableFilters, 'scope' | 'not'>>;

/** Filters and order of all lists of merge requests (`planning.md` 5.3). */
export class MergeRequestFilters extends SharedFilters {
  @OneOf([...MERGE_REQUEST_STATES, 'all'], { optional: true })
  state?: MergeRequestState | 'all';

  @OneOf(SCOPES, { optional: true })
  scope?: (typeof SCOPES)[number];

  @OneOf(ORDERS, { optional: true, description: 'created_at unless given' })
  order_by?: MergeRequestOrder;

  @OneOf(['simple'], { optional: true })
  view?: 'simple';

  @ExclusiveWith(['reviewer_username'])
  @IdOrAny({ optional: true })
  reviewer_id?: number | AnyOrNone;

  @Text({ optional: true, maxLength: 255 })
  reviewer_username?: string;

  @Text({ optional: true, maxLength: 1_024 })
  source_branch?: string;

  @Id({ optional: true })
  source_project_id?: number;

  @Text({ optional: true, maxLength: 1_024 })
  target_branch?: string;

  @OneOf(['yes', 'no'], { optional: true, description: 'Drafts only, or none' })
  wip?: 'yes' | 'no';

  @OneOf(['yes', 'no'], { optional: true })
  approved?: 'yes' | 'no';

  @List(IdOrAny(), {
    optional: true,
    commaSeparated: true,
    description: 'Approved by all of them; by anyone with Any, by no one with None; premium',
  })
  approved_by_ids?: (number | AnyOrNone)[];

  @ExclusiveWith(['approved_by_ids'])
  @List(Text({ maxLength: 255 }), {
    optional: true,
    commaSeparated: true,
    description: 'Approved by all of them; Any or None as with approved_by_ids; premium',
  })
  approved_by_usernames?: string[];

  @List(IdOrAny(), {
    optional: true,
    commaSeparated: true,
    description:
      'A rule names each of them as a user who is to approve; anybody with Any, nobody with None; premium',
  })
  approver_ids?: (number | AnyOrNone)[];

  @IsoTime({ optional: true })
  deployed_after?: Date;

  @IsoTime({ optional: true })
  deployed_before?: Date;

  @Text({ optional: true, maxLength: 255, description: 'Deployed there' })
  environment?: string;

  @Flag({
    optional: true,
    description: 'Whether to check mergeability where it is unknown',
  })
  with_merge_status_recheck?: boolean;

  @Nested(() => ExcludedMergeRequests, { optional: true })
  not?: ExcludedMergeRequests;
}

/** Parameters of the list of all merge requests. */
export class ListMergeRequestsParams extends MergeRequestFilters {
  @Flag({ optional: true, description: 'Whether those of archived projects are left out; default true' })
  non_archived?: boolean;
}

/** Parameters of the list of a project. */
export class ListProjectMergeRequestsParams extends MergeRequestFilters {
  @List(Id(), { optional: true, commaSeparated: true })
  iids?: number[];
}
