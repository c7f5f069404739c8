import type { Actor } from '#kernel/access/caller.js';
import { Role } from '#kernel/access/roles.js';
import { ISSUE } from '#core/issuables/issuable-kind.js';
import { userNotesCount } from '#core/issuables/user-notes.sql.js';
import { readableEach, reportsIn, type SqlPiece } from '#core/projects/lists/readable-projects.js';

/**
 * Merge requests that the caller may read and that close the issue `i`, which only those into the default
 * branch do. `= any(array[...])` is an equality that is looked up row by row, for any number of projects.
 */
function closers(actor: Actor | null): SqlPiece {
  const { sql, values } = readableEach(actor, 'merge_requests', Role.Reporter);
  return {
    sql: `(select count(*)::int from merge_requests_closing_issues mc join merge_requests mr on mr.id = mc.merge_request_id
    join projects p on p.id = any(array[mr.project_id]) and p.default_branch = mr.target_branch
    join namespaces pn on pn.id = any(array[p.namespace_id]) where mc.issue_id = i.id and ${sql}) as merge_requests_count`,
    values,
  };
}

/** Select list of the counts in an `IssueRow` that depend on the caller; `reports` as in `userNotesCount`. */
export function issueCounts(actor: Actor | null, reports: SqlPiece = reportsIn(actor)): SqlPiece {
  const notes = userNotesCount(ISSUE, reports);
  const merges = closers(actor);
  return { sql: `${notes.sql}, ${merges.sql}`, values: [...notes.values, ...merges.values] };
}
