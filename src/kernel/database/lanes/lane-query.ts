import pg from 'pg';
import utils from 'pg/lib/utils.js';
import { BoundedQuery, type QueryConnection } from './bounded-query.js';

/** A statement of a name that always stands for the same text, with its values. */
export interface NamedRead {
  readonly name: string;
  readonly text: string;
  readonly values: readonly unknown[];
}

/** What pg keeps of the columns of a result. */
interface ResultShape {
  fields: unknown;
  _parsers: unknown;
  _prebuiltEmptyResultObject: unknown;
  rows: object[];
}

/** The parts of pg's query and connection that its type definitions leave out. */
interface QueryInternals {
  _result: ResultShape;
  /** Whether rows are kept; pg decides it when it reads the description. */
  _accumulateRows: boolean;
  callback: (error: Error | null, result?: ResultShape) => void;
}

/** The messages of the extended protocol. */
interface WireConnection extends QueryConnection {
  /** Texts by the names of statements: those that the server has, and those whose parsing has been asked for. */
  readonly parsedStatements: Readonly<Record<string, string>>;
  readonly submittedNamedStatements: Readonly<Record<string, string>>;
  bind(options: {
    portal: string;
    statement: string;
    values: readonly unknown[];
    valueMapper: (value: unknown) => unknown;
  }): void;
  execute(options: { portal: string }): void;
  sync(): void;
}

type Prepare = (this: unknown, connection: WireConnection) => void;

const describeAndRun = (pg.Query.prototype as unknown as { prepare: Prepare }).prepare;
const prepareValue = (value: unknown): unknown => utils.prepareValue(value);

/**
 * A prepared read that asks for the description of its columns once per connection: named statements cannot change theirs, so
 * later runs save a message each way and its parsing. `shapes` belongs to the connection.
 */
export class LaneQuery extends BoundedQuery {
  private isDescribed = false;

  private constructor(
    private readonly config: NamedRead,
    private readonly shapes: Map<string, ResultShape>,
  ) {
    // The text alone: a configuration object would be copied property by property.
    super(config.text);
    this.name = config.name;
    this.values = config.values;
  }

  /** Runs a prepared read on a pipelined client; by callback, for every promise on the way of a request costs. */
  static run(
    client: pg.Client,
    shapes: Map<string, unknown>,
    config: NamedRead,
    done: (error: Error | null, rows: object[]) => void,
  ): void {
    const query = new LaneQuery(config, shapes as Map<string, ResultShape>);
    (query as unknown as QueryInternals).callback = (error, result) => {
      if (error || !result) {
        done(error ?? new Error('No result'), []);
        return;
      }
      if (query.isDescribed && query.name !== '') {
        // The columns alone: the rows of the first answer are not to be kept.
        const { fields, _parsers, _prebuiltEmptyResultObject } = result;
        shapes.set(config.name, { fields, _parsers, _prebuiltEmptyResultObject });
      }
      done(null, result.rows);
    };
    client.query(query as unknown as pg.Submittable);
  }

  /**
   * Called by pg between cork and uncork, so all messages leave together. Only what the server has said to be parsed is counted on:
   * where that is still under way it may be cancelled yet, so those behind the first bring the text along, without a name.
   */
  prepare(connection: WireConnection): void {
    const { name } = this.config;
    const isParsed = connection.parsedStatements[name] !== undefined;
    const known = isParsed ? this.shapes.get(name) : undefined;
    if (!known) {
      if (!isParsed && connection.submittedNamedStatements[name] !== undefined) this.name = '';
      this.isDescribed = true;
      describeAndRun.call(this, connection);
      return;
    }
    const internals = this as unknown as QueryInternals;
    const own = internals._result;
    internals._accumulateRows = true;
    own.fields = known.fields;
    own._parsers = known._parsers;
    own._prebuiltEmptyResultObject = known._prebuiltEmptyResultObject;
    connection.bind({
      portal: '',
      statement: this.config.name,
      values: this.config.values,
      valueMapper: prepareValue,
    });
    connection.execute({ portal: '' });
    connection.sync();
  }
}
