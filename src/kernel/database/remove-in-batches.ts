import type { Transactions } from './transactions.js';

/** Rows removed in one transaction. */
const BATCH = 1_000;

/** Deletes the rows of a table that a condition finds, in batches, so that no transaction is long; an index must find them. */
export async function removeInBatches(
  transactions: Transactions,
  table: string,
  condition: string,
  signal: AbortSignal,
): Promise<void> {
  const text = `with batch as (select id from ${table} where ${condition} limit ${BATCH} for update skip locked),
    gone as (delete from ${table} t using batch where t.id = batch.id returning 1) select count(*)::int as total from gone`;
  for (;;) {
    const [row] = await transactions.run((tx) => tx.query<{ total: number }[]>(text));
    if (row?.total !== BATCH) return;
    signal.throwIfAborted();
  }
}
