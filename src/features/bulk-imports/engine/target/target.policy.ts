import { Injectable } from '@nestjs/common';
import { Role } from '#kernel/access/roles.js';
import type { Tx } from '#kernel/database/transactions.js';
import { groupRoleSql, projectRoleSql } from '#core/members/sql/role.sql.js';
import type { Portable } from '#core/exchange/relation-export.js';
import { isActiveSql } from '#core/users/active.sql.js';
import type { Entity } from '../../bulk-import.js';
import { IMPORTS_AS_ADMIN } from '../importer.sql.js';

/**
 * No role before the group or project is created, or after it was removed: nothing can then be written to it.
 */
const FIND = `select ${IMPORTS_AS_ADMIN} as admin, (${isActiveSql('u')}) as "isActive", case when e.source_type = 'group_entity'
    then (select ${groupRoleSql('u.id', 'n')} from namespaces n where n.id = e.namespace_id)
    else (select ${projectRoleSql('u.id', 'p', 'n')} from projects p join namespaces n on n.id = p.namespace_id where p.id = e.project_id)
    end as role
  from bulk_import_entities e join bulk_imports i on i.id = e.bulk_import_id join users u on u.id = i.user_id where e.id = $1`;

/** Role of the creator of a group or project. */
const NEEDED = { group: Role.Owner, project: Role.Maintainer } as const satisfies Record<Portable, Role>;

/** Thrown if the importing user may not change the destination (any longer). */
export class RightLost extends Error {
  override readonly name = 'RightLost';
}

/**
 * Checks whether the importing user may still change the destination: a migration takes hours, and can be
 * resumed a day later.
 */
@Injectable()
export class TargetPolicy {
  /** Asserts the right. @throws RightLost */
  async assertHeld(tx: Tx, { id, of }: Pick<Entity, 'id' | 'of'>): Promise<void> {
    const [found] = await tx.query<{ admin: boolean; isActive: boolean; role: Role | null }[]>(FIND, [id]);
    if (!found?.isActive) throw new RightLost('The importing user is no longer active');
    if (found.admin) return;
    if (found.role !== null && found.role < NEEDED[of])
      throw new RightLost(`The importing user may no longer change the ${of}`);
  }
}
