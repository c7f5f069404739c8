import type pg from 'pg';

const TABLES = `select c.relname as name from pg_class c join pg_attribute a on a.attrelid = c.oid
  where c.relnamespace = current_schema()::regnamespace and c.relkind = 'r' and a.attname = 'object_key' and not a.attisdropped
    and c.relname <> 'object_claims' order by 1`;

/** Returns the tables whose rows name an object that must exist; a claim is for one that may not. */
export async function objectTables(client: pg.Client): Promise<string[]> {
  const { rows } = await client.query<{ name: string }>(TABLES);
  return rows.map(({ name }) => name);
}
