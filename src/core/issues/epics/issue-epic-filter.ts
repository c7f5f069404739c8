import type { Actor } from '#kernel/access/caller.js';
import { Role } from '#kernel/access/roles.js';
import type { ListQuery } from '#kernel/database/lists/list-query.js';
import { groupRoleSql } from '#core/members/sql/role.sql.js';
import type { AnyOrNone } from '#core/issuables/lists/any-or-none.js';

const ROLE = groupRoleSql('?::bigint', 'fg');

/** Returns the user's id once per placeholder in `ROLE`. */
const named = (userId: number): number[] => Array.from({ length: ROLE.split('?').length - 1 }, () => userId);

/**
 * Keeps or excludes issues of one epic, of any, or of none. An epic that the caller may not see counts as
 * none, or the filter would reveal it.
 */
export function filterByEpic(
  query: ListQuery<object>,
  epic: number | AnyOrNone | undefined,
  actor: Actor | null,
  which: 'in' | 'out' = 'in',
): void {
  if (epic === undefined) return;
  const isOne = typeof epic === 'number';
  const { sql, values } = readable(actor);
  const found = `from epic_issues fi join epics fe on fe.id = fi.epic_id
      join namespaces fg on fg.id = fe.group_id and not fg.pending_delete
      where fi.issue_id = i.id ${isOne ? 'and fi.epic_id = ?' : ''} and ${sql}`;
  const isWithout = (epic === 'none') === (which === 'in');
  query.where(
    // Looked up issue by issue: a `not exists` may become a join with the issues of all epics.
    isWithout ? `coalesce((select false ${found} limit 1), true)` : `exists (select 1 ${found})`,
    ...(isOne ? [epic] : []),
    ...values,
  );
}

/** SQL condition on an epic `fe` of a group `fg`, as in the views of issues. */
function readable(actor: Actor | null): { readonly sql: string; readonly values: readonly unknown[] } {
  if (actor?.admin) return { sql: 'true', values: [] };
  if (!actor) return { sql: "not fe.confidential and fg.visibility = 'public'", values: [] };
  const open = actor.external ? ['public'] : ['public', 'internal'];
  return {
    sql: `(${ROLE} >= ${Role.Reporter} or not fe.confidential and (fg.visibility = any(?::text[]) or ${ROLE} >= ${Role.Guest}))`,
    values: [...named(actor.id), open, ...named(actor.id)],
  };
}
