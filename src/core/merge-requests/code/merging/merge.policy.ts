import { Injectable } from '@nestjs/common';
import { Role } from '#kernel/access/roles.js';
import { ReadDatabase } from '#kernel/database/reads/read-database.js';
import { projectRoleSql } from '#core/members/sql/role.sql.js';
import { BranchGuestsRegistry } from '#core/repositories/protection/branch-guests.registry.js';
import { ProtectionsQueries, type RightsOf } from '#core/repositories/protection/protections.queries.js';
import { isActiveSql } from '#core/users/active.sql.js';
import { actsAsAdminSql } from '#core/users/admin.sql.js';

const ROLE = `select case when ${actsAsAdminSql('$3', 'u')} then ${Role.Admin} else ${projectRoleSql('u.id', 'p', 'n')} end as role
  from users u, projects p join namespaces n on n.id = p.namespace_id
  where u.id = $2 and ${isActiveSql('u')} and p.id = $1 and not p.pending_delete and not p.archived`;

/** Who may bring code into which branch. */
@Injectable()
export class MergePolicy {
  constructor(
    private readonly database: ReadDatabase,
    private readonly protections: ProtectionsQueries,
    private readonly guests: BranchGuestsRegistry,
  ) {}

  /** Whether somebody may merge into a branch of a project: those who may push to it, and those whom its protection lets merge. */
  async mayMerge(projectId: number, somebody: RightsOf, branch: string): Promise<boolean> {
    if (somebody.role < Role.Developer) return false;
    const protection = (await this.protections.of(projectId, somebody)).of('branch', branch);
    return protection === null || protection.may_merge || protection.may_push;
  }

  /** Whether somebody may push to a branch of a project that is there. */
  async mayPush(projectId: number, somebody: RightsOf, branch: string): Promise<boolean> {
    const protection = (await this.protections.of(projectId, somebody)).of('branch', branch);
    if (somebody.role >= Role.Developer) return protection?.may_push ?? true;
    return protection === null && (await this.guests.branchesOf(projectId, somebody.userId)).has(branch);
  }

  /**
   * The role of a user in a project now; null for one who may do nothing any more. `isAdmin` says whether whoever asks by a request acts as an
   * administrator; jobs cannot know.
   */
  async roleOf(projectId: number, userId: number, isAdmin: boolean | null = null): Promise<Role | null> {
    return (await this.database.one<{ role: Role }>(ROLE, [projectId, userId, isAdmin]))?.role ?? null;
  }
}
