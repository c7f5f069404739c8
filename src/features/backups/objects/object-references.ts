import type pg from 'pg';
import { quoted } from '#kernel/database/copy/tables.js';
import { objectTables } from '#kernel/object-storage/claims/object-tables.js';
import type { ExpectedContent } from './checked-content.js';

/** A row that names an object, and says what it contains. */
export interface ObjectReference extends ExpectedContent {
  readonly table: string;
  readonly id: number;
}

/** The rows that name objects, by the key of the object. */
export type ObjectReferences = ReadonlyMap<string, ObjectReference>;

/** Rows per statement. */
const BATCH = 10_000;

const SIZE = `select attname as name from pg_attribute where attrelid = to_regclass($1) and attname in ('size', 'size_bytes')`;

const named = (table: string, size: string): string =>
  `select id, object_key as key, ${quoted(size)} as size, sha256 from ${quoted(table)} where id > $1 order by id limit ${BATCH}`;

interface Named extends ExpectedContent {
  readonly id: number;
  readonly key: string;
}

/** Reads the rows that name objects. */
export async function readReferences(client: pg.Client): Promise<Map<string, ObjectReference>> {
  const references = new Map<string, ObjectReference>();
  for (const table of await objectTables(client)) {
    const [size = { name: 'size' }] = (await client.query<{ name: string }>(SIZE, [quoted(table)])).rows;
    const text = named(table, size.name);
    for (let last = 0; ;) {
      const { rows } = await client.query<Named>(text, [last]);
      for (const { id, key, size, sha256 } of rows) references.set(key, { table, id, size, sha256 });
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
      for (const { id } of rows) {
        const key = keys.get(id) as string;
        left.set(key, references.get(key) as ObjectReference);
      }
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
