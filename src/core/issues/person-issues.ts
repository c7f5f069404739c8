import type { Actor } from '#kernel/access/caller.js';
import { Role } from '#kernel/access/roles.js';
import type { MergePlan } from '#kernel/database/merged-list-query.js';
import { COUNT_HORIZON } from '#kernel/http/paging/totals.js';
import { readableProjects } from '#core/projects/readable-projects.js';
import { authorizedSql } from '#core/projects/visible-projects.js';
import { isUnfiltered } from './issue-filters.js';
import { without } from './issue-list-plans.js';
import type { ListIssues } from './list-issues.params.js';

/** Whose issues a list shows, by what they have to do with them, and the filters that are left to apply. */
interface Person {
  readonly link: 'author' | 'assignee';
  readonly id: number;
  readonly rest: ListIssues;
}

/** Where each kind of link is kept, with the project of its issue, in the order of creation. */
const LINKS = {
  author: { table: 'issues i', link: 'i', user: 'i.author_id', issue: '', id: 'i.id' },
  assignee: {
    table: 'issue_assignees da',
    link: 'da',
    user: 'da.user_id',
    issue: 'join issues i on i.id = any(array[da.issue_id])',
    id: 'da.issue_id',
  },
} as const;

/** The person whom a list by creation is about, taken out of the filters. */
function personOf(actor: Actor | null, params: ListIssues): Person | null {
  const { scope = 'all', assignee_id: assignee, author_id: author, order_by: order = 'created_at' } = params;
  if (order !== 'created_at') return null;
  if (scope !== 'all') {
    if (!actor) return null;
    const link = scope.startsWith('assigned') ? 'assignee' : 'author';
    return { link, id: actor.id, rest: without(params, 'scope') };
  }
  if (typeof assignee === 'number')
    return { link: 'assignee', id: assignee, rest: without(params, 'assignee_id') };
  return author === undefined ? null : { link: 'author', id: author, rest: without(params, 'author_id') };
}

/**
 * The list of all issues that somebody has written or is assigned to, in the order of an index; `isSelf` where that is the caller, who may read even
 * what is confidential of them. Null where the list is about nobody or has another order. Those of one person are counted with the rows, project by
 * project, as long as they are few enough for a total.
 */
export function planOfPerson(
  actor: Actor | null,
  params: ListIssues,
): { plan: MergePlan; rest: ListIssues; isSelf: boolean } | null {
  const person = personOf(actor, params);
  if (!person) return null;
  const { table, link, user, issue, id } = LINKS[person.link];
  const isSelf = person.id === actor?.id;
  const readable = readableProjects(actor, 'issues', Role.Guest, 'select id from mine').sql;
  const shown = `${readable}${params.non_archived === false ? '' : ' and not p.archived'}`;
  const project = `cross join lateral (select 1 from projects p where p.id = ${link}.project_id and ${shown} offset 0) p`;
  const counted = `with t as materialized (select l.project_id, count(*) as n
        from (select ${link}.project_id from ${table} where ${user} = (select user_id from s) limit ${COUNT_HORIZON}) l group by l.project_id)
      select case when (select sum(n) from t) < ${COUNT_HORIZON} then (select sum(t.n) from t join projects p on p.id = t.project_id where ${shown})::bigint end`;
  const plan = {
    sources: 'select ?::bigint as user_id',
    values: [person.id],
    from: `${table} ${project} ${issue}`,
    where: `${user} = s.user_id`,
    order: `${link}.created_at`,
    id,
    total: isSelf && isUnfiltered(person.rest) ? counted : undefined,
  };
  if (!actor || actor.admin) return { plan, rest: person.rest, isSelf };
  const mine = `mine as materialized (select a.id from (${authorizedSql(Role.Guest)}) a)`;
  return { plan: { ...plan, table: { text: mine, values: [actor.id] } }, rest: person.rest, isSelf };
}
