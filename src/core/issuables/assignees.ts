import { runDeferred, runWithNext } from '#kernel/database/statements/prepared.js';
import type { Tx } from '#kernel/database/transactions.js';
import type { PeopleTable } from './issuable-kind.js';

/** Who is assigned, or asked to review, now and was not before; and who no longer is. */
export interface PeopleChange {
  readonly added: readonly number[];
  readonly removed: readonly number[];
}

/** More users than this are never assigned to one thing. */
export const MAX_ASSIGNEES = 200;

/** The users that parameters name: `assignee_ids` before the older `assignee_id`; 0, null and nothing clear; null for no change. */
export function namedUsers(
  ids: readonly number[] | null | undefined,
  id: number | null | undefined,
): number[] | null {
  if (ids !== undefined) return [...new Set(ids ?? [])].filter((one) => one > 0);
  if (id !== undefined) return id === null || id <= 0 ? [] : [id];
  return null;
}

/** What is looked up is chosen without knowing how many there are: else it would be planned each time. */
const LIVE = `select u.id from users u where u.id = any((select $1::bigint[])::bigint[]) and not u.pending_delete and u.state = 'active' for key share`;

/**
 * Those of the users who can be given something to do: active ones of whom `readers` says that they can read the thing, in the order that
 * was asked for; without `many` only the first.
 */
export async function assignable(
  tx: Tx,
  userIds: readonly number[],
  readers: (userIds: readonly number[]) => Promise<ReadonlySet<number>>,
  many: boolean,
): Promise<number[]> {
  if (userIds.length === 0) return [];
  const live = await runWithNext<{ id: number }>(tx, LIVE, [userIds]);
  const able = await readers(userIds);
  const active = new Set((await live()).map(({ id }) => id));
  const kept = userIds.filter((id) => able.has(id) && active.has(id)).slice(0, MAX_ASSIGNEES);
  return many ? kept : kept.slice(0, 1);
}

const added = ({ table, key }: PeopleTable): string =>
  `insert into ${table} (${key}, user_id) select $1, u from unnest($2::bigint[]) u order by u on conflict do nothing`;

/** Has the table hang these users on a thing that `tx` has made, with whatever it runs next. */
export async function addPeople(
  tx: Tx,
  table: PeopleTable,
  id: number,
  userIds: readonly number[],
): Promise<void> {
  if (userIds.length > 0) await runDeferred(tx, added(table), [id, userIds]);
}

/** Makes these users the ones that the table hangs on the thing; those who were there already stay as they are. */
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
