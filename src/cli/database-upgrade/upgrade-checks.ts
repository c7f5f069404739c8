import { existsSync, lstatSync, readdirSync, statSync } from 'node:fs';
import { statfs } from 'node:fs/promises';
import { join } from 'node:path';
import type { Config } from '#kernel/config/config.js';
import { databaseBytes } from '#kernel/database/embedded/shared-buffers.js';
import { upgradeFolders } from '#kernel/database/embedded/upgraded-folder.js';
import { CommandError } from '../framework/output.js';

/** @throws CommandError if there is no embedded database to upgrade */
export function requireOwnDatabase({ DATABASE_URL, DATA_DIR }: Config): void {
  if (DATABASE_URL !== undefined)
    throw new CommandError(
      'DATABASE_URL is set: this command upgrades the embedded PostgreSQL only. Upgrade yours with its own tools (pg_upgrade).',
    );
  const { current, made } = upgradeFolders(DATA_DIR);
  if (!existsSync(current) && !existsSync(made))
    throw new CommandError(`${DATA_DIR} holds no database: there is nothing to upgrade`);
}

/** @throws CommandError if the folder cannot be renamed within DATA_DIR */
export function requireMovable(folder: string, dataDir: string): void {
  if (lstatSync(folder).isSymbolicLink() || statSync(folder).dev !== statSync(dataDir).dev)
    throw new CommandError(
      `${folder} is a symbolic link or a mount point and cannot be renamed: move its content to an ordinary folder of this name in ${dataDir} first`,
    );
}

/** Size of an empty data folder with its write-ahead log. */
const FRESH_BYTES = 128 * 1024 * 1024;

const megabytes = (bytes: number): string => `${Math.ceil(bytes / 1_000_000)} MB`;

/** @throws CommandError if the disk has less free space than twice the size of the tables and indexes */
export async function requireRoom(folder: string, dataDir: string): Promise<void> {
  const needed = 2 * databaseBytes(folder) + FRESH_BYTES;
  const { bavail, bsize } = await statfs(dataDir);
  if (bavail * bsize < needed)
    throw new CommandError(
      `The upgrade needs ${megabytes(needed)} of free disk space in ${dataDir}, but only ${megabytes(bavail * bsize)} are free`,
    );
}

/** Returns the old data folders that upgrades have kept. */
export function keptFolders(dataDir: string): string[] {
  return readdirSync(dataDir)
    .filter((name) => /^postgres-\d+(\.\d+)?$/.test(name))
    .sort()
    .map((name) => join(dataDir, name));
}
