import { rm } from 'node:fs/promises';
import { temporaryFolder } from '#kernel/temporary/temporary-files.js';
import { writingTo, type ObjectEnvironment } from './quarantine.js';

/** Lets git write temporary objects to a separate directory, without changing the repository. */
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
