import type pg from 'pg';
import { prepareValue, submitTo, type PgWire, type ResultShape } from '#kernel/libraries/pg-inside.js';
import { BoundedQuery } from './bounded-query.js';

/** A named statement with its values; a name always has the same text. */
export interface NamedRead {
  readonly name: string;
  readonly text: string;
  readonly values: readonly unknown[];
}

/**
 * A prepared read that requests the description of its columns once per connection. The columns of a named statement cannot change, so
 * later runs save one message each way and its parsing. `shapes` belongs to the connection.
 */
export class LaneQuery extends BoundedQuery {
  private isDescribed = false;

  private constructor(
    private readonly config: NamedRead,
    private readonly shapes: Map<string, ResultShape>,
  ) {
    // Pass the text alone: pg would copy a configuration object property by property.
    super(config.text);
    this.name = config.name;
    this.values = config.values;
  }

  /** Runs a prepared read on a pipelined client; takes a callback, because each promise slows a request down. */
  static run(
    client: pg.Client,
    shapes: Map<string, unknown>,
    config: NamedRead,
    done: (error: Error | null, rows: object[]) => void,
  ): void {
    const query = new LaneQuery(config, shapes as Map<string, ResultShape>);
    query.callback = (error, result) => {
      if (error || !result) {
        done(error ?? new Error('No result'), []);
        return;
      }
      if (query.isDescribed && query.name !== '') {
        // Keep the columns only, so that the rows of the first answer can be freed.
        const { fields, _parsers, _prebuiltEmptyResultObject } = result;
        shapes.set(config.name, { fields, _parsers, _prebuiltEmptyResultObject });
      }
      done(null, result.rows);
    };
    submitTo(client, query);
  }

  /**
   * Called by pg between cork and uncork, so that all messages leave in one write. Relies on a named statement only after the server confirmed
   * its parsing, which may still fail before that: until then further runs send the text without a name.
   */
  override prepare(connection: PgWire): void {
    const { name } = this.config;
    const isParsed = connection.parsedStatements[name] !== undefined;
    const known = isParsed ? this.shapes.get(name) : undefined;
    if (!known) {
      if (!isParsed && connection.submittedNamedStatements[name] !== undefined) this.name = '';
      this.isDescribed = true;
      super.prepare(connection);
      return;
    }
    const own = this._result;
    this._accumulateRows = true;
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
