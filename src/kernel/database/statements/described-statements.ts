import type { PgWire, ResultShape } from '#kernel/libraries/pg-inside.js';

/** What pg knows about the columns of a statement. */
type Columns = Omit<ResultShape, 'rows'>;

const ofConnections = new WeakMap<PgWire, DescribedStatements>();

/**
 * The columns of the prepared statements of a connection, by name. A name cannot change its columns without
 * an error of the server, so they are requested once, which saves a message each way and its parsing.
 */
export class DescribedStatements {
  private readonly known = new Map<string, Columns>();

  private constructor(private readonly connection: PgWire) {}

  static of(connection: PgWire): DescribedStatements {
    let described = ofConnections.get(connection);
    if (!described) {
      described = new DescribedStatements(connection);
      ofConnections.set(connection, described);
    }
    return described;
  }

  /** Null if they must be requested, also while the server has not confirmed the statement. */
  columnsOf(name: string | undefined): Columns | null {
    if (name === undefined || this.connection.parsedStatements[name] === undefined) return null;
    return this.known.get(name) ?? null;
  }

  /** Keeps the columns of a result, without its rows. */
  keep(name: string | undefined, { fields, _parsers, _prebuiltEmptyResultObject }: Columns): void {
    if (name === undefined || this.known.has(name)) return;
    this.known.set(name, { fields, _parsers, _prebuiltEmptyResultObject });
  }

  /** For a closed statement: its name may be reused for other columns. */
  forget(name: string): void {
    this.known.delete(name);
  }
}
