import type pg from 'pg';
import { PgQueryBase, prepareValue, type PgWire } from '#kernel/libraries/pg-inside.js';
import { DescribedStatements } from './described-statements.js';

/** A statement of a batch; named if it is prepared. */
export interface Asked {
  readonly name?: string | undefined;
  readonly text: string;
  readonly values?: readonly unknown[] | undefined;
}

type Settle = (error: Error | null | undefined, result?: pg.QueryResult) => void;

/** One statement of a batch, which ends with the batch. A prepared one is described once per connection. */
class Part extends PgQueryBase {
  requiresPreparation(): boolean {
    return true;
  }

  override prepare(connection: PgWire): void {
    const columns = DescribedStatements.of(connection).columnsOf(this.name);
    if (!columns) {
      super.prepare(connection);
      return;
    }
    Object.assign(this._result, columns);
    this._accumulateRows = true;
    const { portal, name: statement = '', values } = this;
    connection.bind({ portal, statement, values: values as unknown[], valueMapper: prepareValue });
    this._getRows(connection);
  }

  override handleReadyForQuery(connection: PgWire): void {
    DescribedStatements.of(connection).keep(this.name, this._result);
    super.handleReadyForQuery(connection);
  }

  protected _getRows(connection: PgWire): void {
    connection.execute({ portal: this.portal });
  }
}

/**
 * Statements that are sent in one write and run one after another. After a failing one the server skips the
 * rest: these fail with the same error.
 */
export class StatementBatch {
  private readonly parts: Part[] = [];
  private at = 0;
  private refused: { readonly from: number; readonly error: Error } | undefined;

  get size(): number {
    return this.parts.length;
  }

  /** Adds a statement and returns a promise of its result. */
  add({ name, text, values }: Asked): Promise<pg.QueryResult> {
    return new Promise((resolve, reject) => {
      const settle: Settle = (error, result) => (error ? reject(error) : resolve(result as pg.QueryResult));
      const sent = values?.map((value) => prepareValue(value)) ?? [];
      this.parts.push(
        new Part({ ...(name === undefined ? {} : { name }), text, values: sent }, undefined, settle),
      );
    });
  }

  // The interface that pg requires of a query. Results arrive in the order of the statements.

  get name(): string | undefined {
    return this.parts[this.at]?.name;
  }

  get text(): string | undefined {
    return this.parts[this.at]?.text;
  }

  /** Called at the end of all; each statement reports its own result. */
  callback(): void {
    return undefined;
  }

  submit(connection: PgWire): null {
    connection.stream.cork();
    try {
      for (const [from, part] of this.parts.entries()) {
        const error = part.submit(connection);
        if (!error) continue;
        this.refused = { from, error };
        break;
      }
      connection.sync();
    } finally {
      connection.stream.uncork();
    }
    return null;
  }

  handleRowDescription(message: unknown): void {
    this.parts[this.at]?.handleRowDescription(message);
  }

  handleDataRow(message: { readonly length: number }): void {
    this.parts[this.at]?.handleDataRow(message);
  }

  handleCommandComplete(message: unknown, connection: PgWire): void {
    this.parts[this.at]?.handleCommandComplete(message, connection);
    this.at += 1;
  }

  handleEmptyQuery(connection: PgWire): void {
    this.parts[this.at]?.handleEmptyQuery(connection);
    this.at += 1;
  }

  handleCopyInResponse(connection: PgWire): void {
    this.parts[this.at]?.handleCopyInResponse(connection);
  }

  handleError(error: unknown, connection: PgWire): void {
    for (const part of this.parts.slice(0, this.at)) part.handleReadyForQuery(connection);
    for (const part of this.parts.slice(this.at)) {
      // The server has not read them.
      if (part.name !== undefined) Reflect.deleteProperty(connection.submittedNamedStatements, part.name);
      part.handleError(error, connection);
    }
  }

  handleReadyForQuery(connection: PgWire): void {
    const { from, error } = this.refused ?? { from: this.parts.length, error: undefined };
    for (const part of this.parts.slice(0, from)) part.handleReadyForQuery(connection);
    for (const part of this.parts.slice(from)) part.handleError(error, connection);
  }
}
