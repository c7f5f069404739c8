import { Injectable } from '@nestjs/common';
import type { Caller } from '#kernel/access/caller.js';
import { ListQuery, type ListShape } from '#kernel/database/lists/list-query.js';
import { MergedListQuery, type MergePlan } from '#kernel/database/lists/merged-list-query.js';
import { ReadDatabase } from '#kernel/database/reads/read-database.js';
import { isoTimeSql } from '#kernel/database/time.sql.js';
import { notFound } from '#kernel/http/errors.js';
import { fewIssuablesFrom } from '#core/issuables/issuable-columns.sql.js';
import { MERGE_REQUEST } from '#core/issuables/issuable-kind.js';
import { userNotesCount } from '#core/issuables/user-notes.sql.js';
import { numbered } from '#core/notes/note-origins.service.js';
import { reportsIn } from '#core/projects/lists/readable-projects.js';
import { subscribedSql } from '#core/subscriptions/subscribed.sql.js';
import type { MergeRequestFilters } from './lists/list-merge-requests.params.js';
import { REVIEWER_COLUMNS, type ReviewerRow } from './records/reviewer.record.js';
import {
  MR_COLUMNS,
  MR_COLUMNS_WITH_LABEL_DETAILS,
  MR_FROM,
  type MergeRequestRow,
} from './merge-request.row.js';

/** A merge request with what single records show besides. */
export interface MergeRequestDetailRow extends MergeRequestRow {
  readonly subscribed: boolean;
  readonly changes_count: string | null;
  readonly merge_error: string | null;
  readonly first_deployed_to_production_at: string | null;
  readonly is_rebasing: boolean;
  readonly head_pipeline_id: number | null;
  readonly first_contribution: boolean;
}

const shape = (
  select: string,
  deepFrom: string,
  countFrom = deepFrom,
  from: string = MR_FROM,
): ListShape => ({
  kind: 'MergeRequest',
  select,
  from,
  countFrom,
  deepFrom,
  key: 'm.id',
});

const OF_PROJECT = 'merge_requests m';
const OF_MANY = 'merge_requests m join projects p on p.id = any(array[m.project_id])';
/** What is counted has no order that a join could lose. */
const COUNT_OF_MANY = 'merge_requests m join projects p on p.id = m.project_id';

const few = (select: string): ListShape =>
  shape(select, COUNT_OF_MANY, COUNT_OF_MANY, fewIssuablesFrom(MERGE_REQUEST));

/** By the tables of the filters and whether labels come with details. */
const SHAPES = {
  project: [shape(MR_COLUMNS, OF_PROJECT), shape(MR_COLUMNS_WITH_LABEL_DETAILS, OF_PROJECT)],
  many: [
    shape(MR_COLUMNS, OF_MANY, COUNT_OF_MANY),
    shape(MR_COLUMNS_WITH_LABEL_DETAILS, OF_MANY, COUNT_OF_MANY),
  ],
  few: [few(MR_COLUMNS), few(MR_COLUMNS_WITH_LABEL_DETAILS)],
} as const;

const FIND = `${MR_COLUMNS}, case when $3::bigint is null then false else ${subscribedSql('MergeRequest', 'm.id', '$3::bigint')} end as subscribed,
    m.changes_count, m.merge_error, ${isoTimeSql('m.first_deployed_to_production_at')} as first_deployed_to_production_at,
    m.rebasing_since is not null as is_rebasing, m.head_pipeline_id,
    not exists (select 1 from merge_requests o where o.author_id = m.author_id and o.project_id = m.project_id
      and o.state = 'merged' and o.id <> m.id) as first_contribution
  from ${MR_FROM} where m.project_id = $1 and m.iid = $2`;

const REVIEWERS: ListShape = {
  kind: 'Reviewer',
  select: REVIEWER_COLUMNS,
  from: 'merge_request_reviewers r join users u on u.id = r.user_id',
  key: 'u.id',
};

/** Reading merge requests. */
@Injectable()
export class MergeRequestsQueries {
  constructor(private readonly database: ReadDatabase) {}

  /** All merge requests there are, for a list to filter and order: by columns of `m` alone, or of their projects `p` too. */
  list(of: keyof typeof SHAPES, withLabelDetails = false): ListQuery<MergeRequestRow> {
    return new ListQuery<MergeRequestRow>(SHAPES[of][withLabelDetails ? 1 : 0]);
  }

  /** Those of the short lists of a plan, for a list to filter and order. */
  merged(
    plan: MergePlan,
    { with_labels_details: details, sort = 'desc' }: MergeRequestFilters,
  ): ListQuery<MergeRequestRow> {
    return new MergedListQuery<MergeRequestRow>(SHAPES.project[details ? 1 : 0], plan, sort);
  }

  /** One merge request, of the caller's project unless another is named, as the caller sees it. @throws 404 */
  async find(
    { actor, subject }: Caller,
    iid: number,
    projectId: number = subject?.id ?? 0,
  ): Promise<MergeRequestDetailRow> {
    const values = [projectId, iid, actor?.id ?? null];
    const notes = numbered(userNotesCount(MERGE_REQUEST, reportsIn(actor)), values.length);
    const row = await this.database.one<MergeRequestDetailRow>(`select ${notes.sql}, ${FIND}`, [
      ...values,
      ...notes.values,
    ]);
    if (!row) throw notFound('Merge Request');
    return row;
  }

  /** Those who were asked to review a merge request. */
  reviewers(id: number): ListQuery<ReviewerRow> {
    return new ListQuery<ReviewerRow>(REVIEWERS).where('r.merge_request_id = ?', id).orderBy('u.id', 'asc');
  }
}
