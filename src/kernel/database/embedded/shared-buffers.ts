import { readdirSync, statSync } from 'node:fs';
import { totalmem } from 'node:os';
import { join } from 'node:path';

const MEGABYTE = 1024 * 1024;
const LEAST = 12;
const MOST = 128;

/**
 * Megabytes that PostgreSQL keeps of a database in its own memory: few for a small one, whose pages are all there anyway, a sixteenth of a large
 * one, where each page that is not there costs a system call (measured: lists of 1,000,000 issues); never over a sixteenth of the machine's memory.
 */
export function sharedBuffersOf(databaseBytes: number, machineBytes = totalmem()): number {
  const share = Math.floor(Math.min(databaseBytes, machineBytes) / 16 / MEGABYTE);
  return Math.min(MOST, Math.max(LEAST, share));
}

/** Databases and tables with lower numbers are PostgreSQL's own: some 30 MB in a thousand files, whatever is kept in it. */
const FIRST_OF_USERS = 16_384;

/** Bytes of our tables and indexes in a folder of PostgreSQL, whose server may be running; every start waits for it. */
export function databaseBytes(folder: string): number {
  return files(join(folder, 'base')).reduce((sum, database) => sum + bytesIn(database), 0);
}

function bytesIn(folder: string): number {
  // Files come and go beneath a server, and a folder may hold what is not PostgreSQL's: neither must keep it from starting.
  return files(folder).reduce((sum, file) => sum + (statSync(file, { throwIfNoEntry: false })?.size ?? 0), 0);
}

/** Paths of what is numbered, and no map of something else (`16384_fsm`). */
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
