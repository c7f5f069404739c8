import pg from 'pg';
import utils from 'pg/lib/utils.js';

/** A statement of a batch; named where it is prepared. */
export interface Asked {
  readonly name?: string | undefined;
  readonly text: string;
  readonly values?: readonly unknown[] | undefined;
}

/** The parts of pg's connection that its type definitions leave out. */
interface BatchConnection {
  readonly stream: { cork(): void; uncork(): void };
  readonly submittedNamedStatements: Record<string, string>;
  execute(what: { portal: string; rows?: number }): void;
  sync(): void;
}

type Settle = (error: Error | null | undefined, result?: pg.QueryResult) => void;

interface BaseQuery {
  readonly name?: string;
  readonly text: string;
  readonly portal: string;
  submit(connection: BatchConnection): Error | null;
  handleRowDescription(message: unknown): void;
  handleDataRow(message: unknown): void;
  handleCommandComplete(message: unknown, connection: BatchConnection): void;
  handleEmptyQuery(connection: BatchConnection): void;
  handleCopyInResponse(connection: BatchConnection): void;
  handleError(error: unknown, connection: BatchConnection): void;
  handleReadyForQuery(connection: BatchConnection): void;
}

const Base = pg.Query as unknown as new (config: object, values: undefined, settle: Settle) => BaseQuery;

/** One statement of a batch: what ends them all ends it. */
class Part extends Base {
  requiresPreparation(): boolean {
    return true;
  }

  protected _getRows(connection: BatchConnection): void {
    connection.execute({ portal: this.portal });
  }
}

/**
 * Statements that leave in one write and run one after the other. The server leaves out all that come after one that fails: these fail with
 * the same error.
 */
export class StatementBatch {
  private readonly parts: Part[] = [];
  private at = 0;
  private refused: { readonly from: number; readonly error: Error } | undefined;

  get size(): number {
    return this.parts.length;
  }

  /** Adds a statement; its result. */
  add({ name, text, values }: Asked): Promise<pg.QueryResult> {
    return new Promise((resolve, reject) => {
      const settle: Settle = (error, result) => (error ? reject(error) : resolve(result as pg.QueryResult));
      const sent = values?.map((value) => utils.prepareValue(value)) ?? [];
      this.parts.push(
        new Part({ ...(name === undefined ? {} : { name }), text, values: sent }, undefined, settle),
      );
    });
  }

  // What pg asks of a query. The answers come in the order of the statements.

  get name(): string | undefined {
    return this.parts[this.at]?.name;
  }

  get text(): string | undefined {
    return this.parts[this.at]?.text;
  }

  /** Called with the end of all; each statement tells of itself. */
  callback(): void {
    return undefined;
  }

  submit(connection: BatchConnection): null {
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

  handleDataRow(message: unknown): void {
    this.parts[this.at]?.handleDataRow(message);
  }

  handleCommandComplete(message: unknown, connection: BatchConnection): void {
    this.parts[this.at]?.handleCommandComplete(message, connection);
    this.at += 1;
  }

  handleEmptyQuery(connection: BatchConnection): void {
    this.parts[this.at]?.handleEmptyQuery(connection);
    this.at += 1;
  }

  handleCopyInResponse(connection: BatchConnection): void {
    this.parts[this.at]?.handleCopyInResponse(connection);
  }

  handleError(error: unknown, connection: BatchConnection): void {
    for (const part of this.parts.slice(0, this.at)) part.handleReadyForQuery(connection);
    for (const part of this.parts.slice(this.at)) {
      // The server has not read them.
      if (part.name !== undefined) Reflect.deleteProperty(connection.submittedNamedStatements, part.name);
      part.handleError(error, connection);
    }
  }

  handleReadyForQuery(connection: BatchConnection): void {
    const { from, error } = this.refused ?? { from: this.parts.length, error: undefined };
    for (const part of this.parts.slice(0, from)) part.handleReadyForQuery(connection);
    for (const part of this.parts.slice(from)) part.handleError(error, connection);
  }
}
