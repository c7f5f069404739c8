import type pg from 'pg';
import { columnList, quoted, type Table } from './tables.js';

/** Content of a table, regardless of the order of its rows. */
export interface TableDigest {
  readonly rows: string;
  /** Sum of the truncated digests of all rows. */
  readonly digest: string;
}

/** Reads a whole table. Unlike the hash functions of PostgreSQL, MD5 gives the same result in all major versions. */
export async function digestOf(client: pg.Client, { name, columns }: Table): Promise<TableDigest> {
  const { rows } = await client.query<TableDigest>(
    `select count(*)::text as rows, coalesce(sum(('x' || left(md5(row(${columnList(columns)})::text), 15))::bit(60)::bigint), 0)::text as digest from ${quoted(name)}`,
  );
  return rows[0] as TableDigest;
}
