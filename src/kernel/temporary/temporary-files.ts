import { randomUUID } from 'node:crypto';
import { mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { lockFolder, type OwnerLock } from '#kernel/database/embedded/owner-lock.js';

/** Prefix of the names of folders that processes own. */
export const OWNED = 'forgeplane-temporary-';

interface OwnFolder {
  readonly path: string;
  /** Null if no lock can be taken: then no process sweeps the folder either. */
  readonly lock: OwnerLock | null;
}

let own: Promise<OwnFolder> | undefined;

/**
 * Creates a folder for files of this process. The caller removes it; if the process dies first, another one
 * does (`TemporarySweep`).
 */
export async function temporaryFolder(purpose: string): Promise<string> {
  return mkdtemp(join(await ownFolder(), `${purpose}-`));
}

/** The same for one file, which does not exist yet. */
export async function temporaryFile(purpose: string): Promise<string> {
  return join(await ownFolder(), `${purpose}-${randomUUID()}`);
}

/** Removes the folder of this process with its contents; the next call creates another one. */
export async function removeTemporary(): Promise<void> {
  const folder = await own?.catch(() => undefined);
  own = undefined;
  if (!folder) return;
  await folder.lock?.release();
  await rm(folder.path, { recursive: true, force: true });
}

/**
 * Checks that the folder still exists: system cleanup of temporary files removes what has not been used for
 * days.
 */
async function ownFolder(): Promise<string> {
  const folder = await (own ??= firstFolder());
  if (await stat(folder.path).catch(() => null)) return folder.path;
  await folder.lock?.release();
  own = firstFolder();
  return (await own).path;
}

/** Retries on the next call after a failure, such as a full disk. */
async function firstFolder(): Promise<OwnFolder> {
  try {
    return await makeFolder();
  } catch (error) {
    own = undefined;
    throw error;
  }
}

async function makeFolder(): Promise<OwnFolder> {
  const path = await mkdtemp(join(tmpdir(), OWNED));
  const lock = await lockFolder(path).catch(() => null);
  if (lock) return { path, lock };
  await rm(path, { recursive: true, force: true });
  return { path: await mkdtemp(join(tmpdir(), 'forgeplane-unlocked-')), lock: null };
}
