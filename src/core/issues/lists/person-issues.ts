import type { Actor } from '#kernel/access/caller.js';
import { Role } from '#kernel/access/roles.js';
import type { MergePlan } from '#kernel/database/lists/merged-list-query.js';
import { ISSUE } from '#core/issuables/issuable-kind.js';
import { personOf } from '#core/issuables/lists/list-starts.js';
import { planOfPerson } from '#core/issuables/lists/person-plan.js';
import { sumOverProjects, totalFor } from '#core/issuables/tallies/tally.sql.js';
import { readableProjects } from '#core/projects/lists/readable-projects.js';
import { authorizedSql } from '#core/projects/lists/visible-projects.js';
import { isUnfiltered } from './issue-filters.js';
import type { ListIssuesParams } from './list-issues.params.js';

/**
 * The list of all issues that somebody has written or is assigned to; `isSelf` where that is the caller, who may read even what is confidential
 * of them: their own are counted with the rows. Null where the list is about nobody or has another order.
 */
export function planOfPersonsIssues(
  actor: Actor | null,
  params: ListIssuesParams,
): { plan: MergePlan; rest: ListIssuesParams; isSelf: boolean } | null {
  const person = personOf(actor, params);
  if (!person) return null;
  const { link, id, rest } = person;
  const isSelf = id === actor?.id;
  const readable = readableProjects(actor, 'issues', Role.Guest, { least: 'select id from mine' });
  const shown = `${readable.sql}${params.non_archived === false ? '' : ' and not p.archived'}`;
  const total = isSelf ? totalFor(sumOverProjects('issue', link, shown), rest, isUnfiltered) : undefined;
  const table =
    actor && !actor.admin
      ? {
          sql: `mine as materialized (select a.id from (${authorizedSql(Role.Guest)}) a)`,
          values: [actor.id],
        }
      : undefined;
  return { plan: planOfPerson(ISSUE, { link, userId: id, shown, table, total }), rest, isSelf };
}
