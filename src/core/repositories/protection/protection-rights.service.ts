import { Injectable } from '@nestjs/common';
import { IsNull, Not } from 'typeorm';
import { Role } from '#kernel/access/roles.js';
import { differs } from '#kernel/database/base.entity.js';
import type { Tx } from '#kernel/database/transactions.js';
import { invalid } from '#kernel/http/errors.js';
import { projectRoleSql } from '#core/members/sql/role.sql.js';
import { MAX_ALLOWED, type AllowedTo } from './allowed-to.params.js';
import type { ProtectionLevel } from './protected-ref-access-level.record.js';
import { ProtectedRefAccessLevel, type ProtectedAction } from './protected-ref.entity.js';

/** Changes of the holders of a right. */
export interface RightsChange {
  readonly kind: ProtectedAction;
  /** Replaces the roles that have the right. */
  readonly level?: ProtectionLevel | undefined;
  readonly allowed?: readonly AllowedTo[] | undefined;
}

/** Default of a new protection: Maintainers, unless holders are given. */
export const orMaintainers = (change: RightsChange): RightsChange =>
  change.level === undefined && !change.allowed?.length ? { ...change, level: Role.Maintainer } : change;

/** Users who can push to the project at all. */
const MEMBERS = `select u.id from users u, projects p join namespaces n on n.id = p.namespace_id
  where p.id = $1 and u.id = any($2) and ${projectRoleSql('u.id', 'p', 'n')} >= ${Role.Developer}`;

/** Returns those of the users who can push to the project at all. */
export async function pushersAmong(
  tx: Tx,
  projectId: number,
  ids: readonly number[],
): Promise<ReadonlySet<number>> {
  const rows = ids.length === 0 ? [] : await tx.query<{ id: number }[]>(MEMBERS, [projectId, ids]);
  return new Set(rows.map(({ id }) => id));
}

/** Groups that contain the project, or that it or an ancestor is shared with. */
const GROUPS = `select g.id from namespaces g, projects p join namespaces n on n.id = p.namespace_id
  where p.id = $1 and g.id = any($2) and g.type = 'Group' and not g.pending_delete and (g.id = any(n.traversal_ids)
    or exists (select 1 from group_links l where l.group_id = g.id and (l.expires_at is null or l.expires_at > current_date)
      and ((l.source_type = 'Project' and l.source_id = p.id) or (l.source_type = 'Namespace' and l.source_id = any(n.traversal_ids)))))`;

/** Writes the access levels of protections. */
@Injectable()
export class ProtectionRightsService {
  /**
   * Applies the changes within `tx`, and returns whether any right became another. @throws 400 if a right belongs to another protection, or a user or group
   * has no access to the project, or there are too many
   */
  async apply(
    tx: Tx,
    projectId: number,
    protectedRefId: number,
    changes: readonly RightsChange[],
  ): Promise<boolean> {
    await this.assertKnown(tx, projectId, changes);
    let isChanged = false;
    for (const { kind, level, allowed = [] } of changes) {
      const right = { protectedRefId, kind };
      if (level !== undefined) {
        const roles = await tx.findBy(ProtectedRefAccessLevel, { ...right, accessLevel: Not(IsNull()) });
        if (roles.length !== 1 || roles[0]?.accessLevel !== level) {
          await tx.remove(roles);
          await tx.insert(ProtectedRefAccessLevel, { ...right, accessLevel: level });
          isChanged = true;
        }
      }
      for (const one of allowed) isChanged = (await this.applyOne(tx, right, one)) || isChanged;
      const isLonger = allowed.some(({ id }) => id === undefined);
      if (isLonger && (await tx.countBy(ProtectedRefAccessLevel, right)) > MAX_ALLOWED)
        throw problem(kind, `has too many items (maximum is ${MAX_ALLOWED})`);
    }
    return isChanged;
  }

  private async applyOne(
    tx: Tx,
    right: { readonly protectedRefId: number; readonly kind: ProtectedAction },
    { id, destroy, user_id: userId, group_id: groupId, access_level: accessLevel }: AllowedTo,
  ): Promise<boolean> {
    const values = {
      userId: userId ?? null,
      groupId: groupId ?? null,
      accessLevel: accessLevel ?? null,
    };
    const given = Object.values(values).filter((value) => value !== null).length;
    // Without an id it would be a new one: the right to take away would be given.
    if (destroy && id === undefined) throw problem(right.kind, 'can be removed only by id');
    if (!destroy && given !== 1)
      throw problem(right.kind, 'must name one of user_id, group_id and access_level');
    if (id === undefined) {
      const known = await tx.findBy(ProtectedRefAccessLevel, right);
      const isNew = known.every((one) => differs(one, values));
      if (isNew) await tx.insert(ProtectedRefAccessLevel, { ...right, ...values });
      return isNew;
    }
    const found = await tx.findOneBy(ProtectedRefAccessLevel, { ...right, id });
    if (!found) throw problem(right.kind, `has no right with the id ${id}`);
    if (!destroy && !differs(found, values)) return false;
    if (destroy) await tx.delete(ProtectedRefAccessLevel, { id });
    else await tx.update(ProtectedRefAccessLevel, { id }, values);
    return true;
  }

  private async assertKnown(tx: Tx, projectId: number, changes: readonly RightsChange[]): Promise<void> {
    for (const { kind, allowed = [] } of changes) {
      const users = idsOf(allowed, 'user_id');
      const groups = idsOf(allowed, 'group_id');
      const strangers = await missing(tx, MEMBERS, projectId, users);
      if (strangers.length > 0)
        throw problem(kind, `user ${strangers.join(', ')} is not a member of the project who can push`);
      const others = await missing(tx, GROUPS, projectId, groups);
      if (others.length > 0) throw problem(kind, `group ${others.join(', ')} is not invited to the project`);
    }
  }
}

const problem = (kind: ProtectedAction, text: string): Error => invalid({ [`allowed_to_${kind}`]: [text] });

const idsOf = (allowed: readonly AllowedTo[], name: 'user_id' | 'group_id'): number[] =>
  allowed.flatMap((one) => (one.destroy ? [] : (one[name] ?? [])));

async function missing(tx: Tx, text: string, projectId: number, ids: readonly number[]): Promise<number[]> {
  if (ids.length === 0) return [];
  const found = await tx.query<{ id: number }[]>(text, [projectId, ids]);
  return ids.filter((id) => !found.some((row) => row.id === id));
}
