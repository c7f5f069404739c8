import pg from 'pg';
import type { KeysetOrder, ListQuery, Statement } from '#kernel/database/lists/list-query.js';
import { MergedListQuery } from '#kernel/database/lists/merged-list-query.js';
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

/** What PostgreSQL knows of a table: that all rows had one owner, that there were none, or nothing. */
export type Knowledge = 'crowded' | 'empty' | 'never analyzed';

/** Tables in which another owner has had three rows since PostgreSQL looked at them. */
export class CrowdedTables {
  private constructor(
    private readonly database: TestDatabase,
    private readonly client: pg.Client,
  ) {}

  static async build(rows: OwnedRows, known: Knowledge = 'crowded'): Promise<CrowdedTables> {
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
      if (known === 'empty') await client.query(`analyze ${table}`);
      await add(BUSY, MANY);
      if (known === 'crowded') await client.query(`analyze ${table}`);
      await add(QUIET, 3);
    }
    return new CrowdedTables(database, client);
  }

  async close(): Promise<void> {
    await this.client.end();
    await this.database.drop();
  }

  /** The rows of tables that each page of a list and its total read, of those that are too many. */
  async excessOf(tables: string | readonly string[], query: ListQuery<object>): Promise<number[]> {
    const counts: number[] = [];
    for (const statement of [query.pageStatement(21, 0), ...keysetPages(query), query.countStatement(10_001)])
      counts.push(await this.readBy(tables, statement));
    return counts.filter((count) => count > (typeof tables === 'string' ? 20 : 100));
  }

  /** The rows of tables that a statement reads. */
  async readBy(tables: string | readonly string[], { text, values }: Statement): Promise<number> {
    const read = new RowsRead(this.client, ...[tables].flat());
    await this.client.query(`prepare asked as ${text}`);
    const given = values.map((value) =>
      value === null ? 'null' : this.client.escapeLiteral(String(prepareValue(value))),
    );
    await read.query(`execute asked${given.length > 0 ? `(${given.join(', ')})` : ''}`, []);
    await this.client.query('deallocate asked');
    return read.count;
  }
}

/** Merged lists have keyset pages only in the order of their plan. */
function keysetPages(query: ListQuery<object>): Statement[] {
  if (query instanceof MergedListQuery) return [];
  const order: KeysetOrder | null = query.keysetOrder('id');
  if (!order) throw new Error('The list has no keyset pages');
  const after = order.columns.map(() => MANY);
  return [query.keysetStatement(order, 'asc', null, 21), query.keysetStatement(order, 'desc', after, 21)];
}
