import type pg from 'pg';
import { QueryRunnerAlreadyReleasedError } from 'typeorm';
import { CountedClient, type Gathering } from './counted-client.js';
import type { Tx } from '../transactions.js';

/**
 * A statement of fixed text that runs so often that planning it each time would cost more than running it.
 */
export interface PreparedStatement {
  /** Unique among all statements of the product. */
  readonly name: string;
  readonly text: string;
}

/** A statement with its values. */
export type AskedStatement = readonly [statement: PreparedStatement, values: readonly unknown[]];

/** The connection of a transaction. */
async function connectionOf(tx: Tx): Promise<pg.ClientBase> {
  const runner = tx.queryRunner;
  if (!runner) throw new Error('A prepared statement needs a manager handed out by Transactions.run');
  if (runner.isReleased) throw new QueryRunnerAlreadyReleasedError();
  return (await runner.connect()) as pg.ClientBase;
}

/**
 * Returns the rows of a statement that each connection plans once. Runs in `tx`, like `tx.query`; the result
 * is always the rows.
 */
export async function runPrepared<Row extends object>(
  tx: Tx,
  statement: PreparedStatement,
  values: unknown[],
): Promise<Row[]> {
  const client = await connectionOf(tx);
  return (await client.query<Row>({ ...statement, values })).rows;
}

/**
 * Runs a statement without a needed result together with the next one of `tx`, at the latest with its commit,
 * which saves a round trip. Later statements of `tx` run after it, and fail with it.
 */
export async function runDeferred(tx: Tx, text: string, values: unknown[]): Promise<void> {
  const client = await connectionOf(tx);
  if (client instanceof CountedClient) void client.hold({ text, values });
  else await client.query(text, values);
}

/**
 * Writes items together with all others of the same `gathering` in one statement with the commit of `tx`, so
 * that its locks are held only during the commit. It returns no rows and must not fail because of the items.
 * `tx` itself does not see them.
 */
export async function runWithCommit<Item>(
  tx: Tx,
  gathering: Gathering<Item>,
  items: readonly Item[],
): Promise<void> {
  const client = await connectionOf(tx);
  if (client instanceof CountedClient) {
    client.gather(gathering, items);
    return;
  }
  const { text, values = [] } = gathering(items);
  await client.query(text, [...values]);
}

/**
 * Returns a promise of the rows of a statement that is sent with the next one of `tx`, at the latest with its
 * commit.
 */
export async function runWithNext<Row extends object>(
  tx: Tx,
  text: string,
  values: unknown[],
): Promise<() => Promise<Row[]>> {
  const client = await connectionOf(tx);
  if (!(client instanceof CountedClient)) {
    const { rows } = await client.query<Row>(text, values);
    return () => Promise.resolve(rows);
  }
  const result = client.hold({ text, values });
  return async () => {
    client.flush(result);
    return (await result).rows as Row[];
  };
}

/**
 * Makes `tx` release its locks with its commit record, before it is on disk, so that transactions waiting for
 * them are flushed together with it. The commit still waits for the disk; only concurrent readers may see
 * what a crash of the database would undo. Call it before the statement that takes the lock.
 */
export async function letGoEarly(tx: Tx): Promise<void> {
  const client = await connectionOf(tx);
  if (client instanceof CountedClient) client.letGoEarly();
}

/** Returns the rows of several prepared statements that do not depend on each other, in one round trip. */
export async function runTogether(tx: Tx, asked: readonly AskedStatement[]): Promise<object[][]> {
  return askTogether(await connectionOf(tx), asked);
}

/** The same on a connection; outside of a transaction they form one. */
export async function askTogether(
  client: pg.ClientBase,
  asked: readonly AskedStatement[],
): Promise<object[][]> {
  const results = asked.map(([statement, values], index) =>
    client instanceof CountedClient && index < asked.length - 1
      ? client.hold({ ...statement, values })
      : client.query<object>({ ...statement, values: [...values] }),
  );
  return (await Promise.all(results)).map(({ rows }) => rows as object[]);
}
