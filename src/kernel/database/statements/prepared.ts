import type pg from 'pg';
import { QueryRunnerAlreadyReleasedError } from 'typeorm';
import { CountedClient, type Gathering } from './counted-client.js';
import type { Tx } from '../transactions.js';

/** A statement of fixed text that runs so often that planning it anew each time would cost more than running it. */
export interface PreparedStatement {
  /** One of its own among all statements of the product. */
  readonly name: string;
  readonly text: string;
}

/** A statement, and the values that it is asked with. */
export type AskedStatement = readonly [statement: PreparedStatement, values: readonly unknown[]];

/** The connection of a transaction. */
async function connectionOf(tx: Tx): Promise<pg.ClientBase> {
  const runner = tx.queryRunner;
  if (!runner) throw new Error('A prepared statement needs a manager handed out by Transactions.run');
  if (runner.isReleased) throw new QueryRunnerAlreadyReleasedError();
  return (await runner.connect()) as pg.ClientBase;
}

/** Rows of a statement that each connection plans once. In `tx`, like `tx.query`; whatever it is, its answer is its rows. */
export async function runPrepared<Row extends object>(
  tx: Tx,
  statement: PreparedStatement,
  values: unknown[],
): Promise<Row[]> {
  const client = await connectionOf(tx);
  return (await client.query<Row>({ ...statement, values })).rows;
}

/**
 * Runs a statement whose rows nobody asks for, with whatever `tx` runs next, at the latest with its commit: one way to the database less. What
 * comes after it in `tx` comes after it there, and fails with it.
 */
export async function runDeferred(tx: Tx, text: string, values: unknown[]): Promise<void> {
  const client = await connectionOf(tx);
  if (client instanceof CountedClient) void client.hold({ text, values });
  else await client.query(text, values);
}

/**
 * Writes items with all others of the same `gathering` by one statement, which nobody asks for rows and which cannot fail by what they are, with
 * the commit of `tx`: what is locked by that is locked no longer than the commit takes. `tx` itself does not see them.
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

/** The rows of a statement that goes with whatever `tx` runs next, at the latest with its commit, for whoever asks for them after that. */
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
 * Has `tx` let go of its locks with its commit, before the disk has it: those who wait for them are written to disk together with it. Whoever
 * waits for the commit waits for the disk as ever; only who reads meanwhile may see what a crash of the database would still undo. Call it
 * before the statement that takes the lock.
 */
export async function letGoEarly(tx: Tx): Promise<void> {
  const client = await connectionOf(tx);
  if (client instanceof CountedClient) client.letGoEarly();
}

/** Rows of prepared statements, one after the other, in one way to the database: for those that need no rows of others. */
export async function runTogether(tx: Tx, asked: readonly AskedStatement[]): Promise<object[][]> {
  return askTogether(await connectionOf(tx), asked);
}

/** The same on a connection; outside of a transaction they are one. */
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
