import { runDeferred, runWithNext } from '#kernel/database/statements/prepared.js';
import type { Tx } from '#kernel/database/transactions.js';
import type { PeopleTable } from './issuable-kind.js';

/** Users added and removed as assignees or reviewers. */
export interface PeopleChange {
  readonly added: readonly number[];
  readonly removed: readonly number[];
}

/** Limit of assignees of an issuable. */
export const MAX_ASSIGNEES = 200;

/**
 * Returns the users in parameters: `assignee_ids` overrides the older `assignee_id`; 0, null and an empty
 * list clear; null for no change.
 */
export function namedUsers(
  ids: readonly number[] | null | undefined,
  id: number | null | undefined,
): number[] | null {
  if (ids !== undefined) return [...new Set(ids ?? [])].filter((one) => one > 0);
  if (id !== undefined) return id === null || id <= 0 ? [] : [id];
  return null;
}

/**
 * Returns those of the users who can be assigned, in the given order; without `many` only the first. `lock`
 * returns the active ones who can read the issuable, and keeps them from being deleted.
 */
export async function assignable(
  userIds: readonly number[],
  lock: (userIds: readonly number[]) => Promise<ReadonlySet<number>>,
  many: boolean,
): Promise<number[]> {
  if (userIds.length === 0) return [];
  const able = await lock(userIds);
  const kept = userIds.filter((id) => able.has(id)).slice(0, MAX_ASSIGNEES);
  return many ? kept : kept.slice(0, 1);
}

const added = ({ table, key }: PeopleTable): string =>
  `insert into ${table} (${key}, user_id) select $1, u from unnest($2::bigint[]) u order by u on conflict do nothing`;

/** Adds users to a new issuable, in one round trip with the next statement of `tx`. */
export async function addPeople(
  tx: Tx,
  table: PeopleTable,
  id: number,
  userIds: readonly number[],
): Promise<void> {
  if (userIds.length > 0) await runDeferred(tx, added(table), [id, userIds]);
}

/** Replaces the users of an issuable; keeps those already there unchanged. */
export async function replacePeople(
  tx: Tx,
  people: PeopleTable,
  id: number,
  userIds: readonly number[],
): Promise<PeopleChange> {
  const { table, key } = people;
  const gone = await runWithNext<{ user_id: number }>(
    tx,
    `delete from ${table} where ${key} = $1 and user_id <> all($2::bigint[]) returning user_id`,
    [id, userIds],
  );
  const come = await tx.query<{ user_id: number }[]>(`${added(people)} returning user_id`, [id, userIds]);
  return { added: come.map((row) => row.user_id), removed: (await gone()).map((row) => row.user_id) };
}
