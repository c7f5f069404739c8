import { randomUUID } from 'node:crypto';
import { open, readFile, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { flush } from '#kernel/disk/durable.js';

/** Tells the root of a storage from any other folder; nobody looks for anything with a leading dot there. */
export const STORAGE_FILE = '.forgeplane-storage';

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** The identity that the root of a storage carries; null where it carries none. @throws errors of disks, and for a file that says nothing */
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
  if (!UUID.test(identity)) throw new Error(`${file} holds no identity`);
  return identity;
}

/** Gives the root of a storage its identity, whole and durable or not at all. */
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
