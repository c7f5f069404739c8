import type { Config } from '#kernel/config/config.js';
import { CommandError } from '../framework/output.js';

/** Returns the folder of a storage. @throws CommandError that names those that exist */
export function requireStorage({ repositoryStorages: all }: Config, storage: string): string {
  const folder = all.get(storage);
  if (folder === undefined)
    throw new CommandError(`There is no storage ${storage}, only ${[...all.keys()].join(', ')}`);
  return folder;
}
