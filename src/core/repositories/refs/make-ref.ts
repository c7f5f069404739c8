import { randomUUID } from 'node:crypto';
import { link, lstat, mkdir, open, unlink } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { peel } from '../git/resolve.js';

const isCode = (error: unknown, code: string): boolean => (error as NodeJS.ErrnoException).code === code;

/**
 * Makes a ref that is not there without a process of git: whole and on disk under another name first, as git does. Only for refs that nobody else
 * gives another value: no lock of git is held meanwhile. False, with nothing done, where git has to do it: the commit is not there, or the
 * repository does not keep its refs in files.
 */
export async function makeRef(repositoryPath: string, ref: string, commit: string): Promise<boolean> {
  const [kind, found] = await Promise.all([
    lstat(join(repositoryPath, 'refs/heads')),
    peel(repositoryPath, commit),
  ]);
  if (!kind.isDirectory() || found !== commit) return false;
  const path = join(repositoryPath, ref);
  // Git takes nothing of this ending for a ref.
  const whole = `${path}.${randomUUID()}.lock`;
  await write(whole, `${commit}\n`).catch(async (error: unknown) => {
    if (!isCode(error, 'ENOENT')) throw error;
    await mkdir(dirname(whole), { recursive: true });
    await write(whole, `${commit}\n`);
  });
  try {
    await link(whole, path);
    return true;
  } catch (error) {
    // Not every file system has more than one name for a file.
    return isCode(error, 'EEXIST');
  } finally {
    await unlink(whole);
  }
}

async function write(path: string, text: string): Promise<void> {
  const file = await open(path, 'wx');
  try {
    await file.writeFile(text);
    await file.datasync();
  } finally {
    await file.close();
  }
}
