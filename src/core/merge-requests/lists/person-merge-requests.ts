import type { Actor } from '#kernel/access/caller.js';
import { Role } from '#kernel/access/roles.js';
import type { MergePlan } from '#kernel/database/lists/merged-list-query.js';
import { MERGE_REQUEST } from '#core/issuables/issuable-kind.js';
import { personOf } from '#core/issuables/lists/list-starts.js';
import { planOfPerson } from '#core/issuables/lists/person-plan.js';
import { sumOverProjects, totalFor } from '#core/issuables/tallies/tally.sql.js';
import { readableProjects } from '#core/projects/lists/readable-projects.js';
import { authorizedSql } from '#core/projects/lists/visible-projects.js';
import type { ListMergeRequestsParams } from './list-merge-requests.params.js';
import { isUnfiltered } from './merge-request-filters.js';

/** Roles that reach merge requests of private projects, and those that reach them where only the code is for members. */
const MEMBERS = { least: 'select id from mine', any: 'select id from met' };

const tables = (userId: number): { sql: string; values: number[] } => ({
  sql: `mine as materialized (select a.id from (${authorizedSql(Role.Reporter)}) a),
    met as materialized (select a.id from (${authorizedSql(Role.Guest)}) a)`,
  values: [userId, userId],
});

/** The list of all merge requests that somebody has written, is assigned to or asked to review; null where it is about nobody or has another order. */
export function planOfPersonsMergeRequests(
  actor: Actor | null,
  params: ListMergeRequestsParams,
): { plan: MergePlan; rest: ListMergeRequestsParams } | null {
  const person = personOf(actor, params);
  if (!person) return null;
  const { link, id, rest } = person;
  const readable = readableProjects(actor, 'merge_requests', Role.Reporter, MEMBERS);
  const shown = `${readable.sql}${params.non_archived === false ? '' : ' and not p.archived'}`;
  const total = totalFor(sumOverProjects('merge_request', link, shown), rest, isUnfiltered);
  const table = actor && !actor.admin ? tables(actor.id) : undefined;
  return { plan: planOfPerson(MERGE_REQUEST, { link, userId: id, shown, table, total }), rest };
}
