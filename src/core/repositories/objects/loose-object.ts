import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { inflateSync } from 'node:zlib';

/** An object as git keeps it. */
export interface LooseObject {
  readonly type: string;
  readonly content: Buffer;
}

/** Larger ones are git's to read. */
const MAX_FILE = 64 * 1024;
const MAX_CONTENT = 256 * 1024;

/**
 * The object of a full id in a file of its own below a folder of objects, without a process; null where it is not there, packed, or too large to be
 * read at once.
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
    // Git says what is wrong, if anything is.
    return null;
  }
}
