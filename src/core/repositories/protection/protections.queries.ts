import { Injectable } from '@nestjs/common';
import { Role } from '#kernel/access/roles.js';
import { ReadDatabase } from '#kernel/database/reads/read-database.js';
import { groupRoleSql } from '#core/members/sql/role.sql.js';
import { Protections, type ProtectionRow } from './protections.js';

/**
 * User id and role in the project that determine rights: Admin for administrators; anonymous callers are user
 * 0 without a role.
 */
export interface RightsOf {
  readonly userId: number;
  readonly role: Role;
}

/** SQL condition: user `$2` with role `$3` has the access level `l`. No one below Developer has any. */
export const ALLOWED = `coalesce($3 >= ${Role.Developer} and (
  (l.access_level > 0 and $3 >= l.access_level) or l.user_id = $2
  or exists (select 1 from namespaces g where g.id = l.group_id and not g.pending_delete
    and ${groupRoleSql('$2', 'g')} >= ${Role.Developer})), false)`;

const any = (condition: string, name: string): string => `coalesce(bool_or(${condition}), false) as ${name}`;

const SELECT = `select p.default_branch, r.ref_type, r.name, r.allow_force_push,
    ${any(`l.kind = 'push' and ${ALLOWED}`, 'may_push')},
    ${any(`l.kind = 'merge' and ${ALLOWED}`, 'may_merge')},
    ${any(`l.kind = 'create' and ${ALLOWED}`, 'may_create')},
    ${any(`l.kind = 'push' and l.access_level = ${Role.Developer}`, 'developers_can_push')},
    ${any(`l.kind = 'merge' and l.access_level = ${Role.Developer}`, 'developers_can_merge')}
  from projects p
  left join protected_refs r on r.project_id = p.id
  left join protected_ref_access_levels l on l.protected_ref_id = r.id
  where p.id = $1 group by p.default_branch, r.id`;

type Row = ProtectionRow & { readonly default_branch: string | null };

/** Reads the rights that protections give. */
@Injectable()
export class ProtectionsQueries {
  constructor(private readonly database: ReadDatabase) {}

  /** Returns all protections of a project as they apply to a user, with one statement. */
  async of(projectId: number, { userId, role }: RightsOf): Promise<Protections> {
    const rows = await this.database.short<Row>(SELECT, [projectId, userId, role]);
    const protections = rows.filter((row) => (row.name as string | null) !== null);
    return new Protections(rows[0]?.default_branch ?? null, protections);
  }
}
