import { Injectable } from '@nestjs/common';
import { Role, Tier } from '#kernel/access/roles.js';
import { ReadDatabase } from '#kernel/database/reads/read-database.js';
import type { Tx } from '#kernel/database/transactions.js';
import { AuditLogService } from '#core/audit/audit-log.service.js';
import { levelName } from '#core/members/member-levels.js';
import { MembersService, type BroughtMember } from '#core/members/members.service.js';
import { groupRoleSql, projectRoleSql } from '#core/members/sql/role.sql.js';
import type { ImportTarget, SourceUser } from '#core/exchange/import-target.js';
import { dateIn, integerIn, type SourceRecord } from '#core/exchange/source-record.js';
import type { StepRun } from '../../engine/entity-step.js';
import { SourceUsersService } from '../../engine/users/source-users.service.js';
import { DestinationRefused } from '../destination-refused.js';
import { ImporterFinder } from '../importer.finder.js';
import { sourcePath } from '../shells/source-path.js';

/** Destination of members: the groups from which memberships are inherited, and the importing user's role. */
interface Container {
  readonly inheritedIds: readonly number[];
  readonly role: Role;
  /** Whether an existing group locks the membership of its projects. */
  readonly isLocked: boolean;
}

/** Both statements have the same parameters; groups are never locked. */
const GROUP = `select n.traversal_ids[1:cardinality(n.traversal_ids) - 1] as "inheritedIds", ${groupRoleSql('$2::bigint', 'n')} as role,
    $3::bigint is null as "isLocked"
  from namespaces n where n.id = $1`;
const PROJECT = `select n.traversal_ids as "inheritedIds", ${projectRoleSql('$2::bigint', 'p', 'n')} as role,
    exists (select from namespaces l where l.id = any(n.traversal_ids) and (l.settings->>'membership_lock')::boolean and not exists (
      select from bulk_import_entities e where e.bulk_import_id = $3 and e.source_type = 'group_entity' and e.namespace_id = l.id)) as "isLocked"
  from projects p join namespaces n on n.id = p.namespace_id where p.id = $1`;

const LOCKED = 'A parent group locks project membership';

/** Roles by level, highest first. */
const ROLES: readonly (readonly [level: number, role: Role])[] = [
  Role.Owner,
  Role.Maintainer,
  Role.Developer,
  Role.Reporter,
  Role.Guest,
  Role.Minimal,
].map((role) => [role, role]);

/**
 * Returns the local role for a level at the source: an unknown level becomes the next lower one. Minimal
 * access is for groups with the premium plan.
 */
function roleOf(given: number, tier: Tier, isGroup: boolean): Role | null {
  const role = ROLES.find(([level]) => level <= given)?.[1];
  if (role === undefined || (role === Role.Minimal && !(isGroup && tier >= Tier.Premium))) return null;
  return role;
}

/** Imports the direct members of a group or project who are known here. */
@Injectable()
export class MembersStep {
  constructor(
    private readonly database: ReadDatabase,
    private readonly users: SourceUsersService,
    private readonly importers: ImporterFinder,
    private readonly members: MembersService,
    private readonly audit: AuditLogService,
  ) {}

  /** Imports them; idempotent: existing members are kept unchanged. */
  async run(run: StepRun): Promise<void> {
    const target = await run.target();
    const { actor, tier } = await this.importers.callerOf(run.entity);
    const found = await this.database.one<Container>(target.of === 'group' ? GROUP : PROJECT, [
      target.ownerId,
      actor.id,
      run.entity.importId,
    ]);
    if (found?.isLocked === true) {
      await run.commit((tx) => run.report(tx, 'loader', new DestinationRefused(LOCKED), null));
      return;
    }
    const cap = actor.admin ? Role.Owner : (found?.role ?? Role.None);
    const done = typeof run.cursor === 'number' ? run.cursor : 0;
    let page = 0;
    for await (const records of run.source.pages(`${sourcePath(run.entity)}/members`)) {
      run.turn.assertTime(page > done);
      page += 1;
      if (page <= done) continue;
      const ids = records.map((record) => integerIn(record, 'id', 1) ?? 0).filter((id) => id > 0);
      const users = await this.users.resolve(run.entity, run.source, ids, run.turn);
      const rows = records
        .map((record) => memberOf(record, users, cap, tier, target.of === 'group'))
        // The importing user already has a role, which the source must not change.
        .filter((row) => row !== null && row.userId !== actor.id)
        .map((row) => row as BroughtMember);
      await run.commit(async (tx) => {
        const imported = await this.bring(tx, target, found?.inheritedIds ?? [], rows, actor);
        await run.progress(tx, { source: records.length, fetched: records.length, imported }, page);
      });
    }
  }

  private async bring(
    tx: Tx,
    { of, ownerId, fullPath }: ImportTarget,
    inheritedIds: readonly number[],
    rows: readonly BroughtMember[],
    author: { readonly id: number; readonly name: string },
  ): Promise<number> {
    const sourceType = of === 'group' ? 'Namespace' : 'Project';
    const container = { sourceType, sourceId: ownerId, createdById: author.id } as const;
    const added = await this.members.bring(tx, container, inheritedIds, rows);
    const scope = { type: of === 'group' ? 'Group' : 'Project', id: ownerId, path: fullPath } as const;
    for (const { userId, accessLevel, name } of added) {
      const target = { type: 'User', id: userId, details: name };
      await this.audit.record(tx, author, scope, target, { add: 'user_access', as: levelName(accessLevel) });
    }
    return added.length;
  }
}

function memberOf(
  record: SourceRecord,
  users: ReadonlyMap<number, SourceUser>,
  cap: Role,
  tier: Tier,
  isGroup: boolean,
): BroughtMember | null {
  const userId = users.get(integerIn(record, 'id', 1) ?? 0)?.userId ?? null;
  const given = roleOf(integerIn(record, 'access_level') ?? 0, tier, isGroup);
  const expiresAt = dateIn(record, 'expires_at');
  const isOver = expiresAt !== null && expiresAt <= new Date().toISOString().slice(0, 10);
  // A pending access request is not a membership; an invalid expiry date would make a membership permanent.
  const isWaiting = record['membership_state'] === 'awaiting';
  const isUnclear = expiresAt === null && record['expires_at'] !== null && record['expires_at'] !== undefined;
  if (userId === null || given === null || isOver || isWaiting || isUnclear) return null;
  const accessLevel = given < cap ? given : cap;
  return accessLevel > Role.None ? { userId, accessLevel, expiresAt } : null;
}
