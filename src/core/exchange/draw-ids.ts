import type { Tx } from '#kernel/database/transactions.js';

const DRAW = `select nextval(s.seq) as id from (select pg_get_serial_sequence($1, 'id')::regclass as seq offset 0) s, generate_series(1, $2::int)`;

/**
 * Draws ids of rows that are written later in the transaction, in ascending order. Polymorphic dependants
 * (notes, emoji) can thus be inserted before their parent, whose counters and times are correct from the
 * start, so that no trigger has to update it.
 */
export async function drawIds(tx: Tx, table: string, count: number): Promise<number[]> {
  if (count === 0) return [];
  const rows = await tx.query<{ id: number }[]>(DRAW, [table, count]);
  return rows.map(({ id }) => id).sort((one, other) => one - other);
}
