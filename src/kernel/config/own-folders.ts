import { chmodSync, readdirSync, statSync } from 'node:fs';
import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Config } from './config.js';

/** Permissions of all users except the owner. */
const OTHERS = 0o077;

/** Entries of DATA_DIR that the service creates. The embedded PostgreSQL protects its folder itself. */
const OWN = new Set(['repositories', 'objects', 'mail', 'tmp', 'secrets.key']);

/**
 * Removes the permissions of other users from the service's entries in DATA_DIR, because earlier releases
 * created folders that all users could read, including that of the embedded PostgreSQL. DATA_DIR itself and
 * storages elsewhere are left to the operator; `doctor` reports their permissions.
 */
export function closeOwnFolders(config: Config): void {
  const ours = entriesOf(config.DATA_DIR).filter(({ path }) =>
    OWN.has(path.slice(config.DATA_DIR.length + 1)),
  );
  const within = [...config.repositoryStorages.values()].filter((path) =>
    path.startsWith(`${config.DATA_DIR}/`),
  );
  for (const { path, mode } of [...ours, ...within.flatMap(entryOf)])
    if ((mode & OTHERS) !== 0) {
      try {
        chmodSync(path, mode & 0o7777 & ~OTHERS);
      } catch {
        // Owned by another user; `doctor` reports it.
      }
    }
}

/**
 * Returns the folders and keys of the service that other users can access, with their modes and the remedy. Never responds if one of
 * them lies on a lost network disk.
 */
export async function widerThanOurs(config: Config): Promise<string[]> {
  const { OBJECT_STORE_URL: objects } = config;
  const roots = [...config.repositoryStorages.values()];
  if (objects?.startsWith('file:')) roots.push(fileURLToPath(objects));
  const { DATA_DIR: data } = config;
  const own = (await readdir(data).catch(() => [])).filter((name) => name !== 'embedded.lock');
  const paths = [data, ...own.map((name) => join(data, name)), ...roots];
  const looked: Entry[] = [];
  for (const path of paths) looked.push(...(await stat(path).then(({ mode }) => [{ path, mode }], none)));
  const found = looked.filter(({ mode }) => (mode & OTHERS) !== 0);
  return [
    ...new Set(
      found.map(
        ({ path, mode }) =>
          `${path} has mode ${(mode & 0o777).toString(8).padStart(4, '0')} (chmod go= ${path})`,
      ),
    ),
  ];
}

/** Inaccessible to all users; other checks report the cause. */
const none = (): Entry[] => [];

interface Entry {
  readonly path: string;
  readonly mode: number;
}

function entriesOf(folder: string): Entry[] {
  try {
    return readdirSync(folder).flatMap((name) => entryOf(join(folder, name)));
  } catch {
    return [];
  }
}

function entryOf(path: string): Entry[] {
  try {
    return [{ path, mode: statSync(path).mode }];
  } catch {
    return none();
  }
}
