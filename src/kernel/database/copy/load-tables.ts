import type pg from 'pg';
import { utcUrl } from '../utc-url.js';
import { withClient } from '../with-client.js';
import { CopyProblem } from './copy-problem.js';
import { quoted, tablesOf, type Table } from './tables.js';

/** Content for a database that has a schema but no data yet. */
export interface LoadOrder<T extends Table> {
  readonly tables: readonly T[];
  /** Last values of sequences in use. */
  readonly sequences: Readonly<Record<string, string>>;
  /** Writes the rows of a table. */
  readonly load: (client: pg.Client, table: T) => Promise<void>;
  /** Runs when all rows are loaded; if it throws, nothing is committed. */
  readonly beforeCommit?: (client: pg.Client) => Promise<void>;
}

interface ForeignKey {
  readonly table: string;
  readonly name: string;
  readonly definition: string;
  readonly comment: string | null;
}

const FOREIGN_KEYS = `select conrelid::regclass::text as table, conname as name, pg_get_constraintdef(oid) as definition,
  obj_description(oid, 'pg_constraint') as comment from pg_constraint
  where contype = 'f' and connamespace = current_schema()::regnamespace order by conrelid, conname`;

const NO_LIMITS =
  'set local statement_timeout = 0; set local lock_timeout = 0; set local idle_in_transaction_session_timeout = 0';

/**
 * Loads all tables in one transaction, without triggers. Foreign keys are dropped first and created again at the end, which checks every reference.
 * @throws CopyProblem if the schema lacks a table
 */
export async function loadTables<T extends Table>(url: string, order: LoadOrder<T>): Promise<void> {
  const { tables, sequences, load, beforeCommit } = order;
  await withClient({ connectionString: utcUrl(url) }, async (client) => {
    await client.query(`begin; ${NO_LIMITS}`);
    await requireTables(client, tables);
    const { rows: keys } = await client.query<ForeignKey>(FOREIGN_KEYS);
    for (const { table, name } of keys)
      await client.query(`alter table ${table} drop constraint ${quoted(name)}`);
    for (const { name } of tables) await client.query(`alter table ${quoted(name)} disable trigger user`);
    // The content includes the rows that migrations inserted.
    if (tables.length > 0)
      await client.query(`truncate ${tables.map(({ name }) => quoted(name)).join(', ')}`);
    for (const table of tables) await load(client, table);
    for (const { name } of tables) await client.query(`alter table ${quoted(name)} enable trigger user`);
    for (const key of keys) await addKey(client, key);
    for (const [name, value] of Object.entries(sequences))
      await client.query('select setval($1::regclass, $2::bigint)', [quoted(name), value]);
    await beforeCommit?.(client);
    await client.query('commit');
    await client.query('vacuum (analyze)');
  });
}

async function requireTables(client: pg.Client, tables: readonly Table[]): Promise<void> {
  const made = new Set((await tablesOf(client)).map(({ name }) => name));
  const strange = tables.filter(({ name }) => !made.has(name)).map(({ name }) => name);
  if (strange.length > 0)
    throw new CopyProblem(`The schema of this release lacks the tables ${strange.join(', ')}`);
}

async function addKey(client: pg.Client, { table, name, definition, comment }: ForeignKey): Promise<void> {
  await client.query(`alter table ${table} add constraint ${quoted(name)} ${definition}`);
  if (comment !== null)
    await client.query(
      `comment on constraint ${quoted(name)} on ${table} is '${comment.replaceAll("'", "''")}'`,
    );
}
