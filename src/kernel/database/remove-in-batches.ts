import type { Transactions } from './transactions.js';

/** Rows that a job removes; an index must find them. */
export interface UselessRows {
  readonly table: string;
  /** SQL condition. */
  readonly where: string;
}

/** Rows removed in one transaction. */
const BATCH = 1_000;

/** Deletes rows in batches, so that no transaction is long. */
export async function removeInBatches(
  transactions: Transactions,
  { table, where }: UselessRows,
  signal: AbortSignal,
): Promise<void> {
  const text = `with batch as (select id from ${table} where ${where} limit ${BATCH} for update skip locked),
    gone as (delete from ${table} t using batch where t.id = batch.id returning 1) select count(*)::int as total from gone`;
  for (;;) {
    const [row] = await transactions.run((tx) => tx.query<{ total: number }[]>(text));
    if (row?.total !== BATCH) return;
    signal.throwIfAborted();
  }
}
