import { Role } from '#kernel/access/roles.js';
import { groupRoleSql, projectRoleSql } from '#core/members/sql/role.sql.js';
import { isActiveSql } from '#core/users/active.sql.js';
import { actsAsAdminSql } from '#core/users/admin.sql.js';

/** Protections are a part of the plan: on a lower one nothing is protected. */
const LICENSED = `(select license_plan <> 'free' from application_settings where id = 1)`;

/**
 * From-item: all protections of an environment, of its project and of all groups above it; arguments are expressions. Groups protect tiers, and
 * whatever bears the very name of one: it may have been given another tier where nothing was protected yet.
 */
export const protectionsSql = (projectId: string, name: string, tier: string): string =>
  `(select own.* from protected_environments own where own.project_id = ${projectId} and own.name = ${name} and ${LICENSED}
    union all
    select above.* from projects pp join namespaces pn on pn.id = pp.namespace_id
      join protected_environments above on above.group_id = any(pn.traversal_ids) and above.name in (${tier}, ${name})
      where pp.id = ${projectId} and ${LICENSED})`;

/** Condition: there is a protection of an environment at all. Arguments are expressions. */
export const isProtectedSql = (projectId: string, name: string, tier: string): string =>
  `exists (select 1 from ${protectionsSql(projectId, name, tier)} pe)`;

const LIVE = '(gm.expires_at is null or gm.expires_at > current_date)';

/**
 * Condition: the row `entry` (of those who may deploy, or of approval rules) of the protection `pe` means the user `u`; `p` is the project, `n`
 * its namespace. A role counts where the protection is made: in the project, or in the group. Whoever is named and has left the project is
 * meant no longer. `isAdmin` is a condition: whether the user acts as an administrator.
 */
export const meansUserSql = (
  entry: string,
  isAdmin: string,
): string => `(${isAdmin} or ${projectRoleSql('u.id', 'p', 'n')} > ${Role.Minimal} and (${entry}.user_id = u.id
  or ${entry}.access_level <= case when pe.project_id is not null then ${projectRoleSql('u.id', 'p', 'n')}
    else (select ${groupRoleSql('u.id', 'pg')} from namespaces pg where pg.id = pe.group_id) end
  or exists (select 1 from namespaces g where g.id = ${entry}.group_id and not g.pending_delete
    and case ${entry}.group_inheritance_type when 1 then ${groupRoleSql('u.id', 'g')} > ${Role.Minimal}
      else exists (select 1 from members gm where gm.user_id = u.id and gm.source_type = 'Namespace' and gm.source_id = g.id
        and gm.access_level > ${Role.Minimal} and ${LIVE}) end)))`;

/** Condition: a protection of the environment keeps the user from deploying; arguments are expressions, `isAdmin` is null where there is no request. */
export const keptFromSql = (
  projectId: string,
  name: string,
  tier: string,
  userId: string,
  isAdmin: string,
): string =>
  `exists (select 1 from projects p join namespaces n on n.id = p.namespace_id
    cross join lateral ${protectionsSql(projectId, name, tier)} pe
    left join users u on u.id = ${userId} and ${isActiveSql('u')}
    where p.id = ${projectId} and not exists (select 1 from protected_environment_access_levels l
      where l.protected_environment_id = pe.id and u.id is not null and ${meansUserSql('l', actsAsAdminSql(isAdmin, 'u'))}))`;

/**
 * Condition: a protection keeps the user from moving the environment from its tier to the one that is `chosen`: by the right to deploy; or it asks for
 * approvals and would not hold any more. Such a one is left only by those who may change it: groups' are for their Owners.
 */
export const boundToTierSql = (
  projectId: string,
  name: string,
  tier: string,
  chosen: string,
  userId: string,
  isAdmin: string,
): string =>
  `(${keptFromSql(projectId, name, tier, userId, isAdmin)}
    or exists (select 1 from ${protectionsSql(projectId, name, tier)} pe
      join namespaces pg on pg.id = pe.group_id
      left join users u on u.id = ${userId} and ${isActiveSql('u')}
      where pe.name not in (${name}, ${chosen})
        and (pe.required_approval_count > 0
          or exists (select 1 from protected_environment_approval_rules ar where ar.protected_environment_id = pe.id))
        and (u.id is null or not (${actsAsAdminSql(isAdmin, 'u')} or ${groupRoleSql('u.id', 'pg')} >= ${Role.Owner}))))`;
