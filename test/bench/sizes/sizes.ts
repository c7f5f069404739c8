import pg from 'pg';
import type { Report } from '../report.js';
import { SIZED_TABLES } from './tables.js';

/** Users of the instance that the table is about. */
const USERS = 1_000_000;

interface Size {
  readonly rows: string;
  readonly heap: string;
  readonly indexes: string;
}

/**
 * Measures the bytes of a row with its indexes in each table that grows with the number of users, and tells what comes to be at a
 * million of them. Rows are inserted one after another into tables with their indexes, as the product does; foreign keys are not asked.
 */
export async function measureSizes(report: Report, { databaseUrl, isQuick }: { databaseUrl: string; isQuick: boolean }): Promise<void> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    await client.query(`set session_replication_role = replica; set synchronous_commit = off; set statement_timeout = 0`);
    let total = 0;
    for (const { table, perUser, kept, rows } of SIZED_TABLES) {
      await client.query(`truncate ${table} cascade`);
      await client.query(rows, [isQuick ? 20_000 : 300_000]);
      await client.query(`vacuum analyze ${table}`);
      const { rows: found } = await client.query<Size>(
        'select (select count(*) from ' + table + ') as rows, pg_table_size($1) as heap, pg_indexes_size($1) as indexes',
        [table],
      );
      const size = found[0] as Size;
      const [row, indexes] = [Number(size.heap) / Number(size.rows), Number(size.indexes) / Number(size.rows)];
      const gigabytes = ((row + indexes) * perUser * USERS) / 1e9;
      total += gigabytes;
      report.add('sizes', { table, 'rows a user': perUser, kept, 'bytes of a row': Math.round(row), 'and in indexes': Math.round(indexes), 'GB at 10^6 users': gigabytes });
      await client.query(`truncate ${table} cascade`);
    }
    report.note(`All of these tables at a million users: ${Math.round(total)} GB.`);
  } finally {
    await client.end();
  }
}
