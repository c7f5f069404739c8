import { Injectable } from '@nestjs/common';
import { Role, Tier } from '#kernel/access/roles.js';
import type { Tx } from '#kernel/database/transactions.js';
import { SettingsService } from '#core/instance/settings/settings.service.js';
import { RecordRefused } from '#core/exchange/record-refused.js';
import type { ImportTarget } from '#core/exchange/import-target.js';
import { projectRoleSql } from '#core/members/sql/role.sql.js';
import { isAdminSql } from '#core/users/admin.sql.js';
import { LOCK_PROJECT } from '#core/projects/writes/lock-project.sql.js';
import { MAX_PROTECTIONS } from '../protected-refs.service.js';
import { ALLOWED } from '../protections.queries.js';
import type { RefType } from '../protected-ref.entity.js';
import { pushersAmong } from '../protection-rights.service.js';
import type { ImportedRight, ImportedRights } from '../exchange/imported-protection.js';

/** A validated protection. */
export interface ImportedProtection extends ImportedRights {
  readonly name: string;
  readonly allowForcePush: boolean;
  readonly codeOwnerApprovalRequired: boolean;
}

const COUNT = `select count(*)::int as count from protected_refs where project_id = $1 and ref_type = $2 and name <> all($3::text[])`;

const ROLE = `select case when ${isAdminSql('u')} then ${Role.Admin} else ${projectRoleSql('u.id', 'p', 'n')} end as role
  from projects p join namespaces n on n.id = p.namespace_id join users u on u.id = $2 where p.id = $1`;

/**
 * Protections that the user $2 with the role $3 may not change, by their own levels: a migration can be resumed
 * when others have long protected what it brought.
 */
const BEYOND = `select r.name from protected_refs r where r.project_id = $1 and r.ref_type = $4 and r.name = any($5::text[])
  and (select bool_or(${ALLOWED}) from protected_ref_access_levels l where l.protected_ref_id = r.id and l.kind = 'unprotect') is false
  for no key update of r`;

/**
 * The protection that the project got automatically for its default branch is replaced by an imported one of
 * the same name.
 */
const WRITE = `insert into protected_refs (project_id, ref_type, name, allow_force_push, code_owner_approval_required)
  select $1, $2, r.name, r.allow_force_push, r.code_owner_approval_required
  from json_to_recordset($3::json) as r(name text, allow_force_push boolean, code_owner_approval_required boolean)
  on conflict (project_id, ref_type, name) do update set allow_force_push = excluded.allow_force_push,
    code_owner_approval_required = excluded.code_owner_approval_required, updated_at = now()
  returning id, name`;

const FORGET = 'delete from protected_ref_access_levels where protected_ref_id = any($1::bigint[])';

const ALLOW = `insert into protected_ref_access_levels (protected_ref_id, kind, access_level, user_id)
  select r.ref_id, r.kind, r.access_level, r.user_id
  from json_to_recordset($1::json) as r(ref_id bigint, kind text, access_level smallint, user_id bigint)`;

/** Imports protections. */
@Injectable()
export class ProtectedRefsImporter {
  constructor(private readonly settings: SettingsService) {}

  /**
   * Inserts protections in few statements; returns their ids in order, null for those that the importing user
   * may not change. @throws RecordRefused if the project has too many
   */
  async load(
    tx: Tx,
    target: ImportTarget,
    type: RefType,
    given: readonly ImportedProtection[],
  ): Promise<(number | null)[]> {
    const { ownerId: projectId } = target;
    await tx.query(LOCK_PROJECT, [projectId]);
    const beyond = await this.beyond(tx, target, type, given);
    const rows = given.filter(({ name }) => !beyond.has(name));
    const names = rows.map(({ name }) => name);
    const [others] = await tx.query<[{ count: number }]>(COUNT, [projectId, type, names]);
    if (others.count + rows.length > MAX_PROTECTIONS)
      throw new RecordRefused(`a project can have at most ${MAX_PROTECTIONS}`);
    const isPaid = this.settings.tier >= Tier.Premium;
    const values = rows.map((row) => ({
      name: row.name,
      allow_force_push: row.allowForcePush,
      code_owner_approval_required: isPaid && row.codeOwnerApprovalRequired,
    }));
    const written = await tx.query<{ id: number; name: string }[]>(WRITE, [
      projectId,
      type,
      JSON.stringify(values),
    ]);
    const idOf = new Map(written.map(({ id, name }) => [name, id]));
    await tx.query(FORGET, [[...idOf.values()]]);
    // Rights of single users need the premium plan.
    const users = isPaid ? rows.flatMap(({ rights }) => rights.flatMap(({ userId }) => userId ?? [])) : [];
    const known = await pushersAmong(tx, projectId, [...new Set(users)]);
    const levels = rows.flatMap((row) =>
      withoutStrangers(row, known).rights.map((right) => ({
        ref_id: idOf.get(row.name),
        kind: right.kind,
        access_level: right.accessLevel,
        user_id: right.userId,
      })),
    );
    await tx.query(ALLOW, [JSON.stringify(levels)]);
    for (const row of rows) {
      const { strangers } = withoutStrangers(row, known);
      if (strangers > 0) await target.report(tx, { title: row.name, message: left(strangers) });
    }
    for (const title of beyond)
      await target.report(tx, {
        title,
        message: 'its protection here may not be changed by the importing user',
      });
    return given.map(({ name }) => idOf.get(name) ?? null);
  }

  private async beyond(
    tx: Tx,
    { ownerId: projectId, importerId }: ImportTarget,
    type: RefType,
    rows: readonly ImportedProtection[],
  ): Promise<ReadonlySet<string>> {
    const [importer] = await tx.query<{ role: Role }[]>(ROLE, [projectId, importerId]);
    const names = rows.map(({ name }) => name);
    const values = [projectId, importerId, importer?.role ?? Role.None, type, names];
    return new Set((await tx.query<{ name: string }[]>(BEYOND, values)).map(({ name }) => name));
  }
}

const left = (count: number): string =>
  `${count} of those who have rights at the source are not known here; where nobody else has a right, Maintainers have it`;

/**
 * Keeps the holders known to the project; a right without any holder falls to Maintainers, as in every new
 * protection.
 */
function withoutStrangers(
  { kinds, rights, strangers }: ImportedRights,
  known: ReadonlySet<number>,
): { readonly rights: readonly ImportedRight[]; readonly strangers: number } {
  const kept = rights.filter(({ userId }) => userId === null || known.has(userId));
  const missing = kinds.filter((kind) => !kept.some((right) => right.kind === kind));
  const maintainers = missing.map((kind) => ({ kind, accessLevel: Role.Maintainer, userId: null }) as const);
  return { rights: [...kept, ...maintainers], strangers: strangers + rights.length - kept.length };
}
