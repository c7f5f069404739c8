import { isOutage } from '#kernel/database/transient.js';
import type { Transactions, Tx } from '#kernel/database/transactions.js';
import { logger } from '#kernel/log/logger.js';
import { RunLost } from './job-processor.js';

/** Thrown at the end of a run that could not process some rows: the job is retried, and at last listed as failed. */
export class RowsLeft extends Error {
  override readonly name = 'RowsLeft';

  constructor(count: number, what: string) {
    super(`${count} row${count === 1 ? '' : 's'} could not be processed (${what}): the log says why`);
  }
}

/** Keeps a row that a job cannot process from blocking all others: its error is logged, and the job fails only at its end. */
export class RowsApart {
  private left = 0;

  constructor(
    private readonly what: string,
    private readonly signal: AbortSignal,
  ) {}

  /** Does the work of one row. @throws if not this row is the reason: the job was aborted, or the database is gone */
  async attempt(row: unknown, work: () => Promise<unknown>): Promise<void> {
    this.signal.throwIfAborted();
    try {
      await work();
    } catch (error) {
      if (this.signal.aborted || error instanceof RunLost || isOutage(error)) throw error;
      this.left += 1;
      logger.error({ error, what: this.what, row }, 'A row could not be processed');
    }
  }

  /** @throws RowsLeft if a row could not be processed */
  end(): void {
    if (this.left > 0) throw new RowsLeft(this.left, this.what);
  }
}

/** Rows that a job processes in batches. */
export interface RowsInBatches<Key> {
  /** What they are, for the log, such as `expired memberships`. */
  readonly what: string;
  /** Returns the keys of the first rows after one, in order; none at the end. */
  readonly next: (tx: Tx, after: Key | null) => Promise<readonly Key[]>;
  /** Processes those rows that still have to be. */
  readonly process: (tx: Tx, keys: readonly Key[]) => Promise<void>;
}

/** Returns the ids that a statement selects after one (`$1`). */
export const nextIds = async (tx: Tx, text: string, after: number | null): Promise<number[]> =>
  (await tx.query<{ id: number }[]>(text, [after ?? 0])).map(({ id }) => id);

/** Processes rows, each batch in a separate transaction; those of one that fails one by one. @throws RowsLeft */
export async function processApart<Key>(
  transactions: Transactions,
  { what, next, process }: RowsInBatches<Key>,
  signal: AbortSignal,
): Promise<void> {
  const apart = new RowsApart(what, signal);
  const inOne = (keys: readonly Key[]): Promise<void> => transactions.run((tx) => process(tx, keys));
  const after = (last: Key | null): Promise<readonly Key[]> => transactions.run((tx) => next(tx, last));
  for (let keys = await after(null); keys.length > 0; keys = await after(keys.at(-1) ?? null)) {
    signal.throwIfAborted();
    const isDone = await inOne(keys).then(
      () => true,
      () => false,
    );
    if (!isDone) for (const key of keys) await apart.attempt(key, () => inOne([key]));
  }
  apart.end();
}
