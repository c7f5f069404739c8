import type { Caller, UserCaller, Actor } from '#kernel/access/caller.js';
import { Role } from '#kernel/access/roles.js';
import { hasGroupRoleSql } from '#core/groups/group-access.sql.js';
import { readableBelow, type SqlPiece } from '#core/projects/lists/readable-projects.js';
import { authorizedSql } from '#core/projects/lists/visible-projects.js';

/** Group and period of a count. */
export interface CountedSpan {
  readonly groupId: number;
  readonly from: Date;
  /** Null for the present. */
  readonly until: Date | null;
}

/** Metrics of a group. */
export type GroupMetric = 'issues' | 'merge_requests' | 'new_members';

/** Returns the statement that counts a metric for a caller, in a column `total`; a `?` for each value. */
export function countSql(metric: GroupMetric, caller: UserCaller, span: CountedSpan): SqlPiece {
  if (metric === 'issues') return countIssues(caller, span);
  return metric === 'merge_requests' ? countMergeRequests(caller, span) : countNewMembers(caller.actor, span);
}

/** SQL for the projects below a group whose part the caller may read. */
function projects(readable: SqlPiece, { groupId }: CountedSpan, columns: SqlPiece): SqlPiece {
  return {
    sql: `select p.id${columns.sql} from namespaces n join projects p on p.namespace_id = n.id
      where n.traversal_ids @> array[?::bigint] and ${readable.sql}`,
    values: [...columns.values, groupId, ...readable.values],
  };
}

const between = (column: string, { until }: CountedSpan): string =>
  `${column} >= ?${until === null ? '' : ` and ${column} <= ?`}`;

const times = ({ from, until }: CountedSpan): unknown[] => (until === null ? [from] : [from, until]);

/** SQL for the number of issuables of the projects `seen`, by an index-only scan. */
function countIssuables(table: 'issues' | 'merge_requests', seen: SqlPiece, span: CountedSpan): SqlPiece {
  const sql = `with seen as materialized (${seen.sql})
    select coalesce(sum((select count(*) from ${table} t where t.project_id = s.id and ${between('t.created_at', span)})), 0)::bigint
      as total from seen s`;
  return { sql, values: [...seen.values, ...times(span)] };
}

/**
 * SQL for all issues by an index-only scan, minus the confidential ones hidden from the caller: few, and none
 * for Reporters.
 */
function countIssues(caller: UserCaller, span: CountedSpan): SqlPiece {
  const actor = caller.actor;
  const readable = readableBelow(caller, 'issues', Role.Guest);
  if (caller.role >= Role.Reporter)
    return countIssuables('issues', projects(readable, span, { sql: '', values: [] }), span);
  const trusted = { sql: `, p.id in (${authorizedSql(Role.Reporter)}) as trusted`, values: [actor.id] };
  const seen = projects(readable, span, trusted);
  const sql = `with seen as materialized (${seen.sql})
    select coalesce(sum((select count(*) from issues i where i.project_id = s.id and ${between('i.created_at', span)})
      - case when s.trusted then 0 else (
        select count(*) from issues i where i.project_id = s.id and i.confidential and ${between('i.created_at', span)}
          and i.author_id is distinct from ?
          and not exists (select 1 from issue_assignees a where a.issue_id = i.id and a.user_id = ?)) end), 0)::bigint as total
    from seen s`;
  return { sql, values: [...seen.values, ...times(span), ...times(span), actor.id, actor.id] };
}

function countMergeRequests(caller: Caller, span: CountedSpan): SqlPiece {
  const readable = readableBelow(caller, 'merge_requests', Role.Reporter);
  return countIssuables('merge_requests', projects(readable, span, { sql: '', values: [] }), span);
}

/** SQL for users who became members of the group, or of one below it that the caller can see; each once. */
function countNewMembers(actor: Actor, span: CountedSpan): SqlPiece {
  const open = actor.external ? `n.visibility = 'public'` : `n.visibility in ('public', 'internal')`;
  const role = hasGroupRoleSql('?::bigint', String(Role.Minimal));
  const visible: SqlPiece = actor.admin
    ? { sql: 'true', values: [] }
    : { sql: `(${open} or ${role})`, values: [actor.id, actor.id] };
  const sql = `select count(distinct m.user_id) as total from namespaces n
      join members m on m.source_type = 'Namespace' and m.source_id = n.id
      join users u on u.id = m.user_id and u.user_type = 'human'
    where n.traversal_ids @> array[?::bigint] and not n.pending_delete and ${visible.sql}
      and (m.expires_at is null or m.expires_at > current_date) and ${between('m.created_at', span)}`;
  return { sql, values: [span.groupId, ...visible.values, ...times(span)] };
}
