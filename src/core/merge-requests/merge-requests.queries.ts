import { Injectable } from '@nestjs/common';
import type { Caller } from '#kernel/access/caller.js';
import { ListQuery, type ListShape } from '#kernel/database/lists/list-query.js';
import { ReadDatabase } from '#kernel/database/reads/read-database.js';
import { isoTimeSql } from '#kernel/database/time.sql.js';
import { notFound } from '#kernel/http/errors.js';
import { MERGE_REQUEST } from '#core/issuables/issuable-kind.js';
import { userNotesCount } from '#core/issuables/user-notes.sql.js';
import { numbered } from '#core/notes/note-origins.service.js';
import { reportsIn } from '#core/projects/lists/readable-projects.js';
import { subscribedSql } from '#core/subscriptions/subscribed.sql.js';
import { REVIEWER_COLUMNS, type ReviewerRow } from './records/reviewer.record.js';
import { MR_FROM, mergeRequestColumns, type MergeRequestRow } from './merge-request.row.js';

/** A merge request with the additional columns of single records. */
export interface MergeRequestDetailRow extends MergeRequestRow {
  readonly subscribed: boolean;
  readonly changes_count: string | null;
  readonly merge_error: string | null;
  readonly first_deployed_to_production_at: string | null;
  readonly is_rebasing: boolean;
  readonly head_pipeline_id: number | null;
  readonly first_contribution: boolean;
}

const FIND = `${mergeRequestColumns()}, case when $3::bigint is null then false else ${subscribedSql('MergeRequest', 'm.id', '$3::bigint')} end as subscribed,
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

/** Reads single merge requests. */
@Injectable()
export class MergeRequestsQueries {
  constructor(private readonly database: ReadDatabase) {}

  /** Returns a merge request as the caller sees it, by default of the caller's project. @throws 404 */
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

  /** Lists the reviewers of a merge request. */
  reviewers(id: number): ListQuery<ReviewerRow> {
    return new ListQuery<ReviewerRow>(REVIEWERS).where('r.merge_request_id = ?', id).orderBy('u.id', 'asc');
  }
}
