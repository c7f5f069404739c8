import { Role } from '#kernel/access/roles.js';
import { groupRoleSql, projectRoleSql } from '#core/members/sql/role.sql.js';
import { isActiveSql } from '#core/users/active.sql.js';
import { actsAsAdminSql } from '#core/users/admin.sql.js';

/** Protections need a paid plan: on the free plan nothing is protected. */
const LICENSED = `(select license_plan <> 'free' from application_settings where id = 1)`;

/**
 * SQL from-item: all protections of an environment, by its project and all groups above it; arguments are
 * expressions. Groups protect tiers, and also environments named like a tier, which may have another tier
 * from before the protection.
 */
export const protectionsSql = (projectId: string, name: string, tier: string): string =>
  `(select own.* from protected_environments own where own.project_id = ${projectId} and own.name = ${name} and ${LICENSED}
    union all
    select above.* from projects pp join namespaces pn on pn.id = pp.namespace_id
      join protected_environments above on above.group_id = any(pn.traversal_ids) and above.name in (${tier}, ${name})
      where pp.id = ${projectId} and ${LICENSED})`;

/** SQL condition: an environment has any protection. Arguments are expressions. */
export const isProtectedSql = (projectId: string, name: string, tier: string): string =>
  `exists (select 1 from ${protectionsSql(projectId, name, tier)} pe)`;

const LIVE = '(gm.expires_at is null or gm.expires_at > current_date)';

/**
 * SQL condition: the row `entry` (a deploy entry or an approval rule) of the protection `pe` includes the
 * user `u`; `p` is the project, `n` its namespace. A role counts where the protection is defined: in the
 * project, or in the group. Users who have left the project no longer count. `isAdmin` is a condition:
 * whether the user acts as an administrator.
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

/**
 * SQL condition: a protection of the environment prevents the user from deploying; arguments are expressions,
 * `isAdmin` is null without a request.
 */
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
 * SQL condition: a protection prevents the user from moving the environment from its tier to `chosen`: by the
 * right to deploy, or because it requires approvals and would no longer apply. The latter can be left only by
 * users who may change it: for those of groups, their Owners.
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
