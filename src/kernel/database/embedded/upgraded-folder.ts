import { existsSync, promises, renameSync } from 'node:fs';
import { join } from 'node:path';
import { flushSync } from '#kernel/disk/durable.js';

/** Folders in DATA_DIR that an upgrade to a new major version of PostgreSQL uses. */
export interface UpgradeFolders {
  /** The data folder of the service. */
  readonly current: string;
  /** The new data folder while it is incomplete. */
  readonly making: string;
  /** The complete new data folder: valid only if `current` is missing. */
  readonly made: string;
}

/** Returns the folders of an upgrade in this DATA_DIR. */
export const upgradeFolders = (dataDir: string): UpgradeFolders => ({
  current: join(dataDir, 'postgres'),
  making: join(dataDir, 'postgres.upgrading'),
  made: join(dataDir, 'postgres.upgraded'),
});

/**
 * Replaces the old data folder with the new one, and returns the new path of the old folder. If the process is killed between the renames, either
 * the old folder is still in place, or `finishSwap` can complete the swap.
 */
export async function swapFolders(dataDir: string, oldMajor: number): Promise<string> {
  const { current, making, made } = upgradeFolders(dataDir);
  const kept = freeName(`${current}-${oldMajor}`);
  for (const [from, to] of [
    [making, made],
    [current, kept],
    [made, current],
  ] as const) {
    await promises.rename(from, to);
    // A power failure must not undo one of the renames but not the next.
    flushSync(dataDir);
  }
  return kept;
}

/** Completes an interrupted swap, and returns whether there was one. The caller holds the owner lock. */
export function finishSwap(dataDir: string): boolean {
  const { current, made } = upgradeFolders(dataDir);
  if (existsSync(current) || !existsSync(made)) return false;
  renameSync(made, current);
  flushSync(dataDir);
  return true;
}

function freeName(path: string): string {
  for (let number = 1; ; number += 1) {
    const name = number === 1 ? path : `${path}.${number}`;
    if (!existsSync(name)) return name;
  }
}
