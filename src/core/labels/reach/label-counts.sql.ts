import { Role } from '#kernel/access/roles.js';
import { projectRoleSql } from '#core/members/sql/role.sql.js';
import { readsPartSql } from '#core/projects/settings/part-level.sql.js';

/** SQL condition: the caller `me` can see the project without a role. */
const OPEN = `(p.visibility = 'public' or p.visibility = 'internal' and me.internal)`;

const reads = (part: 'issues' | 'merge_requests', least: Role): string =>
  readsPartSql('p', part, { role: 'r.role', open: OPEN, least });

/** Role of the caller in a project below the requested group: that in the group, if it suffices. */
const ROLE_BELOW = `(case when me.role >= ${Role.Reporter} then me.role else ${projectRoleSql('me.id', 'p', 'pn')} end)`;

/**
 * Projects in which a label counts: conditions on the project `p` and its namespace `pn`, and the caller's
 * role there.
 */
const SCOPES = {
  Project: { isInside: 'p.id = me.container_id', role: 'me.role' },
  Group: { isInside: 'pn.traversal_ids @> array[me.container_id]', role: ROLE_BELOW },
} as const;

const READABLE = `(not i.confidential or r.role >= ${Role.Reporter} or i.author_id = me.id
  or exists (select 1 from issue_assignees ia where ia.issue_id = i.id and ia.user_id = me.id))`;

/** SQL expression: `LabelCounts` of a label `l` as JSON, for the caller `me` (id, role, internal, container_id). */
export function labelCountsSql(kind: keyof typeof SCOPES): string {
  const { isInside, role } = SCOPES[kind];
  const counted = (table: string, alias: string, link: string, key: string): string =>
    `from ${link} k join ${table} ${alias} on ${alias}.id = k.${key} join projects p on p.id = ${alias}.project_id and not p.pending_delete
    join namespaces pn on pn.id = p.namespace_id cross join lateral (select ${role} as role) r
    where k.label_id = l.id and ${isInside}`;
  return `(
  select jsonb_build_object('open_issues_count', c.opened, 'closed_issues_count', c.closed, 'open_merge_requests_count',
    (select count(*) ${counted('merge_requests', 'm', 'merge_request_labels', 'merge_request_id')}
      and m.state = 'opened' and ${reads('merge_requests', Role.Reporter)}))
  from (select count(*) filter (where i.state = 'opened') as opened, count(*) filter (where i.state = 'closed') as closed
    ${counted('issues', 'i', 'issue_labels', 'issue_id')} and ${reads('issues', Role.Guest)} and ${READABLE}) c)`;
}
