import { Injectable } from '@nestjs/common';
import type { ProjectFeature } from '#kernel/access/access.js';
import type { Actor } from '#kernel/access/caller.js';
import { Role } from '#kernel/access/roles.js';
import type { Tx } from '#kernel/database/transactions.js';
import { ReadDatabase } from '#kernel/database/reads/read-database.js';
import { projectRoleSql } from '#core/members/sql/role.sql.js';
import { readsPartSql } from '#core/projects/settings/part-level.sql.js';
import { isAdminSql } from '#core/users/admin.sql.js';

/** Whether the project `p` is open to the user `u` without a role. */
const OPEN = `(p.visibility = 'public'
  or p.visibility = 'internal' and not u.external and u.user_type not in ('project_bot', 'group_bot'))`;

/** `isAdmin` says of the user `u` that no role is asked for. */
const roleSql = (isAdmin: string): string =>
  `case when ${isAdmin} then ${Role.Admin} else ${projectRoleSql('u.id', 'p', 'n')} end`;

const reads = (feature: ProjectFeature | null, least: Role, role: string): string =>
  `u.state = 'active' and not u.pending_delete and not p.pending_delete and ${
    feature === null
      ? `(${OPEN} or ${role} >= ${least})`
      : readsPartSql('p', feature, { role, open: OPEN, least })
  }`;

/** Users are chosen without knowing how many there are: else it would be planned each time. */
const readers = (isAdmin: string, feature: ProjectFeature | null, least: Role): string =>
  `select u.id, r.role from users u cross join projects p join namespaces n on n.id = p.namespace_id
    cross join lateral (select ${roleSql(isAdmin)} as role offset 0) r
  where p.id = $1 and u.id = any((select $2::bigint[])::bigint[]) and ${reads(feature, least, 'r.role')}`;

/** Scalar expression: the role of the user `u` in the project `p` of the namespace `n`. */
export const ROLE_OF_USER = roleSql(isAdminSql('u'));

/** Condition: the user `u` can read a part of the project `p` of the namespace `n` now, as `ProjectReadersQueries.among` has it. */
export const userReadsSql = (feature: ProjectFeature, least: Role): string =>
  reads(feature, least, ROLE_OF_USER);

/** Who of many users can read a part of a project. */
@Injectable()
export class ProjectReadersQueries {
  constructor(private readonly database: ReadDatabase) {}

  /**
   * Those of the users who can read the part now, by the rules of the guards, with their roles in the project; `least` is the role that a
   * private project asks for. Without a part, who can read the project at all.
   */
  async among(
    projectId: number,
    userIds: readonly number[],
    feature: ProjectFeature | null,
    least: Role,
  ): Promise<ReadonlyMap<number, Role>> {
    if (userIds.length === 0) return new Map();
    const text = readers(isAdminSql('u'), feature, least);
    const rows = await this.database.long<{ id: number; role: Role }>(text, [projectId, userIds]);
    return new Map(rows.map(({ id, role }) => [id, role]));
  }

  /** The same, asked within `tx`, with what waits there for its next statement. */
  async amongIn(
    tx: Tx,
    projectId: number,
    userIds: readonly number[],
    feature: ProjectFeature | null,
    least: Role,
  ): Promise<ReadonlyMap<number, Role>> {
    if (userIds.length === 0) return new Map();
    const text = readers(isAdminSql('u'), feature, least);
    const rows = await tx.query<{ id: number; role: Role }[]>(text, [projectId, userIds]);
    return new Map(rows.map(({ id, role }) => [id, role]));
  }

  /**
   * The role of a caller in a project that their request is not about, where they can read the part; else null. Administrators count as such
   * only where they act as such.
   */
  async roleOf(actor: Actor, projectId: number, feature: ProjectFeature, least: Role): Promise<Role | null> {
    const text = readers('$3::boolean', feature, least);
    const values = [projectId, [actor.id], actor.admin];
    return (await this.database.one<{ role: Role }>(text, values))?.role ?? null;
  }
}
