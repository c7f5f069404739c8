import { Injectable } from '@nestjs/common';
import { Role } from '#kernel/access/roles.js';
import { ReadDatabase } from '#kernel/database/reads/read-database.js';
import { projectRoleSql } from '#core/members/sql/role.sql.js';
import { BranchGuestsPort } from '#core/repositories/protection/branch-guests.port.js';
import { ProtectionsQueries, type RightsOf } from '#core/repositories/protection/protections.queries.js';
import { isActiveSql } from '#core/users/active.sql.js';
import { actsAsAdminSql } from '#core/users/admin.sql.js';

const ROLE = `select case when ${actsAsAdminSql('$3', 'u')} then ${Role.Admin} else ${projectRoleSql('u.id', 'p', 'n')} end as role
  from users u, projects p join namespaces n on n.id = p.namespace_id
  where u.id = $2 and ${isActiveSql('u')} and p.id = $1 and not p.pending_delete and not p.archived`;

/** Decides who may bring code into a branch. */
@Injectable()
export class MergePolicy {
  constructor(
    private readonly database: ReadDatabase,
    private readonly protections: ProtectionsQueries,
    private readonly guests: BranchGuestsPort,
  ) {}

  /**
   * Returns whether a user may merge into a branch of a project: by the right to push, or by its protection.
   */
  async mayMerge(projectId: number, somebody: RightsOf, branch: string): Promise<boolean> {
    if (somebody.role < Role.Developer) return false;
    const protection = (await this.protections.of(projectId, somebody)).of('branch', branch);
    return protection === null || protection.may_merge || protection.may_push;
  }

  /** Returns whether a user may push to an existing branch of a project. */
  async mayPush(projectId: number, somebody: RightsOf, branch: string): Promise<boolean> {
    const protection = (await this.protections.of(projectId, somebody)).of('branch', branch);
    if (somebody.role >= Role.Developer) return protection?.may_push ?? true;
    return protection === null && (await this.guests.branchesOf(projectId, somebody.userId)).has(branch);
  }

  /**
   * Returns the present role of a user in a project; null if the user has no rights. `isAdmin`: whether the
   * user acts as an administrator, which only requests know.
   */
  async roleOf(projectId: number, userId: number, isAdmin: boolean | null = null): Promise<Role | null> {
    return (await this.database.one<{ role: Role }>(ROLE, [projectId, userId, isAdmin]))?.role ?? null;
  }
}
