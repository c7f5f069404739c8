import { projectRoleSql } from '#core/members/role-sql.js';

/** Whether issues or merge requests of a project are there for somebody with a role in it. */
const usesPart = (part: 'issues' | 'merge_requests', role: string): string =>
  `(case coalesce(p.settings->>'${part}_access_level', 'enabled') when 'disabled' then false when 'private' then ${role} >= 10
    else ${role} >= 10 or p.visibility = 'public' or (p.visibility = 'internal' and me.internal) end)`;

/** Role of the caller `me` in a project: that in the place asked for, where it reaches below; looked up otherwise. */
const ROLE = `(case when me.role >= 10 then me.role else ${projectRoleSql('me.id', 'p', 'pn')} end)`;

const READABLE = `(not i.confidential or r.role >= 20 or i.author_id = me.id
  or exists (select 1 from issue_assignees ia where ia.issue_id = i.id and ia.user_id = me.id))`;

const placed = (table: string, alias: string, link: string, key: string, place: string): string =>
  `from ${link} k join ${table} ${alias} on ${alias}.id = k.${key} join projects p on p.id = ${alias}.project_id and not p.pending_delete
    join namespaces pn on pn.id = p.namespace_id cross join lateral (select ${ROLE} as role) r
    where k.label_id = l.id and ${place}`;

/**
 * Scalar expression: `LabelCounts` of a label `l` as JSON, for the caller `me` (id, role, internal). `place` is a condition on the project
 * `p` and its namespace `pn`.
 */
export const labelCountsSql = (place: string): string => `(
  select jsonb_build_object('open_issues_count', c.opened, 'closed_issues_count', c.closed, 'open_merge_requests_count',
    (select count(*) ${placed('merge_requests', 'm', 'merge_request_labels', 'merge_request_id', place)}
      and m.state = 'opened' and ${usesPart('merge_requests', 'r.role')}))
  from (select count(*) filter (where i.state = 'opened') as opened, count(*) filter (where i.state = 'closed') as closed
    ${placed('issues', 'i', 'issue_labels', 'issue_id', place)} and ${usesPart('issues', 'r.role')} and ${READABLE}) c)`;
