import type pg from 'pg';
import { join } from 'node:path';
import type { Config } from '#kernel/config/config.js';
import { isThere } from './check-repository.js';
import { newestRepositories } from './expected-repositories.js';

/** Looking for so many folders takes no time worth speaking of; `storage check` looks for all. */
const LIMIT = 1_000;

/** Names the youngest repositories whose folder is not where it should be. */
export async function missingRepositories(client: pg.Client, config: Config): Promise<string[]> {
  const missing: string[] = [];
  for (const { label, storage, path } of await newestRepositories(client, LIMIT)) {
    const folder = config.repositoryStorages.get(storage ?? '');
    if (folder === undefined || !(await isThere(join(folder, path))))
      missing.push(`${label} on ${storage ?? 'no storage'}`);
  }
  return missing;
}
