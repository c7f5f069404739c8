import { rm } from 'node:fs/promises';
import { temporaryFolder } from '#kernel/temporary/temporary-files.js';
import { writingTo, type ObjectEnvironment } from './quarantine.js';

/** Lets git write objects that nobody needs afterwards to a place of their own: the repository is only read. */
export async function withScratchObjects<T>(
  path: string,
  env: ObjectEnvironment,
  work: (env: ObjectEnvironment) => Promise<T>,
): Promise<T> {
  const folder = await temporaryFolder('objects');
  try {
    return await work(writingTo(folder, path, env));
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
