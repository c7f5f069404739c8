import type pg from 'pg';
import { boundReach, PgQueryBase, type PgWire } from '#kernel/libraries/pg-inside.js';
import { isForAnswer, LARGE_BYTES } from '#kernel/http/answers/large-answers.js';

/** A query; its name makes it a prepared statement. */
export interface QueryConfig {
  readonly name?: string;
  readonly text: string;
  readonly values: unknown[];
}

/** Error of a read whose rows exceed the limit of bytes; its connection is closed, to stop the rest of the rows. */
export class RowsTooMany extends Error {}

/** Query for an answer, with a limit of bytes. Closes the connection beyond it, because the database would send all further rows. */
export class BoundedQuery extends PgQueryBase {
  private stream: PgWire['stream'] | undefined;
  private left: number;

  constructor(config: string | QueryConfig, maxBytes = LARGE_BYTES) {
    super(config);
    this.left = isForAnswer() ? maxBytes : Infinity;
  }

  override submit(connection: PgWire): Error | null {
    this.stream = connection.stream;
    return super.submit(connection);
  }

  override handleDataRow(row: { readonly length: number }): void {
    this.left -= row.length;
    if (this.left < 0 && !this._canceledDueToError) {
      this._canceledDueToError = new RowsTooMany('The rows of a read are too many bytes');
      this._result.rows = [];
      this.stream?.destroy();
    }
    super.handleDataRow(row);
  }
}

/** Runs a read on a connection. @throws RowsTooMany for more than `maxBytes` of rows for an answer */
function readBounded<Row extends object>(
  on: pg.ClientBase,
  config: QueryConfig,
  maxBytes: number | undefined,
): Promise<Row[]> {
  if (!boundReach.available) return on.query<Row>(config).then(({ rows }) => rows);
  return new Promise((resolve, reject) => {
    const query = new BoundedQuery(config, maxBytes) as unknown as string;
    on.query<Row>(query, (error: Error | undefined, result) => {
      if (error) reject(error);
      else resolve(result.rows);
    });
  });
}

/** Runs a read like `readBounded` on a pooled connection. After an error the pool keeps the connection only if `isHarmless` accepts the error. */
export async function readInPool<Row extends object>(
  pool: pg.Pool,
  config: QueryConfig,
  { maxBytes, isHarmless }: { maxBytes?: number; isHarmless?: (error: unknown) => boolean } = {},
): Promise<Row[]> {
  const client = await pool.connect();
  // The read rejects with the same error; without a listener the process would crash.
  client.once('error', nothing);
  try {
    const rows = await readBounded<Row>(client, config, maxBytes);
    client.release();
    return rows;
  } catch (error) {
    client.release(isHarmless?.(error) !== true);
    throw error;
  } finally {
    client.off('error', nothing);
  }
}

const nothing = (): void => undefined;
