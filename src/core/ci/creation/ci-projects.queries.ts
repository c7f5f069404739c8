import { Injectable } from '@nestjs/common';
import { partLevel } from '#kernel/access/project-parts.js';
import { Role } from '#kernel/access/roles.js';
import { ReadDatabase } from '#kernel/database/reads/read-database.js';
import { projectRoleSql } from '#core/members/sql/role.sql.js';
import { PROJECT_DEFAULTS, type ProjectSettings } from '#core/projects/settings/project-settings.js';
import { isActiveSql } from '#core/users/active.sql.js';
import { actsAsAdminSql } from '#core/users/admin.sql.js';

/** Facts of the user a pipeline runs for. */
export interface CiUser {
  readonly id: number;
  readonly username: string;
  readonly name: string;
  readonly email: string;
  /** Role in the project; Admin for users acting as administrators. */
  readonly role: Role;
}

/** Facts of the project that a pipeline needs. */
export interface CiProject {
  readonly id: number;
  readonly name: string;
  readonly path: string;
  readonly fullPath: string;
  readonly description: string | null;
  readonly visibility: string;
  readonly namespaceId: number;
  readonly namespacePath: string;
  readonly rootPath: string;
  readonly defaultBranch: string | null;
  readonly archived: boolean;
  readonly settings: Readonly<ProjectSettings>;
  /** Null if there is no user, or the user is not active. */
  readonly user: CiUser | null;
}

interface Row extends Omit<CiProject, 'settings' | 'user' | 'rootPath'> {
  readonly settings: Partial<ProjectSettings>;
  readonly userId: number | null;
  readonly username: string;
  readonly userName: string;
  readonly email: string;
  readonly role: Role;
}

const SELECT = `select p.id, p.name, p.path, p.full_path as "fullPath", p.description, p.visibility, n.id as "namespaceId",
    n.full_path as "namespacePath", p.default_branch as "defaultBranch", p.archived, p.settings,
    u.id as "userId", u.username, u.name as "userName", u.email,
    case when ${actsAsAdminSql('$3', 'u')} then ${Role.Admin} else ${projectRoleSql('u.id', 'p', 'n')} end as role
  from projects p join namespaces n on n.id = p.namespace_id left join users u on u.id = $2 and ${isActiveSql('u')}
  where p.id = $1 and not p.pending_delete and p.marked_for_deletion_at is null`;

/** Reads the facts of projects that pipelines need. */
@Injectable()
export class CiProjectsQueries {
  constructor(private readonly database: ReadDatabase) {}

  /**
   * Returns the project with the user; null if it is deleted or being deleted. `isAdmin`: whether the user
   * acts as an administrator, which only requests know.
   */
  async find(
    projectId: number,
    userId: number | null,
    isAdmin: boolean | null = null,
  ): Promise<CiProject | null> {
    const row = await this.database.one<Row>(SELECT, [projectId, userId, isAdmin]);
    if (!row) return null;
    const { userId: id, username, userName: name, email, role, settings, ...project } = row;
    return {
      ...project,
      rootPath: project.namespacePath.split('/')[0] ?? '',
      settings: { ...PROJECT_DEFAULTS, ...settings },
      user: id === null ? null : { id, username, name, email, role },
    };
  }
}

/** Returns whether the project can have pipelines. */
export const hasBuilds = ({ archived, settings }: CiProject): boolean =>
  !archived && partLevel({ ...settings }, 'builds') !== 'disabled';
