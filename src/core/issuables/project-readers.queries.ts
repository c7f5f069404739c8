import { Injectable } from '@nestjs/common';
import type { ProjectFeature } from '#kernel/access/access.js';
import type { Actor } from '#kernel/access/caller.js';
import { Role } from '#kernel/access/roles.js';
import type { Tx } from '#kernel/database/transactions.js';
import { ReadDatabase } from '#kernel/database/reads/read-database.js';
import { projectRoleSql } from '#core/members/sql/role.sql.js';
import { readsPartSql } from '#core/projects/settings/part-level.sql.js';
import { isAdminSql } from '#core/users/admin.sql.js';
import { seesInternalSql } from '#core/users/person.sql.js';

/** SQL condition: the user `u` can see the project `p` without a role. */
const OPEN = `(p.visibility = 'public' or p.visibility = 'internal' and ${seesInternalSql('u')})`;

/** `isAdmin`: SQL condition that the user `u` needs no role. */
const roleSql = (isAdmin: string): string =>
  `case when ${isAdmin} then ${Role.Admin} else ${projectRoleSql('u.id', 'p', 'n')} end`;

const reads = (feature: ProjectFeature | null, least: Role, role: string): string =>
  `u.state = 'active' and not u.pending_delete and not p.pending_delete and ${
    feature === null
      ? `(${OPEN} or ${role} >= ${least})`
      : readsPartSql('p', feature, { role, open: OPEN, least })
  }`;

/**
 * The sub-select hides the number of users from the planner, which would otherwise plan the statement each
 * time.
 */
const readers = (isAdmin: string, feature: ProjectFeature | null, least: Role): string =>
  `select u.id, r.role from users u cross join projects p join namespaces n on n.id = p.namespace_id
    cross join lateral (select ${roleSql(isAdmin)} as role offset 0) r
  where p.id = $1 and u.id = any((select $2::bigint[])::bigint[]) and ${reads(feature, least, 'r.role')}`;

/** SQL expression: the role of the user `u` in the project `p` of the namespace `n`. */
export const ROLE_OF_USER = roleSql(isAdminSql('u'));

/**
 * SQL condition: the user `u` can now read a part of the project `p` of the namespace `n`, as in
 * `ProjectReadersQueries.among`.
 */
export const userReadsSql = (feature: ProjectFeature, least: Role): string =>
  reads(feature, least, ROLE_OF_USER);

/** Finds out which of many users can read a part of a project. */
@Injectable()
export class ProjectReadersQueries {
  constructor(private readonly database: ReadDatabase) {}

  /**
   * Returns those of the users who can now read the part, by the rules of the guards, with their roles in the
   * project; `least`: role that a private project requires. Without a part: who can read the project at all.
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

  /**
   * Does the same within `tx`, in one round trip with its deferred statements, and keeps the users it returns
   * from being deleted until `tx` ends.
   */
  async lockAmong(
    tx: Tx,
    projectId: number,
    userIds: readonly number[],
    feature: ProjectFeature | null,
    least: Role,
  ): Promise<ReadonlyMap<number, Role>> {
    if (userIds.length === 0) return new Map();
    const text = `${readers(isAdminSql('u'), feature, least)} order by u.id for key share of u`;
    const rows = await tx.query<{ id: number; role: Role }[]>(text, [projectId, userIds]);
    return new Map(rows.map(({ id, role }) => [id, role]));
  }

  /**
   * Returns the role of a caller in a project other than that of the request, or null if they cannot read the
   * part. Administrator rights count only if the caller acts as an administrator.
   */
  async roleOf(actor: Actor, projectId: number, feature: ProjectFeature, least: Role): Promise<Role | null> {
    const text = readers('$3::boolean', feature, least);
    const values = [projectId, [actor.id], actor.admin];
    return (await this.database.one<{ role: Role }>(text, values))?.role ?? null;
  }
}
