import type { Actor } from '#kernel/access/caller.js';
import { Role } from '#kernel/access/roles.js';
import { ISSUE } from '#core/issuables/issuable-kind.js';
import { userNotesCount } from '#core/issuables/user-notes.sql.js';
import { readableEach, reportsIn, type SqlPiece } from '#core/projects/lists/readable-projects.js';

/**
 * Merge requests that the caller may read and that close the issue `i`: only what goes into the default branch does. `= any(array[...])` is
 * equality that is looked up one by one, however many projects there are.
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

/** The columns of an `IssueRow` that count what the caller may read alone; `reports` as in `userNotesCount`. */
export function issueCounts(actor: Actor | null, reports: SqlPiece = reportsIn(actor)): SqlPiece {
  const notes = userNotesCount(ISSUE, reports);
  const merges = closers(actor);
  return { sql: `${notes.sql}, ${merges.sql}`, values: [...notes.values, ...merges.values] };
}
