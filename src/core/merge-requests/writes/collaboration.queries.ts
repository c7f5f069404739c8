import { Injectable } from '@nestjs/common';
import { Role } from '#kernel/access/roles.js';
import { ReadDatabase } from '#kernel/database/reads/read-database.js';
import { projectRoleSql } from '#core/members/sql/role.sql.js';
import { isActiveSql } from '#core/users/active.sql.js';
import { BranchGuestsPort } from '#core/repositories/protection/branch-guests.port.js';
import { seesInternalSql } from '#core/users/person.sql.js';

/**
 * Neither project may be hidden: members of one need not know the other. Administrators do not need this
 * access.
 */
const FIND = `select distinct m.source_branch as branch from merge_requests m
  join users u on u.id = $2 and ${isActiveSql('u')}
  join projects s on s.id = m.source_project_id and not s.pending_delete and not s.archived
    and (s.visibility = 'public' or s.visibility = 'internal' and ${seesInternalSql('u')})
    and coalesce(s.settings->>'repository_access_level', 'enabled') = 'enabled'
  join projects p on p.id = m.project_id and not p.pending_delete and not p.archived and p.visibility <> 'private'
  join namespaces n on n.id = p.namespace_id
  where m.source_project_id = $1 and m.project_id <> $1 and m.state = 'opened' and m.allow_collaboration
    and ${projectRoleSql('u.id', 'p', 'n')} >= ${Role.Developer}`;

/**
 * Opens the source branches of merge requests to users who may push to their targets, if the authors allow
 * it.
 */
@Injectable()
export class CollaborationQueries extends BranchGuestsPort {
  constructor(private readonly database: ReadDatabase) {
    super();
  }

  override async branchesOf(projectId: number, userId: number): Promise<ReadonlySet<string>> {
    const rows = await this.database.short<{ branch: string }>(FIND, [projectId, userId]);
    return new Set(rows.map(({ branch }) => branch));
  }
}
