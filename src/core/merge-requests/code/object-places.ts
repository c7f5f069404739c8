import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { temporaryFolder } from '#kernel/temporary/temporary-files.js';
import type { OpenRepository } from '#core/repositories/repositories.service.js';

type Environment = Readonly<Record<string, string>>;

/** Quoted as git reads it: a colon would end the path. */
const objectsOf = (path: string): string => JSON.stringify(join(path, 'objects'));

/** Environment under which git sees in the repository of the target what the source has too. */
export const seeingObjectsOf = (source: OpenRepository, target: OpenRepository): Environment =>
  source.path === target.path ? {} : { GIT_ALTERNATE_OBJECT_DIRECTORIES: objectsOf(source.path) };

/** Lets git write objects that nobody needs afterwards to a place of their own: the repository is only read. */
export async function withScratchObjects<T>(
  path: string,
  env: Environment,
  work: (env: Environment) => Promise<T>,
): Promise<T> {
  const folder = await temporaryFolder('objects');
  const others = env['GIT_ALTERNATE_OBJECT_DIRECTORIES'];
  const places = [objectsOf(path), ...(others === undefined ? [] : [others])];
  try {
    return await work({ GIT_OBJECT_DIRECTORY: folder, GIT_ALTERNATE_OBJECT_DIRECTORIES: places.join(':') });
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
