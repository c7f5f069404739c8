import { Role } from '#kernel/access/roles.js';
import { groupRoleSql, projectRoleSql } from '#core/members/sql/role.sql.js';
import { partLevelSql } from '#core/projects/settings/part-level.sql.js';

/**
 * SQL condition: a user manages the runner `r`, as a Maintainer of one of its projects or an Owner of its
 * group. Only administrators manage instance runners.
 */
export const managesSql = (user: string): string => `case r.runner_type
  when 'project_type' then exists (select 1 from ci_runner_projects rp join projects p on p.id = rp.project_id and not p.pending_delete
    join namespaces n on n.id = p.namespace_id where rp.runner_id = r.id and ${projectRoleSql(user, 'p', 'n')} >= ${Role.Maintainer})
  when 'group_type' then exists (select 1 from ci_runner_groups rg join namespaces g on g.id = rg.group_id and not g.pending_delete
    where rg.runner_id = r.id and ${groupRoleSql(user, 'g')} >= ${Role.Owner})
  else false end`;

/** SQL for the ids of the projects of the runner `r` whose jobs a user may read. */
export const readableProjectsSql = (
  user: string,
): string => `select p.id from projects p join namespaces n on n.id = p.namespace_id
  where (p.id in (select rp.project_id from ci_runner_projects rp where rp.runner_id = r.id)
    or n.id in (select d.id from ci_runner_groups rg join namespaces d on d.traversal_ids @> array[rg.group_id] where rg.runner_id = r.id))
    and not p.pending_delete and ${partLevelSql('p', 'builds')} <> 'disabled'
    and ${projectRoleSql(user, 'p', 'n')} >= ${Role.Reporter}`;
