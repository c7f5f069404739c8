import { Role } from '#kernel/access/roles.js';
import type { Tx } from '#kernel/database/transactions.js';
import type { ImportTarget } from '#core/exchange/import-target.js';
import { qualifiedUsers } from '../protection/qualified.js';
import type { ProtectionOwner } from '../protection/protection-owner.js';
import type {
  ImportedEntry,
  ImportedProtectedEnvironment,
} from '../exchange/imported-protected-environment.js';

const WRITE = `insert into protected_environments (project_id, group_id, name, required_approval_count, created_at, updated_at)
  select $1, $2, r.name, r.count, coalesce(r.created_at, now()), coalesce(r.updated_at, r.created_at, now())
  from json_to_recordset($3::json) as r(name text, count smallint, created_at timestamptz, updated_at timestamptz)
  on conflict do nothing returning id, name`;

const LEVELS = `insert into protected_environment_access_levels (protected_environment_id, access_level, user_id)
  select r.parent, r.level, r.user_id from json_to_recordset($1::json) as r(parent bigint, level smallint, user_id bigint)`;

const RULES = `insert into protected_environment_approval_rules (protected_environment_id, access_level, user_id, required_approvals)
  select r.parent, r.level, r.user_id, r.required
  from json_to_recordset($1::json) as r(parent bigint, level smallint, user_id bigint, required smallint)`;

const LEFT =
  'users or groups that may deploy or approve on the source are unknown here; Maintainers take their place';

/**
 * Imports protections; existing ones are kept. Unknown holders are replaced by Maintainers if no other holder may
 * deploy, and always among approvers: a missing rule would let deployments pass.
 */
export async function importProtectedEnvironments(
  tx: Tx,
  target: ImportTarget,
  rows: readonly ImportedProtectedEnvironment[],
): Promise<(number | null)[]> {
  const { ownerId } = target;
  const owner: ProtectionOwner =
    target.of === 'group' ? { projectId: null, groupId: ownerId } : { projectId: ownerId, groupId: null };
  const values = rows.map((row) => ({
    name: row.name,
    count: row.requiredApprovalCount,
    created_at: row.createdAt,
    updated_at: row.updatedAt,
  }));
  const made = await tx.query<{ id: number; name: string }[]>(WRITE, [
    owner.projectId,
    owner.groupId,
    JSON.stringify(values),
  ]);
  const idOf = new Map(made.map(({ id, name }) => [name, id]));
  const users = rows.flatMap(({ levels, rules }) =>
    [...levels, ...rules].flatMap(({ userId }) => userId ?? []),
  );
  const known = await qualifiedUsers(tx, owner, [...new Set(users)]);
  const isKnown = ({ accessLevel, userId }: ImportedEntry): boolean =>
    accessLevel !== null || (userId !== null && known.has(userId));
  const written = rows.filter(({ name }) => idOf.has(name));
  const levels = written.flatMap((row) => {
    const kept = row.levels.filter(isKnown);
    return (kept.length > 0 ? kept : [MAINTAINERS]).map((entry) => valuesOf(idOf.get(row.name), entry));
  });
  const rules = written.flatMap((row) =>
    row.rules.map((rule) =>
      valuesOf(idOf.get(row.name), isKnown(rule) ? rule : { ...rule, ...MAINTAINERS_ONLY }),
    ),
  );
  if (levels.length > 0) await tx.query(LEVELS, [JSON.stringify(levels)]);
  if (rules.length > 0) await tx.query(RULES, [JSON.stringify(rules)]);
  for (const { name, levels: deployers, rules: approvers } of written) {
    const strangers = [...deployers, ...approvers].filter((entry) => !isKnown(entry)).length;
    if (strangers > 0) await target.report(tx, { title: name, message: `${strangers} ${LEFT}` });
  }
  return rows.map(({ name }) => idOf.get(name) ?? null);
}

const MAINTAINERS_ONLY = { accessLevel: Role.Maintainer, userId: null } as const;
const MAINTAINERS: ImportedEntry = { ...MAINTAINERS_ONLY, requiredApprovals: 1 };

const valuesOf = (parent: number | undefined, entry: ImportedEntry): object => ({
  parent,
  level: entry.accessLevel,
  user_id: entry.accessLevel === null ? entry.userId : null,
  required: entry.requiredApprovals,
});
