import { mkdir, open, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { flush } from '#kernel/disk/durable.js';

const CONFIG = '[core]\n\trepositoryformatversion = 0\n\tfilemode = true\n\tbare = true\n';

const FOLDERS = ['objects/pack', 'objects/info', 'refs/heads', 'refs/tags'];

/** Value of the key `forgeplane.owner`, in the formats that git and this module write. */
const OWNER = /^\[forgeplane\][^[]*?^\s*owner\s*=\s*"?([0-9a-f-]{36})"?\s*$/m;

const ownerOf = (identity: string): string => `[forgeplane]\n\towner = ${identity}\n`;

/**
 * Creates what `git init --bare` creates, except HEAD, without a process; with the identity of its row (null:
 * none).
 */
export async function makeBareRepository(path: string, identity: string | null): Promise<void> {
  for (const folder of FOLDERS) await mkdir(join(path, folder), { recursive: true });
  await writeFile(join(path, 'config'), CONFIG + (identity === null ? '' : ownerOf(identity)));
}

/** Reads the identity of a repository; null if it has none. @throws errors of the disk */
export async function readOwner(path: string): Promise<string | null> {
  return OWNER.exec(await readFile(join(path, 'config'), 'utf8'))?.[1] ?? null;
}

/**
 * Writes the identity of a repository that has none, with git's locking: the second of two writers fails.
 * @throws errors of the disk
 */
export async function writeOwner(path: string, identity: string): Promise<void> {
  const file = join(path, 'config');
  const lock = `${file}.lock`;
  const handle = await open(lock, 'wx');
  try {
    try {
      const config = await readFile(file, 'utf8');
      await handle.writeFile(`${config.replace(/(?<!\n)$/, '\n')}${ownerOf(identity)}`);
      await handle.sync();
    } finally {
      await handle.close();
    }
    await rename(lock, file);
  } catch (error) {
    await rm(lock, { force: true });
    throw error;
  }
  await flush(dirname(file));
}
