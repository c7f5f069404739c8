import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { inflateSync } from 'node:zlib';

/** A loose object of git. */
export interface LooseObject {
  readonly type: string;
  readonly content: Buffer;
}

/** Larger objects are left to git. */
const MAX_FILE = 64 * 1024;
const MAX_CONTENT = 256 * 1024;

/**
 * Reads a loose object by its full id from an object folder, without a process; null if it does not exist, is
 * packed, or is too large.
 */
export async function readLooseObject(objects: string, id: string): Promise<LooseObject | null> {
  const file = join(objects, id.slice(0, 2), id.slice(2));
  try {
    if ((await stat(file)).size > MAX_FILE) return null;
    const whole = inflateSync(await readFile(file), { maxOutputLength: MAX_CONTENT });
    const end = whole.indexOf(0);
    const [, type, size] = /^(\w+) (\d+)$/.exec(whole.toString('latin1', 0, end)) ?? [];
    const content = whole.subarray(end + 1);
    return type !== undefined && Number(size) === content.length ? { type, content } : null;
  } catch {
    // Leave errors to git, which describes them.
    return null;
  }
}
