import type pg from 'pg';
import type { CopyJournal } from './copy-journal.js';
import { CopyProblem } from './copy-problem.js';
import { quoted, tablesOf, type Table } from './tables.js';

/** Receives the progress of copying. */
export interface CopyProgress {
  readonly onPhase: (label: string, total: number) => void;
  readonly onStep: () => void;
}

/** Content for a database that has a schema but no data yet. */
export interface LoadOrder<T extends Table> {
  readonly tables: readonly T[];
  /** Last values of sequences in use. */
  readonly sequences: Readonly<Record<string, string>>;
  /** Writes the rows of a table. */
  readonly load: (client: pg.Client, table: T) => Promise<void>;
  readonly progress: CopyProgress;
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

/**
 * Loads all tables without triggers, each in one transaction: those that the journal names are not loaded again. Foreign keys are dropped
 * first and created again at the end, which checks every reference. Returns the number of tables loaded now.
 * @throws CopyProblem if the schema lacks a table
 */
export async function loadTables<T extends Table>(
  client: pg.Client,
  journal: CopyJournal,
  { tables, sequences, load, progress: { onPhase, onStep } }: LoadOrder<T>,
): Promise<number> {
  const keys = await journal.commit('foreign keys dropped', () => openTables(client, tables));
  onPhase('tables', tables.length);
  let loaded = 0;
  for (const table of tables) {
    await journal.commit(`table ${table.name}`, async () => {
      // The content includes the rows that migrations inserted.
      await client.query(`truncate ${quoted(table.name)}`);
      await load(client, table);
      loaded += 1;
    });
    onStep();
  }
  onPhase('foreign keys', keys.length);
  for (const key of keys) {
    await journal.commit(`foreign key ${key.name} of ${key.table}`, () => addKey(client, key));
    onStep();
  }
  await journal.commit('triggers and sequences', async () => {
    for (const { name } of tables) await client.query(`alter table ${quoted(name)} enable trigger user`);
    for (const [name, value] of Object.entries(sequences))
      await client.query('select setval($1::regclass, $2::bigint)', [quoted(name), value]);
  });
  await journal.once('vacuum', () => client.query('vacuum (analyze)'));
  return loaded;
}

/** Lets the tables be loaded in any order. Returns the foreign keys that have to be created again. */
async function openTables(client: pg.Client, tables: readonly Table[]): Promise<ForeignKey[]> {
  await requireTables(client, tables);
  const { rows: keys } = await client.query<ForeignKey>(FOREIGN_KEYS);
  for (const { table, name } of keys)
    await client.query(`alter table ${table} drop constraint ${quoted(name)}`);
  for (const { name } of tables) await client.query(`alter table ${quoted(name)} disable trigger user`);
  return keys;
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
