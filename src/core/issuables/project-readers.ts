import { Injectable } from '@nestjs/common';
import type { ProjectFeature } from '#kernel/access/access.js';
import type { Actor } from '#kernel/access/caller.js';
import { levelSettings } from '#kernel/access/project-parts.js';
import { Role } from '#kernel/access/roles.js';
import { ReadDatabase } from '#kernel/database/read-database.js';
import { projectRoleSql } from '#core/members/role-sql.js';
import { isAdminSql } from '#core/users/admin-sql.js';

/** Users with their roles; `isAdmin` says of the user `u` that no role is asked for. */
const readers = (isAdmin: string): string => `select r.id, r.role from (
    select u.id, case when ${isAdmin} then ${Role.Admin} else ${projectRoleSql('u.id', 'p', 'n')} end as role,
      p.visibility = 'public' or p.visibility = 'internal' and not u.external and u.user_type not in ('project_bot', 'group_bot') as is_open,
      array(select p.settings->>s.name from unnest($3::text[]) s(name)) as levels
    from users u cross join projects p join namespaces n on n.id = p.namespace_id
    where p.id = $1 and not p.pending_delete and u.id = any($2::bigint[]) and u.state = 'active' and not u.pending_delete) r
  where array_position(r.levels, 'disabled') is null
    and (r.role >= $4 or r.is_open and (array_position(r.levels, 'private') is null or r.role >= ${Role.Guest}))`;

const READERS = readers(isAdminSql('u'));
const CALLER = readers('$5::boolean');

/** Who of many users can read a part of a project. */
@Injectable()
export class ProjectReaders {
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
    const rows = await this.database.long<{ id: number; role: Role }>(READERS, [
      projectId,
      userIds,
      feature === null ? [] : levelSettings(feature),
      least,
    ]);
    return new Map(rows.map(({ id, role }) => [id, role]));
  }

  /**
   * The role of a caller in a project that their request is not about, where they can read the part; else null. Administrators count as such
   * only where they act as such.
   */
  async roleOf(actor: Actor, projectId: number, feature: ProjectFeature, least: Role): Promise<Role | null> {
    const values = [projectId, [actor.id], levelSettings(feature), least, actor.admin];
    return (await this.database.one<{ role: Role }>(CALLER, values))?.role ?? null;
  }
}
