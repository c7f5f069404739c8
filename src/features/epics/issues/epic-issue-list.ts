import type { UserCaller } from '#kernel/access/caller.js';
import { Role } from '#kernel/access/roles.js';
import { ListQuery, type KeysetOrder, type Statement } from '#kernel/database/lists/list-query.js';
import { authorJoin } from '#core/issuables/issuable-columns.sql.js';
import { issueCounts } from '#core/issues/issue-counts.js';
import { numberedEpicSql } from '#core/issues/epics/issue-epic.sql.js';
import { ISSUE_COLUMNS, issueColumns, type IssueRow } from '#core/issues/issue.record.js';
import { projectRoleSql } from '#core/members/sql/role.sql.js';
import { numbered } from '#core/notes/note-origins.service.js';
import type { SqlPiece } from '#core/projects/lists/readable-projects.js';

/** An issue with its position in an epic. */
export interface EpicIssueRow extends IssueRow {
  readonly epic_issue_id: number;
  readonly relative_position: number;
}

/** Select list of an association, over `epic_issues x`. */
const LINK = 'x.id as epic_issue_id, x.relative_position';

/** Select list of an `EpicIssueRow` without `issueCounts`. */
export const EPIC_ISSUE_COLUMNS = `${ISSUE_COLUMNS}, ${LINK}`;

/** Select list for issues of the epic $2 in the group $1. */
const COLUMNS = `${issueColumns(false, numberedEpicSql('$1::bigint', '$2::bigint'))}, ${LINK}`;

/** Epics with up to this many issues are counted together with their rows. */
const COUNTED_WITH_ROWS = 200;

const LEVEL = `coalesce(p.settings->>'issues_access_level', 'enabled')`;

/**
 * The caller's role in the project of an issue: that in the epic's group, if it suffices and the project is
 * below. $3: role in the group, $4: the caller, $5: whether an administrator.
 */
const ROLE = `case when $5::boolean then ${Role.Admin} when $3::int >= ${Role.Reporter} and n.traversal_ids @> array[$1::bigint] then $3::int
  else ${projectRoleSql('$4::bigint', 'p', 'n')} end`;

/**
 * The issues of the epic $2 in the group $1 that the caller can read, by the rules of `visibleIssues`; $6:
 * whether internal projects are visible.
 */
const VISIBLE = `epics e join epic_issues x on x.epic_id = e.id
    cross join lateral (select i.project_id, i.confidential, i.author_id from issues i where i.id = x.issue_id offset 0) i
    cross join lateral (select ${ROLE} as role, (p.visibility = 'public' or p.visibility = 'internal' and $6::boolean) and ${LEVEL} <> 'private' as open
      from projects p join namespaces n on n.id = p.namespace_id where p.id = i.project_id and not p.pending_delete and ${LEVEL} <> 'disabled' offset 0) p
  where e.group_id = $1::bigint and e.iid = $2::bigint and (not e.confidential or $3::int >= ${Role.Reporter})
    and (p.open or p.role >= ${Role.Guest})
    and (not i.confidential or p.role >= ${Role.Reporter} or i.author_id = $4::bigint
      or exists (select 1 from issue_assignees va where va.issue_id = x.issue_id and va.user_id = $4::bigint))`;

/** The role in the project of an issue is part of the rows of a page. */
const REPORTS: SqlPiece = { sql: `x.role >= ${Role.Reporter}`, values: [] };

/** By the id of the association, `epic_issue_id` in rows. */
const BY_ID: KeysetOrder = {
  columns: [{ sql: 'x.id', property: 'epic_issue_id', type: 'bigint' }],
  directions: ['asc', 'desc'],
};

/**
 * The issues of an epic that the caller can read, in order; none if the caller may not read the epic, or it
 * does not exist.
 */
export class EpicIssueList extends ListQuery<EpicIssueRow> {
  private readonly base: readonly unknown[];
  private readonly counts: SqlPiece;

  constructor(caller: UserCaller, iid: number) {
    super({ kind: 'EpicIssue', select: '', from: '', key: 'x.id', keyset: { id: BY_ID } });
    const actor = caller.actor;
    const { id, admin, external } = actor;
    this.counts = issueCounts(actor, REPORTS);
    this.base = [caller.subject?.id, iid, caller.role, id, admin, !external];
  }

  override pageStatement(limit: number, offset: number): Statement {
    const most = Math.max(COUNTED_WITH_ROWS + 1, limit + offset);
    const total = '(select case when count(*) < $7 then count(*) end from keys) as page_total';
    const by = 'x.relative_position, x.id';
    const values = [...this.base, most, limit, offset];
    const { sql, values: own } = numbered(this.counts, values.length);
    return {
      text: page('', by, `${sql}, ${total}`, 'limit $8 offset $9'),
      values: [...values, ...own],
    };
  }

  override keysetStatement(
    _order: KeysetOrder,
    direction: 'asc' | 'desc',
    after: readonly unknown[] | null,
    limit: number,
  ): Statement {
    const behind = after ? `and x.id ${direction === 'asc' ? '>' : '<'} $8::bigint` : '';
    const values = [...this.base, limit, ...(after ?? [])];
    const { sql, values: own } = numbered(this.counts, values.length);
    return { text: page(behind, `x.id ${direction}`, sql, ''), values: [...values, ...own] };
  }

  override countStatement(limit: number): Statement {
    const text = `select count(*) as total from (select 1 from ${VISIBLE} limit $7) counted`;
    return { text, values: [...this.base, limit] };
  }
}

/** Finds the keys of the page first, then only its rows by id (`offset 0` prevents scanning whole tables). */
const page = (behind: string, by: string, alsoRead: string, take: string): string =>
  `with keys as materialized (select x.id, x.issue_id, x.relative_position, p.role from ${VISIBLE} ${behind} order by ${by} limit $7),
    page as (select * from keys x order by ${by} ${take})
  select ${COLUMNS}, ${alsoRead} from page x join issues i on i.id = any(array[x.issue_id])
    cross join lateral (select p.full_path from projects p where p.id = i.project_id offset 0) p ${authorJoin('i')}
  order by ${by}`;
