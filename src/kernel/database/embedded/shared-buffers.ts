import { readdirSync, statSync } from 'node:fs';
import { totalmem } from 'node:os';
import { join } from 'node:path';

const MEGABYTE = 1024 * 1024;
const LEAST = 12;
const MOST = 128;

/**
 * Computes `shared_buffers` in megabytes: a sixteenth of the database or of the machine's memory, whichever is smaller, within fixed bounds.
 * In a large database each page outside of the buffers costs a system call (measured: lists of 1,000,000 issues).
 */
export function sharedBuffersOf(databaseBytes: number, machineBytes = totalmem()): number {
  const share = Math.floor(Math.min(databaseBytes, machineBytes) / 16 / MEGABYTE);
  return Math.min(MOST, Math.max(LEAST, share));
}

/** Lower object ids belong to PostgreSQL itself: some 30 MB in a thousand files, in every database. */
const FIRST_OF_USERS = 16_384;

/** Returns the size of our tables and indexes in a data folder. The server may be running; every start waits for this function. */
export function databaseBytes(folder: string): number {
  return files(join(folder, 'base')).reduce((sum, database) => sum + bytesIn(database), 0);
}

function bytesIn(folder: string): number {
  // A running server creates and removes files, and a folder may contain foreign ones: neither may prevent the start.
  return files(folder).reduce((sum, file) => sum + (statSync(file, { throwIfNoEntry: false })?.size ?? 0), 0);
}

/** Returns the paths of user databases or relations, without auxiliary files such as `16384_fsm`. */
function files(folder: string): string[] {
  try {
    return readdirSync(folder)
      .filter((name) => !name.includes('_') && Number.parseInt(name, 10) >= FIRST_OF_USERS)
      .map((name) => `${folder}/${name}`);
  } catch (error) {
    if (['ENOTDIR', 'ENOENT'].includes((error as NodeJS.ErrnoException).code ?? '')) return [];
    throw error;
  }
}
