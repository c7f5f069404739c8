import { randomUUID } from 'node:crypto';
import { open, readFile, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { flush } from '#kernel/disk/durable.js';

/** Marks the root of a storage; names with a leading dot are not used for repositories. */
export const STORAGE_FILE = '.forgeplane-storage';

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/**
 * Reads the identity of the root of a storage; null if it has none. @throws errors of the disk, or if the
 * file is invalid
 */
export async function readStorageFile(folder: string): Promise<string | null> {
  const file = join(folder, STORAGE_FILE);
  let text: string;
  try {
    text = await readFile(file, 'utf8');
  } catch (error) {
    if (['ENOENT', 'ENOTDIR'].includes((error as NodeJS.ErrnoException).code ?? '')) return null;
    throw error;
  }
  const identity = text.slice(0, 100).trim();
  if (!UUID.test(identity)) throw new Error(`${file} contains no identity`);
  return identity;
}

/** Writes the identity of the root of a storage, completely and durably or not at all. */
export async function writeStorageFile(folder: string, identity: string): Promise<void> {
  const temporary = join(folder, `${STORAGE_FILE}-${randomUUID()}`);
  try {
    const handle = await open(temporary, 'wx', 0o600);
    try {
      await handle.writeFile(`${identity}\n`);
      await handle.sync();
    } finally {
      await handle.close();
    }
    await rename(temporary, join(folder, STORAGE_FILE));
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  }
  await flush(folder);
}
