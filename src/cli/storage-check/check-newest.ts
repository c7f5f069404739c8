import type pg from 'pg';
import { join } from 'node:path';
import type { Config } from '#kernel/config/config.js';
import { isForeign, isThere } from './check-repository.js';
import { rootProblem } from './check-root.js';
import { newestRepositories } from '#core/repositories/expected-repositories.js';

/** Limit of folders checked, so that the check takes negligible time; `storage check` checks all. */
const LIMIT = 1_000;

/** Returns the newest repositories whose folder is missing or belongs to another repository. */
export async function missingRepositories(client: pg.Client, config: Config): Promise<string[]> {
  const missing: string[] = [];
  for (const { label, storage, path, identity, isWritten } of await newestRepositories(client, LIMIT)) {
    const root = config.repositoryStorages.get(storage ?? '');
    const folder = root === undefined ? null : join(root, path);
    if (folder === null || !(await isThere(folder))) {
      if (isWritten || folder === null) missing.push(`${label} on ${storage ?? 'no storage'}`);
    } else if (await isForeign(folder, identity))
      missing.push(`${label} on ${storage} (that of another owner)`);
  }
  return missing;
}

/** Returns the storages whose root is not the one that the database knows. */
export async function foreignRoots(client: pg.Client, config: Config): Promise<string[]> {
  const found: string[] = [];
  for (const [name, folder] of config.repositoryStorages) {
    const problem = await rootProblem(client, name, folder);
    if (problem !== null) found.push(`${name} (${folder} ${problem})`);
  }
  return found;
}
