import type pg from 'pg';
import { to as copyTo } from 'pg-copy-streams';
import { columnList, quoted, type Table } from '#kernel/database/copy/tables.js';
import type { Backups } from './backups.js';
import type { TableEntry } from './manifest/manifest.js';

/** Copies a table of the snapshot. */
export async function dumpTable(
  client: pg.Client,
  { name, columns }: Table,
  backups: Backups,
  backup: string,
): Promise<TableEntry> {
  const copy = client.query(copyTo(`copy ${quoted(name)} (${columnList(columns)}) to stdout`));
  return { name, columns, file: await backups.write(`${backup}/database/${name}.copy.gz`, copy) };
}
