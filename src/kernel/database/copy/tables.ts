import type pg from 'pg';
import { COPY_TABLE } from './unfinished-copy.js';

/** A table without its computed columns. */
export interface Table {
  readonly name: string;
  readonly columns: readonly string[];
}

/** Starts a transaction with a consistent snapshot. */
export const SNAPSHOT = `begin isolation level repeatable read read only;
  set local statement_timeout = 0; set local idle_in_transaction_session_timeout = 0; set local lock_timeout = '60s'`;

const TABLES = `select c.relname as name, array_agg(a.attname::text order by a.attnum) as columns
  from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.attgenerated = ''
  where c.relnamespace = current_schema()::regnamespace and c.relkind = 'r' and c.relname not in ('schema_migrations', '${COPY_TABLE}')
  group by c.relname order by c.relname`;

const SEQUENCES = `select sequencename as name, last_value::text as value from pg_sequences
  where schemaname = current_schema() and last_value is not null and sequencename not like 'schema_migrations%' order by 1`;

/** Quotes the name of a table or column. */
export const quoted = (name: string): string => `"${name.replaceAll('"', '""')}"`;

/** Formats the columns of a table as SQL. */
export const columnList = (columns: readonly string[]): string => columns.map(quoted).join(', ');

/** Returns the existing tables, except those of migrations and of an unfinished copy. */
export async function tablesOf(client: pg.Client): Promise<Table[]> {
  const { rows } = await client.query<Table>(TABLES);
  return rows;
}

/** Reads the last values of sequences: being ahead of the snapshot does no harm. */
export async function sequencesOf(client: pg.Client): Promise<Record<string, string>> {
  const { rows } = await client.query<{ name: string; value: string }>(SEQUENCES);
  return Object.fromEntries(rows.map(({ name, value }) => [name, value]));
}

/** Returns the sorted values of a text column. */
export async function valuesOf(client: pg.Client, table: string, column: string): Promise<string[]> {
  const { rows } = await client.query<{ value: string }>(
    `select ${quoted(column)} as value from ${quoted(table)} order by 1`,
  );
  return rows.map(({ value }) => value);
}
