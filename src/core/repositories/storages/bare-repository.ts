import { mkdir, open, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { flush } from '#kernel/disk/durable.js';

const CONFIG = '[core]\n\trepositoryformatversion = 0\n\tfilemode = true\n\tbare = true\n';

const FOLDERS = ['objects/pack', 'objects/info', 'refs/heads', 'refs/tags'];

/** A value of the key `forgeplane.owner` in what git writes and we do. */
const OWNER = /^\[forgeplane\][^[]*?^\s*owner\s*=\s*"?([0-9a-f-]{36})"?\s*$/m;

const ownerOf = (identity: string): string => `[forgeplane]\n\towner = ${identity}\n`;

/** What `git init --bare` makes, but HEAD, without the time that a process takes; with the identity of whose it is (null: without). */
export async function makeBareRepository(path: string, identity: string | null): Promise<void> {
  for (const folder of FOLDERS) await mkdir(join(path, folder), { recursive: true });
  await writeFile(join(path, 'config'), CONFIG + (identity === null ? '' : ownerOf(identity)));
}

/** The identity that a repository carries; null for one that carries none. @throws errors of disks */
export async function readOwner(path: string): Promise<string | null> {
  return OWNER.exec(await readFile(join(path, 'config'), 'utf8'))?.[1] ?? null;
}

/** Gives a repository that carries none its identity, as git changes its file: whoever comes second is refused. @throws errors of disks */
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
