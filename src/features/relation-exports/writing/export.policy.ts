import { Injectable } from '@nestjs/common';
import { Role } from '#kernel/access/roles.js';
import { ReadDatabase } from '#kernel/database/reads/read-database.js';
import { groupRoleSql, projectRoleSql } from '#core/members/sql/role.sql.js';
import { SettingsService } from '#core/instance/settings/settings.service.js';
import type { Portable } from '#core/exchange/relation-export.js';
import { actsAsAdminSql, didAsAdminSql } from '#core/users/admin.sql.js';
import type { ExportToWrite } from './export-run.service.js';

/** Administrator rights with which the export was requested, if the user still has them. */
const ADMIN = actsAsAdminSql(didAsAdminSql('$3::boolean', 'u'), 'u');

const ROLES = {
  group: `select case when ${ADMIN} then ${Role.Admin} else ${groupRoleSql('u.id', 'n')} end as role
    from namespaces n join users u on u.id = $2 and u.state = 'active' where n.id = $1 and not n.pending_delete`,
  project: `select case when ${ADMIN} then ${Role.Admin} else ${projectRoleSql('u.id', 'p', 'n')} end as role
    from projects p join namespaces n on n.id = p.namespace_id join users u on u.id = $2 and u.state = 'active'
    where p.id = $1 and not p.pending_delete`,
} as const satisfies Record<Portable, string>;

const NEEDED = { group: Role.Owner, project: Role.Maintainer } as const satisfies Record<Portable, Role>;

/** Checks the right again when a job runs, since time has passed since the request. */
@Injectable()
export class ExportPolicy {
  constructor(
    private readonly database: ReadDatabase,
    private readonly settings: SettingsService,
  ) {}

  /** Returns why the export may not be written; null if it may. `asAdmin` as in its job. */
  async refusal({ of, ownerId, userId }: ExportToWrite, asAdmin: boolean | null): Promise<string | null> {
    if (!this.settings.values.bulk_import_enabled) return 'Migrations have been disabled';
    const row = await this.database.one<{ role: Role }>(ROLES[of], [ownerId, userId, asAdmin]);
    if (!row) return `The ${of} or the user no longer exists`;
    return row.role >= NEEDED[of] ? null : `The user may no longer export the ${of}`;
  }
}
