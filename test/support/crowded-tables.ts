import pg from 'pg';
import type { KeysetOrder, ListQuery, Statement } from '#kernel/database/lists/list-query.js';
import { PLANNER_OPTIONS } from '#kernel/database/reads/read-database.js';
import { prepareValue } from '#kernel/libraries/pg-inside.js';
import { createTestDatabase, type TestDatabase } from './database.js';
import { RowsRead } from './rows-read.js';

const MANY = 5_000;
const BUSY = 1;

/** The owner of the few rows that were added last. */
export const QUIET = 2;

/** By table: rows of an owner `$1`, numbered `n`. */
export type OwnedRows = Readonly<Record<string, string>>;

/** Tables analyzed while all rows had one owner; another one has had three since. */
export class CrowdedTables {
  private constructor(
    private readonly database: TestDatabase,
    private readonly client: pg.Client,
  ) {}

  static async build(rows: OwnedRows): Promise<CrowdedTables> {
    const database = await createTestDatabase();
    const client = new pg.Client({
      connectionString: database.url,
      options: `${PLANNER_OPTIONS} -c session_replication_role=replica`,
    });
    await client.connect();
    for (const [table, columns] of Object.entries(rows)) {
      const add = (owner: number, count: number): Promise<unknown> =>
        client.query(
          `insert into ${table} ${columns.replaceAll('$1', String(owner))} from generate_series(1, ${count}) n`,
        );
      await client.query(`alter table ${table} set (autovacuum_enabled = false)`);
      await add(BUSY, MANY);
      await client.query(`analyze ${table}`);
      await add(QUIET, 3);
    }
    return new CrowdedTables(database, client);
  }

  async close(): Promise<void> {
    await this.client.end();
    await this.database.drop();
  }

  /** The rows of a table that each page of a list and its total read, of those that are too many. */
  async excessOf(table: string, query: ListQuery<object>): Promise<number[]> {
    const order: KeysetOrder | null = query.keysetOrder('id');
    if (!order) throw new Error('The list has no keyset pages');
    const after = order.columns.map(() => MANY);
    const counts: number[] = [];
    for (const statement of [
      query.pageStatement(21, 0),
      query.keysetStatement(order, 'asc', null, 21),
      query.keysetStatement(order, 'desc', after, 21),
      query.countStatement(10_001),
    ])
      counts.push(await this.readBy(table, statement));
    return counts.filter((count) => count > 20);
  }

  /** The rows of a table that a statement reads. */
  async readBy(table: string, { text, values }: Statement): Promise<number> {
    const read = new RowsRead(this.client, table);
    await this.client.query(`prepare asked as ${text}`);
    const given = values.map((value) =>
      value === null ? 'null' : this.client.escapeLiteral(String(prepareValue(value))),
    );
    await read.query(`execute asked${given.length > 0 ? `(${given.join(', ')})` : ''}`, []);
    await this.client.query('deallocate asked');
    return read.count;
  }
}
