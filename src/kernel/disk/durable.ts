import { closeSync, fsyncSync, openSync } from 'node:fs';
import { mkdir, open, readdir } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';

/** Number of files flushed or copied at a time. */
const AT_ONCE = 16;

/**
 * Runs `work` for each item, some at a time. After a failure nothing new starts, and running work is awaited.
 */
export async function forEachOf<T>(items: readonly T[], work: (item: T) => Promise<void>): Promise<void> {
  let next = 0;
  const failures: unknown[] = [];
  const lane = async (): Promise<void> => {
    while (next < items.length && failures.length === 0) {
      const item = items[next++] as T;
      await work(item).catch((error: unknown) => failures.push(error));
    }
  };
  await Promise.all(Array.from({ length: Math.min(AT_ONCE, items.length) }, lane));
  if (failures.length > 0) throw failures[0];
}

/** Flushes a file or folder, so that it survives a power failure. */
export async function flush(path: string): Promise<void> {
  const handle = await open(path, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/** The same for everything in a folder, and for the folder. */
export async function flushTree(folder: string): Promise<void> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  await forEachOf([folder, ...entries.map((entry) => join(entry.parentPath, entry.name))], flush);
}

/** Flushes a file or folder before anything else runs. */
export function flushSync(path: string): void {
  const descriptor = openSync(path, 'r');
  try {
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}

/**
 * Makes the names of everything in a folder durable, and that of the folder, and so on up to `root`, which
 * contains it.
 */
export async function flushUpTo(root: string, folder: string): Promise<void> {
  const end = resolve(root);
  let path = resolve(folder);
  await flush(path);
  while (path !== end && path !== dirname(path)) await flush((path = dirname(path)));
}

/**
 * Creates a folder with its missing parents and makes their names durable. They are accessible to the service
 * alone.
 */
export async function makeFolder(folder: string): Promise<void> {
  const first = await mkdir(folder, { recursive: true, mode: 0o700 });
  if (first !== undefined) await flushUpTo(dirname(first), folder);
}
