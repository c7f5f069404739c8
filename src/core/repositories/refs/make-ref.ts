import { randomUUID } from 'node:crypto';
import { link, lstat, mkdir, open, unlink } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { peel } from '../git/resolve.js';

const isCode = (error: unknown, code: string): boolean => (error as NodeJS.ErrnoException).code === code;

/**
 * Creates a missing ref without a git process: complete and on disk under another name first, as git does.
 * Only for refs without other writers, because it holds no lock of git. False, without any change, if git
 * must do it: the commit does not exist, or the repository does not store refs as files.
 */
export async function makeRef(repositoryPath: string, ref: string, commit: string): Promise<boolean> {
  const [kind, found] = await Promise.all([
    lstat(join(repositoryPath, 'refs/heads')),
    peel(repositoryPath, commit),
  ]);
  if (!kind.isDirectory() || found !== commit) return false;
  const path = join(repositoryPath, ref);
  // Git never reads a file with this suffix as a ref.
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
    // Some file systems do not support hard links.
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
