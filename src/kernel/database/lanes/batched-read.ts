import DataLoader from 'dataloader';
import { beginQuery } from '#kernel/log/request-context.js';
import { isTransient } from '../transient.js';

/** Keys by part: an array of values for each `$n`. */
export type Columns = readonly (readonly unknown[])[];

/** Queries the rows of several keys at once. */
export type AskForRows<Row> = (columns: Columns) => Promise<readonly Row[]>;

/** A row with the position of its key among those requested, from 1. */
export interface PositionedRow {
  readonly position: number;
}

type Key = readonly unknown[];

/** Limit of keys per statement; more take another one. */
const MAX_KEYS = 100;

/**
 * Looks up single rows. The keys requested in one turn of the event loop are queried in one statement, since
 * most of the cost of an index lookup is the statement itself, here and in the database.
 */
export class BatchedRead<Row extends PositionedRow> {
  private readonly loader: DataLoader<Key, Row | null>;

  /** `text` is the statement, for traces; `atEndOfTurn` schedules the query of the keys. */
  constructor(
    private readonly text: string,
    ask: AskForRows<Row>,
    atEndOfTurn: (send: () => void) => void,
  ) {
    this.loader = new DataLoader((keys) => rowsOf(ask, keys), {
      // What is found now may have changed in the next turn.
      cache: false,
      maxBatchSize: MAX_KEYS,
      batchScheduleFn: atEndOfTurn,
    });
  }

  /** Returns the row of a key, or null. */
  find(...key: Key): Promise<Row | null> {
    return this.loader.load(key).finally(beginQuery(this.text));
  }
}

async function rowsOf<Row extends PositionedRow>(
  ask: AskForRows<Row>,
  keys: readonly Key[],
): Promise<(Row | Error | null)[]> {
  try {
    const found = new Array<Row | null>(keys.length).fill(null);
    for (const row of await ask(columnsOf(keys))) found[row.position - 1] = row;
    return found;
  } catch (error) {
    // An invalid key must not make others fail; a temporary failure is not the fault of a key.
    if (keys.length === 1 || isTransient(error)) throw error;
    const alone = keys.map((key) => rowsOf(ask, [key]).catch((failure: unknown) => [failure as Error]));
    return (await Promise.all(alone)).flat();
  }
}

const columnsOf = (keys: readonly Key[]): unknown[][] =>
  (keys[0] ?? []).map((_, column) => keys.map((key) => key[column]));
