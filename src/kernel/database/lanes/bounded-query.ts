import pg from 'pg';
import { HttpError } from '#kernel/http/errors.js';
import { requestContext } from '#kernel/log/request-context.js';

/** Bytes of the rows of one read for a request: a hundred records with a million characters each would take that many times over. Jobs have no limit. */
const MAX_BYTES = 16 * 1024 * 1024;

/** What is asked for; named where it is prepared. */
export interface QueryConfig {
  readonly name?: string;
  readonly text: string;
  readonly values: unknown[];
}

/** The parts of pg's query that its type definitions leave out. */
interface BaseQuery {
  name?: string;
  values?: unknown;
  /** Set while rows come, it drops the rest, and is the error in the end. */
  _canceledDueToError: unknown;
  _result: { rows: object[] };
  handleDataRow(row: { readonly length: number }): void;
}

const Base = pg.Query as unknown as new (config: string | QueryConfig) => BaseQuery;

/** A read whose rows are let go when they have become too many bytes for the request that it is made for: it fails with 422. */
export class BoundedQuery extends Base {
  private left = requestContext.getStore()?.response ? MAX_BYTES : Infinity;

  override handleDataRow(row: { readonly length: number }): void {
    this.left -= row.length;
    if (this.left < 0 && !this._canceledDueToError) {
      this._canceledDueToError = TooMuch();
      this._result.rows = [];
    }
    super.handleDataRow(row);
  }
}

/** Runs a read on a connection, or on one of a pool. @throws 422 for more than a request may hold */
export function readBounded<Row extends object>(
  on: pg.Pool | pg.ClientBase,
  config: QueryConfig,
): Promise<Row[]> {
  return new Promise((resolve, reject) => {
    const query = new BoundedQuery(config) as unknown as string;
    on.query<Row>(query, (error: Error | undefined, result) => {
      if (error) reject(error);
      else resolve(result.rows);
    });
  });
}

const TooMuch = (): HttpError =>
  new HttpError(422, {
    message: `422 Unprocessable Entity - the records take more than ${MAX_BYTES / 2 ** 20} MiB, ask for fewer at a time`,
  });
