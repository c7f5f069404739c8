import { Injectable } from '@nestjs/common';
import type { Actor, Caller } from '#kernel/access/caller.js';
import { Role, Tier } from '#kernel/access/roles.js';
import type { ListQuery } from '#kernel/database/lists/list-query.js';
import { Transactions } from '#kernel/database/transactions.js';
import { unauthorized } from '#kernel/http/errors.js';
import { Links } from '#kernel/http/links.js';
import type { Page } from '#kernel/http/paging/page.js';
import { Jobs } from '#kernel/queue/jobs.js';
import { LIVE_COUNT_SQL } from '#core/iids/internal-ids.service.js';
import { MERGE_REQUEST } from '#core/issuables/issuable-kind.js';
import { startsFromFew } from '#core/issuables/lists/starts-from-few.js';
import { userNotesCount } from '#core/issuables/user-notes.sql.js';
import {
  readableProjects,
  reportsBelow,
  reportsIn,
  type SqlPiece,
} from '#core/projects/lists/readable-projects.js';
import { FollowMergeRequestJob } from '../code/following/follow-merge-request.job.js';
import {
  ListMergeRequestsParams,
  type ListProjectMergeRequestsParams,
  type MergeRequestFilters,
} from './list-merge-requests.params.js';
import { isOfApprovers } from '../approvals/approval-filters.js';
import { filterMergeRequests, isUnfiltered, orderMergeRequests } from './merge-request-filters.js';
import { planOfProject, planOfProjects, projectsOfGroup } from './merge-request-list-plans.js';
import { planOfPersonsMergeRequests } from './person-merge-requests.js';
import { presentSimpleMergeRequest } from '../records/merge-request-simple.record.js';
import type { MergeStatus } from '../merge-request.entity.js';
import type { MergeRequestRow } from '../merge-request.row.js';
import { MergeRequestsQueries } from '../merge-requests.queries.js';
import { presentMergeRequest } from '../records/merge-request.presenter.js';

/** The total of all merge requests of the projects `s`. */
const SUM_OF_COUNTERS = `select coalesce(sum(c.live_count), 0)::bigint from s join internal_ids c on c.project_id = s.project_id and c.usage = 'merge_requests'`;

/** What says nothing of whether something can be merged now. */
const UNKNOWN: ReadonlySet<MergeStatus> = new Set(['unchecked', 'checking', 'cannot_be_merged_recheck']);

/** Whether it is about what somebody is asked to review, or has approved. */
const isOfReviewer = (params: MergeRequestFilters, tier: Tier): boolean =>
  params.scope?.startsWith('reviews') === true ||
  typeof params.reviewer_id === 'number' ||
  params.reviewer_username !== undefined ||
  (tier >= Tier.Premium && isOfApprovers(params));

/** A list with some of the merge requests that there are. */
export type Narrowing = (query: ListQuery<MergeRequestRow>) => unknown;

/** Lists of merge requests, filtered and ordered as their callers ask. */
@Injectable()
export class MergeRequestListQueries {
  constructor(
    private readonly queries: MergeRequestsQueries,
    private readonly links: Links,
    private readonly transactions: Transactions,
    private readonly jobs: Jobs,
  ) {}

  /** Those of the caller's project, which the guards have let them into. */
  ofProject(caller: Caller, params: ListProjectMergeRequestsParams, page: Page): Promise<object[]> {
    const id = caller.subject?.id ?? 0;
    const planned = planOfProject(caller.actor, id, params);
    if (planned) {
      const query = this.queries.merged(planned.plan, params);
      if (params.iids?.length) query.where('m.iid = any(?::bigint[])', params.iids);
      return this.show(query, reportsBelow(caller), caller, planned.rest, page);
    }
    return this.load('project', caller, params, page, (query) => {
      query.where('m.project_id = ?', id);
      if (params.iids?.length) query.where('m.iid = any(?::bigint[])', params.iids);
      if (isUnfiltered(params)) query.totalWithRows(LIVE_COUNT_SQL, id, 'merge_requests');
    });
  }

  /** Those of the projects of the caller's group and its subgroups that they may read. */
  ofGroup(
    caller: Caller,
    params: ListMergeRequestsParams,
    page: Page,
    narrow?: Narrowing,
  ): Promise<object[]> {
    const projects = projectsOfGroup(caller, params);
    // What narrows the list leaves few, and has an index of its own.
    const plan = narrow ? null : planOfProjects(caller.actor, projects, params);
    if (plan) {
      const total = isUnfiltered(params) ? SUM_OF_COUNTERS : plan.plan.total;
      const query = this.queries.merged({ ...plan.plan, total }, params);
      return this.show(query, reportsBelow(caller), caller, plan.rest, page);
    }
    return this.load('project', caller, params, page, (query) => {
      query.where(`m.project_id in (select v.project_id from (${projects.sql}) v)`, ...projects.values);
      narrow?.(query);
    });
  }

  /** Those of everywhere that the caller may read: their own unless they ask for others. @throws 401 where somebody anonymous asks for theirs */
  everywhere(caller: Caller, params: ListMergeRequestsParams, page: Page): Promise<object[]> {
    const scope = params.scope ?? 'created_by_me';
    if (!caller.actor && scope !== 'all') throw unauthorized();
    const scoped = Object.assign(new ListMergeRequestsParams(), params, { scope });
    const person = planOfPersonsMergeRequests(caller.actor, scoped);
    if (person) {
      const query = this.queries.merged(person.plan, params);
      return this.show(query, reportsIn(caller.actor), caller, person.rest, page);
    }
    const isFew = startsFromFew(scoped) || isOfReviewer(scoped, caller.tier);
    return this.load(isFew ? 'few' : 'many', caller, scoped, page, (query) => {
      this.keepReadable(query, caller.actor);
      if (params.non_archived ?? true) query.where('not p.archived');
      if (scope === 'all') query.long();
    });
  }

  /**
   * Those that `narrow` leaves, filtered and ordered: for lists of other things, whose
   * callers may read what it leaves. `of` as in `MergeRequestQueries.list`; with `project` all are of the caller's project, or below their group.
   */
  load(
    of: 'project' | 'many' | 'few',
    caller: Caller,
    params: MergeRequestFilters,
    page: Page,
    narrow: Narrowing,
  ): Promise<object[]> {
    const query = this.queries.list(of, params.with_labels_details);
    narrow(query);
    const reports = of === 'project' ? reportsBelow(caller) : reportsIn(caller.actor);
    return this.show(query, reports, caller, params, page);
  }

  /** Keeps those whose project lets the caller read its merge requests. */
  keepReadable(query: ListQuery<MergeRequestRow>, actor: Actor | null): void {
    const { sql, values } = readableProjects(actor, 'merge_requests', Role.Reporter);
    query.where(sql, ...values);
  }

  private async show(
    query: ListQuery<MergeRequestRow>,
    reports: SqlPiece,
    caller: Caller,
    params: MergeRequestFilters,
    page: Page,
  ): Promise<object[]> {
    const notes = userNotesCount(MERGE_REQUEST, reports);
    query.show(notes.sql, ...notes.values);
    filterMergeRequests(query, params, caller);
    orderMergeRequests(query, params);
    const rows = await page.load(query);
    if (params.with_merge_status_recheck && caller.actor) await this.recheck(rows);
    const viewedFrom = caller.subject?.fullPath ?? null;
    return rows.map((row) =>
      params.view === 'simple'
        ? presentSimpleMergeRequest(row, this.links)
        : presentMergeRequest(row, this.links, viewedFrom),
    );
  }

  /** Has the branches looked at of those of which nobody knows whether they can be merged. */
  private async recheck(rows: readonly MergeRequestRow[]): Promise<void> {
    const unknown = rows.filter(
      ({ state, merge_status: status }) => state === 'opened' && UNKNOWN.has(status),
    );
    if (unknown.length === 0) return;
    const wanted = unknown.map(({ id }) => ({ id, userId: null, head: null }));
    await this.transactions.run((tx) => this.jobs.enqueueAll(tx, FollowMergeRequestJob, wanted));
  }
}
