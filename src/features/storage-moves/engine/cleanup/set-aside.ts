import { Logger } from '@nestjs/common';
import { randomUUID } from 'node:crypto';
import { readdir, rename, rm, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { flush, makeFolder } from '#kernel/disk/durable.js';
import { keptGits } from '#core/repositories/git/kept/kept-gits.js';
import { MOVES_FOLDER, type MoveRun } from '../run/move-run.js';

const logger = new Logger('StorageMoves');

const isMissing = (error: unknown): boolean => (error as NodeJS.ErrnoException).code === 'ENOENT';

/** Returns whether the path exists. */
export const exists = (path: string): Promise<boolean> =>
  stat(path).then(
    () => true,
    (error: unknown) => {
      if (isMissing(error)) return false;
      throw error;
    },
  );

/** Lists the names in a folder; empty if it is missing. */
export async function namesIn(folder: string): Promise<string[]> {
  try {
    return await readdir(folder);
  } catch (error) {
    if (isMissing(error)) return [];
    throw error;
  }
}

/** Removes a folder recursively, even while an ending process still writes to it. */
export const removeTree = (path: string): Promise<void> =>
  rm(path, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 });

/** Marks names of folders that were moved away and must still be examined. */
export const ASIDE = '.old-';

/**
 * Moves a repository away from a path where another run may have placed a valid one: by one rename, and
 * finally only after the run has confirmed that it owns the move. A run that was paused in between moves it
 * back. Returns false if there was nothing.
 */
export async function takeAway(
  run: MoveRun,
  storageFolder: string,
  path: string,
  check?: (aside: string) => Promise<void>,
): Promise<boolean> {
  const folder = join(storageFolder, MOVES_FOLDER);
  const aside = join(folder, `${run.move.id}-${run.context.runToken}${ASIDE}${basename(path)}`);
  await makeFolder(folder);
  await run.confirm();
  keptGits.end(path);
  try {
    await relocate(path, aside);
  } catch (error) {
    if (isMissing(error)) return false;
    throw error;
  }
  try {
    await run.confirm();
  } catch (error) {
    await relocate(aside, path).catch((failure: unknown) =>
      logger.error(`A run that had lost its move set ${path} aside at ${aside}: ${String(failure)}`),
    );
    throw error;
  }
  await discard(run, aside, check);
  return true;
}

/**
 * Renames a folder durably, the new name first. The old one must not return with a power failure: at that path a
 * later move would find an unknown repository.
 */
async function relocate(from: string, to: string): Promise<void> {
  await rename(from, to);
  await flush(dirname(to));
  await flush(dirname(from));
}

/** Handles what a previous run of this move had moved away from such paths when it was lost. */
export async function discardAsides(
  run: MoveRun,
  storageFolder: string,
  name: string,
  check: (aside: string) => Promise<void>,
): Promise<void> {
  const folder = join(storageFolder, MOVES_FOLDER);
  for (const found of await namesIn(folder))
    if (found.startsWith(`${run.move.id}-`) && found.endsWith(ASIDE + name))
      await discard(run, join(folder, found), check);
}

/** Removes what runs of this move have left in the moves folder of a storage. */
export async function removeStaging(run: MoveRun, storageFolder: string): Promise<void> {
  const folder = join(storageFolder, MOVES_FOLDER);
  for (const name of await namesIn(folder)) {
    if (!name.startsWith(`${run.move.id}-`)) continue;
    await run.confirm();
    await discard(run, join(folder, name));
  }
}

/**
 * Removes a folder. Renames it first, so that a previous run, or a git process that outlived it, can no
 * longer find it.
 */
async function discard(
  { move }: MoveRun,
  path: string,
  check?: (aside: string) => Promise<void>,
): Promise<void> {
  await check?.(path);
  const trash = join(dirname(path), `${move.id}-trash-${randomUUID()}`);
  try {
    await rename(path, trash);
  } catch (error) {
    if (!isMissing(error)) throw error;
  }
  await removeTree(trash);
}
