import type pg from 'pg';
import { objectTables } from '#kernel/object-storage/claims/object-tables.js';
import { ObjectNotFound, type ObjectStorage } from '#kernel/object-storage/object-storage.js';

/** Rows that are read at a time. */
const BATCH = 10_000;
/** Objects that are looked up in the store again: their rows may have got them since the listing. */
const ASKED = 1_000;
/** Digits of a random key that are kept: as many as a number holds exactly. */
const DIGITS = 13;

/** What a listing contained. There may be millions, so only 8 bytes of each key are kept: they are random. */
export class ListedKeys {
  private readonly ends: number[] = [];
  private sorted: Float64Array | undefined;

  /** Notes a key of the listing. */
  add(key: string): void {
    this.sorted = undefined;
    this.ends.push(endOf(key));
  }

  /** Whether it was listed. */
  has(key: string): boolean {
    this.sorted ??= Float64Array.from(this.ends).sort();
    const end = endOf(key);
    let [from, to] = [0, this.sorted.length];
    while (from < to) {
      const middle = (from + to) >>> 1;
      if ((this.sorted[middle] ?? end) < end) from = middle + 1;
      else to = middle;
    }
    return this.sorted[from] === end;
  }
}

const endOf = (key: string): number => Number.parseInt(key.slice(-DIGITS), 16);

/** A row whose object is not there. */
export interface Bereft {
  readonly table: string;
  readonly id: number;
  readonly key: string;
}

/** Finds what rows name and the store does not have. Create it before the listing: rows that are inserted later are not checked. */
export class MissingObjects {
  private constructor(
    private readonly client: pg.Client,
    private readonly storage: ObjectStorage,
    private readonly last: ReadonlyMap<string, number>,
  ) {}

  /** Notes the last row of each table. */
  static async before(client: pg.Client, storage: ObjectStorage): Promise<MissingObjects> {
    const last = new Map<string, number>();
    for (const table of await objectTables(client)) {
      const { rows } = await client.query<{ last: number }>(
        `select coalesce(max(id), 0)::float8 as last from ${table}`,
      );
      last.set(table, rows[0]?.last ?? 0);
    }
    return new MissingObjects(client, storage, last);
  }

  /** Compares the rows with what was listed. */
  async find(listed: ListedKeys): Promise<readonly Bereft[]> {
    const unlisted: Bereft[] = [];
    for (const [table, last] of this.last)
      for await (const row of this.rowsOf(table, last)) if (!listed.has(row.key)) unlisted.push(row);
    const missing = unlisted.slice(ASKED);
    for (const row of unlisted.slice(0, ASKED)) if (!(await this.isThere(row.key))) missing.push(row);
    return missing;
  }

  private async *rowsOf(table: string, last: number): AsyncIterable<Bereft> {
    let after = 0;
    for (;;) {
      const { rows } = await this.client.query<{ id: number; key: string }>(
        `select id::float8 as id, object_key as key from ${table} where id > $1 and id <= $2 order by id limit ${BATCH}`,
        [after, last],
      );
      for (const row of rows) yield { table, ...row };
      const next = rows.at(-1);
      if (!next) return;
      after = next.id;
    }
  }

  private async isThere(key: string): Promise<boolean> {
    try {
      await this.storage.head(key);
      return true;
    } catch (error) {
      if (error instanceof ObjectNotFound) return false;
      throw error;
    }
  }
}
