import { Logger } from '@nestjs/common';
import { randomUUID } from 'node:crypto';
import { mkdir, readdir, rename, rm, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { keptGits } from '#core/repositories/git/kept/kept-gits.js';
import { MOVES_FOLDER, type MoveRun } from '../run/move-run.js';

const logger = new Logger('StorageMoves');

const isMissing = (error: unknown): boolean => (error as NodeJS.ErrnoException).code === 'ENOENT';

/** Whether something lies there. */
export const exists = (path: string): Promise<boolean> =>
  stat(path).then(
    () => true,
    (error: unknown) => {
      if (isMissing(error)) return false;
      throw error;
    },
  );

/** Names of what lies in a folder; none when it is missing. */
export async function namesIn(folder: string): Promise<string[]> {
  try {
    return await readdir(folder);
  } catch (error) {
    if (isMissing(error)) return [];
    throw error;
  }
}

/** Removes a folder with all in it, also while a process that is about to end still writes there. */
export const removeTree = (path: string): Promise<void> =>
  rm(path, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 });

/** In names of what has been taken away, and is still to be looked at. */
export const ASIDE = '.old-';

/**
 * Takes a repository away from a place where another run may have put a living one: out of the way in one step, and for good only after the
 * run has proven once more that it owns the move. A run that stood still in between puts it back. Returns false when nothing was there.
 */
export async function takeAway(
  run: MoveRun,
  storageFolder: string,
  place: string,
  check?: (aside: string) => Promise<void>,
): Promise<boolean> {
  const folder = join(storageFolder, MOVES_FOLDER);
  const aside = join(folder, `${run.move.id}-${run.context.runToken}${ASIDE}${basename(place)}`);
  await mkdir(folder, { recursive: true });
  await run.confirm();
  keptGits.end(place);
  try {
    await rename(place, aside);
  } catch (error) {
    if (isMissing(error)) return false;
    throw error;
  }
  try {
    await run.confirm();
  } catch (error) {
    await rename(aside, place).catch((failure: unknown) =>
      logger.error(`A run that had lost its move took ${place} away; it is at ${aside}: ${String(failure)}`),
    );
    throw error;
  }
  await discard(run, aside, check);
  return true;
}

/** Takes up what a former run of this move had taken away from places of that name when it was lost. */
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

/** Removes what runs of this move have left in the folder of moves of a storage. */
export async function removeStaging(run: MoveRun, storageFolder: string): Promise<void> {
  const folder = join(storageFolder, MOVES_FOLDER);
  for (const name of await namesIn(folder)) {
    if (!name.startsWith(`${run.move.id}-`)) continue;
    await run.confirm();
    await discard(run, join(folder, name));
  }
}

/** Removes a folder. Renamed first: a former run, or a git process that has outlived it, finds it gone at once. */
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
