import { beginQuery } from '#kernel/log/request-context.js';
import { isTransient } from '../transient.js';

/** Keys by their parts: an array of values for each `$n`. */
export type Columns = readonly (readonly unknown[])[];

/** Asks for the rows of some keys at once. */
export type AskForRows<Row> = (columns: Columns) => Promise<readonly Row[]>;

/** A row that says which key it belongs to: the place of the key among those asked for, from 1. */
export interface PlacedRow {
  readonly place: number;
}

interface Waiting<Row> {
  readonly key: readonly unknown[];
  /** Counts the statement for the request of the key. */
  readonly finished: () => void;
  readonly resolve: (row: Row | null) => void;
  readonly reject: (error: unknown) => void;
}

/** Keys of one statement; what is more takes another one. */
const MAX_KEYS = 100;

/**
 * Looks single rows up: the keys that requests come with in one turn of the event loop are asked for in one statement, since most of
 * what a look-up through an index costs is the statement itself, here and in the database.
 */
export class BatchedRead<Row extends PlacedRow> {
  private waiting: Waiting<Row>[] = [];

  /** `onFirst` is told of the first key since the last `send`. */
  constructor(
    private readonly ask: AskForRows<Row>,
    private readonly onFirst: (batch: BatchedRead<Row>) => void,
  ) {}

  /** The row of a key, or null. */
  find(...key: readonly unknown[]): Promise<Row | null> {
    return new Promise((resolve, reject) => {
      this.waiting.push({ key, finished: beginQuery(), resolve, reject });
      if (this.waiting.length === 1) this.onFirst(this);
    });
  }

  /** Asks for all keys that wait. */
  send(): void {
    const all = this.waiting;
    this.waiting = [];
    for (let from = 0; from < all.length; from += MAX_KEYS) this.askFor(all.slice(from, from + MAX_KEYS));
  }

  private askFor(keys: readonly Waiting<Row>[]): void {
    this.ask(columnsOf(keys)).then(
      (rows) => settle(keys, rows),
      (error: unknown) => {
        // A key that cannot be asked for must not be the failure of others; what cannot be asked for now is no key's fault.
        if (keys.length > 1 && !isTransient(error)) for (const one of keys) this.askFor([one]);
        else fail(keys, error);
      },
    );
  }
}

function columnsOf<Row>(keys: readonly Waiting<Row>[]): unknown[][] {
  return (keys[0]?.key ?? []).map((_, column) => keys.map(({ key }) => key[column]));
}

function fail<Row>(keys: readonly Waiting<Row>[], error: unknown): void {
  for (const { finished, reject } of keys) {
    finished();
    reject(error);
  }
}

function settle<Row extends PlacedRow>(keys: readonly Waiting<Row>[], rows: readonly Row[]): void {
  const found = new Array<Row | null>(keys.length).fill(null);
  for (const row of rows) found[row.place - 1] = row;
  for (const [index, { finished, resolve }] of keys.entries()) {
    finished();
    resolve(found[index] ?? null);
  }
}
