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

/** Bytes of the tables and indexes in a folder of PostgreSQL, whose server may be running. */
export function databaseBytes(folder: string): number {
  const base = join(folder, 'base');
  // Files come and go beneath a server, and a folder may hold what is not PostgreSQL's: neither must keep it from starting.
  return readdirSync(base, { recursive: true, encoding: 'utf8' })
    .map((file) => statSync(join(base, file), { throwIfNoEntry: false }))
    .reduce((sum, file) => sum + (file?.isFile() ? file.size : 0), 0);
}
