import type { Transactions } from './transactions.js';

/** Rows that a job removes; an index must find them. */
export interface UselessRows {
  readonly table: string;
  /** SQL condition. */
  readonly where: string;
  readonly values?: readonly unknown[];
  /** Rows per transaction, if they are so small that it may be more than 1,000. */
  readonly atOnce?: number;
}

/** Rows removed per transaction: few enough not to delay other work. */
const BATCH = 1_000;

/**
 * Statistics from before the removal promise rows at the beginning of the table; once these are gone, a scan of all
 * rows finds none. With 100 million events that took longer than a statement may.
 */
const BY_INDEX = 'set local enable_seqscan = off';

/** Deletes rows in batches, so that no transaction is long. */
export async function removeInBatches(
  transactions: Transactions,
  { table, where, values = [], atOnce = BATCH }: UselessRows,
  signal: AbortSignal,
): Promise<void> {
  const text = `with gone as (delete from ${table} where id = any(array(
      select id from ${table} where ${where} limit ${atOnce} for update skip locked)) returning 1)
    select count(*)::int as total from gone`;
  for (;;) {
    const [row] = await transactions.run(async (tx) => {
      await tx.query(BY_INDEX);
      return tx.query<{ total: number }[]>(text, [...values]);
    });
    if (row?.total !== atOnce) return;
    signal.throwIfAborted();
  }
}
