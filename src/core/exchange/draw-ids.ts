import type { Tx } from '#kernel/database/transactions.js';

const DRAW = `select nextval(s.seq) as id from (select pg_get_serial_sequence($1, 'id')::regclass as seq offset 0) s, generate_series(1, $2::int)`;

/**
 * Draws ids of rows that are written later in the transaction, in ascending order. What hangs on a thing by type and id (notes, emoji) can so be
 * written before it, and its counts and times stand in the row from the start: no trigger finds a row that it would have to change.
 */
export async function drawIds(tx: Tx, table: string, count: number): Promise<number[]> {
  if (count === 0) return [];
  const rows = await tx.query<{ id: number }[]>(DRAW, [table, count]);
  return rows.map(({ id }) => id).sort((one, other) => one - other);
}
