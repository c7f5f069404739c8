import { Injectable } from '@nestjs/common';
import type { Actor, Caller, GroupCaller, ProjectCaller } from '#kernel/access/caller.js';
import { Role, Tier } from '#kernel/access/roles.js';
import type { ListQuery } from '#kernel/database/lists/list-query.js';
import { MergedListQuery } from '#kernel/database/lists/merged-list-query.js';
import { unauthorized } from '#kernel/http/errors.js';
import { Links } from '#kernel/http/links.js';
import type { Page } from '#kernel/http/paging/page.js';
import { MERGE_REQUEST } from '#core/issuables/issuable-kind.js';
import { ALL, IssuableLists, type Narrowing } from '#core/issuables/lists/issuable-lists.js';
import { personOf } from '#core/issuables/lists/list-starts.js';
import { shapesOf } from '#core/issuables/lists/listed-kind.js';
import { startsFromFew } from '#core/issuables/lists/starts-from-few.js';
import { userNotesCount } from '#core/issuables/user-notes.sql.js';
import { readableProjects } from '#core/projects/lists/readable-projects.js';
import {
  ListMergeRequestsParams,
  type ListProjectMergeRequestsParams,
  type MergeRequestFilters,
} from './list-merge-requests.params.js';
import { isOfApprovers } from '../approvals/approval-filters.js';
import { filterMergeRequests, orderMergeRequests } from './merge-request-filters.js';
import { RecheckMergeStatuses } from './recheck-merge-statuses.use-case.js';
import { presentSimpleMergeRequest } from '../records/merge-request-simple.record.js';
import { mergeRequestColumns, type MergeRequestRow } from '../merge-request.row.js';
import { presentMergeRequest } from '../records/merge-request.presenter.js';

/** Returns whether the filters are about a reviewer or approver. */
const isOfReviewer = (params: MergeRequestFilters, tier: Tier): boolean =>
  params.scope?.startsWith('reviews') === true ||
  typeof params.reviewer_id === 'number' ||
  params.reviewer_username !== undefined ||
  (tier >= Tier.Premium && isOfApprovers(params));

/** Parameters of the lists of projects and groups. */
type Filters = ListMergeRequestsParams & ListProjectMergeRequestsParams;

const LISTS = new IssuableLists<MergeRequestRow, Filters>({
  kind: MERGE_REQUEST,
  tallied: 'merge_request',
  part: 'merge_requests',
  least: Role.Reporter,
  hidesSome: false,
  personBelow: personOf,
  shapes: shapesOf(MERGE_REQUEST, mergeRequestColumns),
  counters: { all: 'c.live_count' },
  visible: { inProject: () => ALL, below: () => ALL, anywhere: () => ALL },
  counts: (_actor, reports) => userNotesCount(MERGE_REQUEST, reports),
  filter: filterMergeRequests,
  order: orderMergeRequests,
  isFew: (params, { tier }) => startsFromFew(params) || isOfReviewer(params, tier),
});

/** Lists merge requests with filters and orders. */
@Injectable()
export class MergeRequestListQueries {
  constructor(
    private readonly links: Links,
    private readonly rechecks: RecheckMergeStatuses,
  ) {}

  /** Lists those of the caller's project, whose access the guards have checked. */
  ofProject(caller: ProjectCaller, params: ListProjectMergeRequestsParams, page: Page): Promise<object[]> {
    return this.load(LISTS.ofProject(caller, params), caller, params, page);
  }

  /** Lists those of the projects below the caller's group that the caller may read. */
  ofGroup(
    caller: GroupCaller,
    params: ListMergeRequestsParams,
    page: Page,
    narrow?: Narrowing,
  ): Promise<object[]> {
    return this.load(LISTS.ofGroup(caller, params, narrow), caller, params, page);
  }

  /**
   * Lists all that the caller may read, by default the caller's own. @throws 401 if an anonymous caller
   * requests own ones
   */
  everywhere(caller: Caller, params: ListMergeRequestsParams, page: Page): Promise<object[]> {
    const scope = params.scope ?? 'created_by_me';
    if (!caller.actor && scope !== 'all') throw unauthorized();
    const scoped = Object.assign(new ListMergeRequestsParams(), params, { scope });
    const query = LISTS.everywhere(caller, scoped);
    if (scope === 'all' && !(query instanceof MergedListQuery)) query.long();
    return this.load(query, caller, params, page);
  }

  /** Lists those that `narrow` keeps; see `IssuableLists.narrowed`. */
  narrowed(
    of: 'project' | 'many',
    caller: Caller,
    params: MergeRequestFilters,
    page: Page,
    narrow: Narrowing,
  ): Promise<object[]> {
    return this.load(LISTS.narrowed(of, caller, params, narrow), caller, params, page);
  }

  /** Keeps those of projects whose merge requests the caller may read. */
  keepReadable(query: ListQuery<object>, actor: Actor | null): void {
    const { sql, values } = readableProjects(actor, 'merge_requests', Role.Reporter);
    query.where(sql, ...values);
  }

  private async load(
    query: ListQuery<MergeRequestRow>,
    { actor, subject }: Caller,
    params: MergeRequestFilters,
    page: Page,
  ): Promise<object[]> {
    const rows = await page.load(query);
    if (params.with_merge_status_recheck && actor) await this.rechecks.run(rows);
    const viewedFrom = subject?.fullPath ?? null;
    return rows.map((row) =>
      params.view === 'simple'
        ? presentSimpleMergeRequest(row, this.links)
        : presentMergeRequest(row, this.links, viewedFrom),
    );
  }
}
