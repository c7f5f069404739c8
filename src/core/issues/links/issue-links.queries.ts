import { Injectable } from '@nestjs/common';
import type { Caller } from '#kernel/access/caller.js';
import { ListQuery, type ListShape } from '#kernel/database/lists/list-query.js';
import { ReadDatabase } from '#kernel/database/reads/read-database.js';
import { isoTimeSql } from '#kernel/database/time.sql.js';
import { notFound } from '#kernel/http/errors.js';
import { authorJoin } from '#core/issuables/issuable-columns.sql.js';
import { issueCounts } from '../issue-counts.js';
import { ISSUE_COLUMNS, type IssueRow } from '../issue.record.js';
import { visibleIssues } from '../lists/issue-visibility.js';
import type { LinkType } from './issue-link.record.js';

/** A linked issue with its link. */
export interface RelatedIssueRow extends IssueRow {
  readonly issue_link_id: number;
  readonly link_type: LinkType;
  readonly link_created_at: string;
  readonly link_updated_at: string;
}

/** Row of a link. */
export interface IssueLinkRow {
  readonly id: number;
  readonly source_id: number;
  readonly target_id: number;
  readonly link_type: LinkType;
  /** Project of the other issue. */
  readonly other_project_id: number;
  readonly other_iid: number;
}

/** Type of link `l` from the view of issue `i`: the table stores only the direction in which the link was created. */
const TYPE = `case when l.source_id <> i.id or l.link_type = 'relates_to' then l.link_type
  when l.link_type = 'blocks' then 'is_blocked_by' else 'blocks' end`;

const RELATED: ListShape = {
  kind: 'Issue Link',
  select: `${ISSUE_COLUMNS}, l.id as issue_link_id, ${TYPE} as link_type, ${isoTimeSql('l.created_at')} as link_created_at,
    ${isoTimeSql('l.updated_at')} as link_updated_at`,
  from: `issue_links l join issues i on i.id in (l.source_id, l.target_id) join projects p on p.id = i.project_id ${authorJoin('i')}`,
  countFrom:
    'issue_links l join issues i on i.id in (l.source_id, l.target_id) join projects p on p.id = i.project_id',
  key: 'l.id',
};

const ONE = `select l.id, l.source_id, l.target_id, l.link_type, o.project_id as other_project_id, o.iid as other_iid
  from issue_links l join issues o on o.id = case when l.source_id = $2 then l.target_id else l.source_id end
  where l.id = $1 and $2::bigint in (l.source_id, l.target_id)`;

/** Reads links between issues. */
@Injectable()
export class IssueLinksQueries {
  constructor(private readonly database: ReadDatabase) {}

  /** Lists the linked issues that the caller may read, in the order of their links. */
  related(caller: Caller, issueId: number): ListQuery<RelatedIssueRow> {
    const visible = visibleIssues(caller.actor);
    const counts = issueCounts(caller.actor);
    return new ListQuery<RelatedIssueRow>(RELATED)
      .show(counts.sql, ...counts.values)
      .where(
        'l.id in (select s.id from issue_links s where s.source_id = ? union all select t.id from issue_links t where t.target_id = ?)',
        issueId,
        issueId,
      )
      .where('i.id <> ?', issueId)
      .where(visible.sql, ...visible.values)
      .orderBy('l.id', 'asc');
  }

  /** Returns a link of an issue. @throws 404 */
  async find(id: number, issueId: number): Promise<IssueLinkRow> {
    const row = await this.database.one<IssueLinkRow>(ONE, [id, issueId]);
    if (!row) throw notFound('Issue Link');
    return row;
  }
}
