import { chmodSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Config } from './config.js';

/** Permissions of everybody but the owner. */
const OTHERS = 0o077;

/** What the service itself has put into DATA_DIR; the folder of the embedded PostgreSQL is seen to by that. */
const OWN = new Set(['repositories', 'objects', 'mail', 'tmp', 'secrets.key']);

/**
 * Closes to others what the service has made in DATA_DIR: earlier releases left folders open to all, to the account of the embedded PostgreSQL too.
 * DATA_DIR and storages elsewhere are their operator's: `doctor` names what is wider there.
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
        // Somebody else's: named by `doctor`.
      }
    }
}

/** Every folder and key of the service that others may read or enter, with its mode. */
export function widerThanOurs(config: Config): string[] {
  const { OBJECT_STORE_URL: objects } = config;
  const roots = [...config.repositoryStorages.values()];
  if (objects?.startsWith('file:')) roots.push(fileURLToPath(objects));
  const looked = [
    ...entryOf(config.DATA_DIR),
    ...entriesOf(config.DATA_DIR).filter(({ path }) => !path.endsWith('/embedded.lock')),
    ...roots.flatMap(entryOf),
  ];
  const found = looked.filter(({ mode }) => (mode & OTHERS) !== 0);
  return [
    ...new Set(
      found.map(({ path, mode }) => `${path} has mode ${(mode & 0o777).toString(8).padStart(4, '0')}`),
    ),
  ];
}

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
    // Nothing that could be read or entered by anybody; other checks say what is wrong with it.
    return [];
  }
}
