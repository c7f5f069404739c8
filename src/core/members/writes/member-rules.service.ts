import { Injectable } from '@nestjs/common';
import type { Role } from '#kernel/access/roles.js';
import type { Tx } from '#kernel/database/transactions.js';
import { forbidden, invalid } from '#kernel/http/errors.js';
import { levelName } from '../member-levels.js';
import type { MemberContainer } from '../member-container.js';
import { keptByAnotherSql } from '#core/users/owners.sql.js';

const INHERITED = `select m.access_level as level, n.name from members m join namespaces n on n.id = m.source_id
  where m.user_id = $1 and m.source_type = 'Namespace' and m.source_id = any($2::bigint[])
    and (m.expires_at is null or m.expires_at > current_date)
  order by m.access_level desc limit 1`;

const KEPT = `select 1 where ${keptByAnotherSql('$2::bigint', '$1::bigint[]')}`;

const PERSONAL_OWNER = `select 1 from projects p join namespaces n on n.id = p.namespace_id where p.id = $1 and n.owner_id = $2`;

/** Rules of memberships that apply to all callers; checked in the transaction of the change. */
@Injectable()
export class MemberRulesService {
  /** Asserts that the level is not below the one from a group above. @throws 400 */
  async assertNotBelowInherited(
    tx: Tx,
    container: MemberContainer,
    userId: number,
    level: Role,
  ): Promise<void> {
    const [inherited] = await tx.query<{ level: Role; name: string }[]>(INHERITED, [
      userId,
      container.inheritedIds,
    ]);
    if (!inherited || inherited.level <= level) return;
    const text = `should be greater than or equal to ${levelName(inherited.level)} inherited membership from group ${inherited.name}`;
    throw invalid({ access_level: [text] });
  }

  /** Serializes changes of a group's members, so that the last two owners cannot leave at the same time. */
  async lock(tx: Tx, { type, id }: MemberContainer): Promise<void> {
    if (type === 'Namespace')
      await tx.query('select 1 from namespaces where id = $1 for no key update', [id]);
  }

  /** Asserts that a group keeps another owner; call it under the lock. @throws 403 */
  async assertAnotherOwner(tx: Tx, container: MemberContainer, userId: number): Promise<void> {
    if (container.type !== 'Namespace') return;
    const others = await tx.query<unknown[]>(KEPT, [container.traversalIds, userId]);
    if (others.length === 0) throw forbidden();
  }

  /** Returns whether the project is in the user's own namespace. */
  async isPersonalOwner(tx: Tx, { isPersonal, id }: MemberContainer, userId: number): Promise<boolean> {
    return isPersonal && (await tx.query<unknown[]>(PERSONAL_OWNER, [id, userId])).length > 0;
  }

  /** Returns whether a group locks the membership of its projects. */
  async isLocked(tx: Tx, { type, traversalIds }: MemberContainer): Promise<boolean> {
    if (type !== 'Project') return false;
    const rows = await tx.query<unknown[]>(
      `select 1 from namespaces where id = any($1::bigint[]) and (settings->>'membership_lock')::boolean limit 1`,
      [traversalIds],
    );
    return rows.length > 0;
  }
}
