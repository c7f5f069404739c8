import type pg from 'pg';
import { readStorageFile } from '#core/repositories/storages/storage-file.js';

const FIND = 'select identity from repository_storages where name = $1 and adopted_at is not null';

/**
 * Returns what is wrong with the root of a storage; null if nothing is, or if nothing has been stored yet.
 */
export async function rootProblem(client: pg.Client, name: string, folder: string): Promise<string | null> {
  const { rows } = await client.query<{ identity: string }>(FIND, [name]);
  const [row] = rows;
  if (!row) return null;
  try {
    const found = await readStorageFile(folder);
    if (found === row.identity) return null;
    return found === null ? 'carries no identity' : 'carries the identity of another storage';
  } catch (error) {
    return `cannot be read: ${(error as Error).message}`;
  }
}
