import type pg from 'pg';
import { QueryRunnerAlreadyReleasedError } from 'typeorm';
import type { Tx } from './transactions.js';

/** A statement of fixed text that runs so often that planning it anew each time would cost more than running it. */
export interface PreparedStatement {
  /** One of its own among all statements of the product. */
  readonly name: string;
  readonly text: string;
}

/** Rows of a statement that each connection plans once. In `tx`, like `tx.query`; whatever it is, its answer is its rows. */
export async function runPrepared<Row extends object>(
  tx: Tx,
  statement: PreparedStatement,
  values: unknown[],
): Promise<Row[]> {
  const runner = tx.queryRunner;
  if (!runner) throw new Error('A prepared statement needs a manager handed out by Transactions.run');
  if (runner.isReleased) throw new QueryRunnerAlreadyReleasedError();
  const client = (await runner.connect()) as pg.ClientBase;
  return (await client.query<Row>({ ...statement, values })).rows;
}
