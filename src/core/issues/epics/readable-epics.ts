import type { Caller } from '#kernel/access/caller.js';
import { Role } from '#kernel/access/roles.js';
import type { ReadDatabase } from '#kernel/database/reads/read-database.js';
import { groupRoleSql } from '#core/members/sql/role.sql.js';

const READABLE = `select r.id from (
    select e.id, e.confidential, $3::boolean or ${groupRoleSql('$1::bigint', 'g')} >= ${Role.Reporter} as reports,
      ${groupRoleSql('$1::bigint', 'g')} >= ${Role.Guest} or g.visibility = 'public' or g.visibility = 'internal' and $4::boolean as sees
    from epics e join namespaces g on g.id = e.group_id and not g.pending_delete where e.id = any($2::bigint[])) r
  where r.reports or r.sees and not r.confidential`;

/** Returns the given epics that the caller may see: readers of an issue may lack access to the group of its epic. */
export async function readableEpicIds(
  database: ReadDatabase,
  { actor }: Caller,
  epicIds: readonly number[],
): Promise<ReadonlySet<number>> {
  if (epicIds.length === 0) return new Set();
  const rows = await database.short<{ id: number }>(READABLE, [
    actor?.id ?? null,
    [...new Set(epicIds)],
    actor?.admin === true,
    actor !== null && !actor.external,
  ]);
  return new Set(rows.map(({ id }) => id));
}
