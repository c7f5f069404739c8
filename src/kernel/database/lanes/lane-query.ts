import type pg from 'pg';
import { prepareValue, submitTo, type PgWire, type ResultShape } from '#kernel/libraries/pg-inside.js';
import { BoundedQuery } from './bounded-query.js';

/** A statement of a name that always stands for the same text, with its values. */
export interface NamedRead {
  readonly name: string;
  readonly text: string;
  readonly values: readonly unknown[];
}

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
    query.callback = (error, result) => {
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
    submitTo(client, query);
  }

  /**
   * Called by pg between cork and uncork, so all messages leave together. Only what the server has said to be parsed is counted on:
   * where that is still under way it may be cancelled yet, so those behind the first bring the text along, without a name.
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
