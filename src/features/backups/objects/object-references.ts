import type pg from 'pg';
import { quoted } from '#kernel/database/copy/tables.js';
import { objectTables } from '#kernel/object-storage/claims/object-tables.js';

/** A row that names an object. */
export interface ObjectReference {
  readonly table: string;
  readonly id: number;
}

/** The rows that name objects, by the key of the object. */
export type ObjectReferences = ReadonlyMap<string, ObjectReference>;

/** Rows per statement. */
const BATCH = 10_000;

const named = (table: string): string =>
  `select id, object_key as key from ${quoted(table)} where id > $1 order by id limit ${BATCH}`;

interface Named {
  readonly id: number;
  readonly key: string;
}

/** Reads the rows that name objects. */
export async function readReferences(client: pg.Client): Promise<Map<string, ObjectReference>> {
  const references = new Map<string, ObjectReference>();
  for (const table of await objectTables(client)) {
    for (let last = 0; ;) {
      const { rows } = await client.query<Named>(named(table), [last]);
      for (const { id, key } of rows) references.set(key, { table, id });
      last = rows.at(-1)?.id ?? last;
      if (rows.length < BATCH) break;
    }
  }
  return references;
}

/** Returns those of the references whose rows still exist: objects are removed after their rows. */
export async function remaining(client: pg.Client, references: ObjectReferences): Promise<ObjectReferences> {
  const left = new Map<string, ObjectReference>();
  for (const [table, keys] of byTable(references)) {
    const ids = [...keys.keys()];
    for (let at = 0; at < ids.length; at += BATCH) {
      const { rows } = await client.query<Pick<Named, 'id'>>(
        `select id from ${quoted(table)} where id = any($1) order by id`,
        [ids.slice(at, at + BATCH)],
      );
      for (const { id } of rows) left.set(keys.get(id) as string, { table, id });
    }
  }
  return left;
}

/** The keys by table and id of their rows. */
export function byTable(references: ObjectReferences): ReadonlyMap<string, ReadonlyMap<number, string>> {
  const tables = new Map<string, Map<number, string>>();
  for (const [key, { table, id }] of references) {
    const keys = tables.get(table) ?? new Map<number, string>();
    tables.set(table, keys.set(id, key));
  }
  return tables;
}
