import { Role } from '#kernel/access/roles.js';
import type { Tx } from '#kernel/database/transactions.js';
import { groupRoleSql, projectRoleSql } from '#core/members/sql/role.sql.js';
import type { ProtectionOwner } from './protection-owner.js';

const LIVE = '(l.expires_at is null or l.expires_at > current_date)';

const PROJECT_MEMBERS = `select u.id from users u, projects p join namespaces n on n.id = p.namespace_id
  where p.id = $1 and u.id = any($2) and ${projectRoleSql('u.id', 'p', 'n')} >= ${Role.Guest}`;

const GROUP_MAINTAINERS = `select u.id from users u, namespaces n
  where n.id = $1 and u.id = any($2) and ${groupRoleSql('u.id', 'n')} >= ${Role.Maintainer}`;

/** Groups that contain the project, or that it or an ancestor is shared with. */
const PROJECT_GROUPS = `select g.id from namespaces g, projects p join namespaces n on n.id = p.namespace_id
  where p.id = $1 and g.id = any($2) and g.type = 'Group' and not g.pending_delete and (g.id = any(n.traversal_ids)
    or exists (select 1 from group_links l where l.group_id = g.id and ${LIVE}
      and ((l.source_type = 'Project' and l.source_id = p.id) or (l.source_type = 'Namespace' and l.source_id = any(n.traversal_ids)))))`;

/** The group, those below it, and those that it or an ancestor is shared with. */
const GROUP_GROUPS = `select g.id from namespaces g, namespaces n
  where n.id = $1 and g.id = any($2) and g.type = 'Group' and not g.pending_delete and (n.id = any(g.traversal_ids)
    or exists (select 1 from group_links l where l.group_id = g.id and ${LIVE}
      and l.source_type = 'Namespace' and l.source_id = any(n.traversal_ids)))`;

/** Returns those of the users who may be named: members of the project, Maintainers of the group. */
export const qualifiedUsers = (
  tx: Tx,
  { projectId, groupId }: ProtectionOwner,
  ids: readonly number[],
): Promise<ReadonlySet<number>> =>
  found(tx, projectId === null ? GROUP_MAINTAINERS : PROJECT_MEMBERS, projectId ?? groupId, ids);

/** Returns those of the groups that may be named: they are related to the project or group. */
export const qualifiedGroups = (
  tx: Tx,
  { projectId, groupId }: ProtectionOwner,
  ids: readonly number[],
): Promise<ReadonlySet<number>> =>
  found(tx, projectId === null ? GROUP_GROUPS : PROJECT_GROUPS, projectId ?? groupId, ids);

async function found(
  tx: Tx,
  text: string,
  ownerId: number | null,
  ids: readonly number[],
): Promise<ReadonlySet<number>> {
  const rows = ids.length === 0 ? [] : await tx.query<{ id: number }[]>(text, [ownerId, ids]);
  return new Set(rows.map(({ id }) => id));
}
