import { link, lstat, open, readFile, rename, unlink } from 'node:fs/promises';
import { join } from 'node:path';
import type { RefChange } from '../ref-change.js';

/** No name of anything that moves into the repository. */
const NAME = 'ref';

/**
 * A branch that moves to a commit which has come, written as git writes it (`gitrepository-layout`: a file with the id; whoever holds `<ref>.lock`
 * may replace it), with everything done before that can be: what remains are a few calls of the system. Only of a branch that has a file of its
 * own already: names that exclude each other, packed refs and other ways to keep refs are git's.
 */
export class PreparedRef {
  private constructor(
    private readonly repositoryPath: string,
    private readonly change: RefChange,
    private readonly file: string,
  ) {}

  /** Writes what the ref will be into a folder on the same disk, for good. */
  static async write(repositoryPath: string, change: RefChange, folder: string): Promise<PreparedRef> {
    const file = join(folder, NAME);
    const handle = await open(file, 'wx');
    try {
      await handle.writeFile(`${change.after}\n`);
      await handle.sync();
    } finally {
      await handle.close();
    }
    return new PreparedRef(repositoryPath, change, file);
  }

  /**
   * Moves the ref; false, and nothing has changed, where that is for git to do, or to refuse. The lock is made with its content, and held from one
   * call to the next: hardly anybody is killed in between. @throws when it is not known whether the ref has moved
   */
  async move(): Promise<boolean> {
    const ref = join(this.repositoryPath, this.change.ref);
    const lock = `${ref}.lock`;
    try {
      if (!(await this.isAsTold(ref))) return false;
      await link(this.file, lock);
    } catch {
      return false;
    }
    if (await this.isAsTold(ref).catch(() => false)) {
      // A lock that is left would keep the ref from ever changing again.
      await rename(lock, ref).catch(async (error: unknown) => {
        await unlink(lock).catch(() => undefined);
        throw error;
      });
      return true;
    }
    await unlink(lock);
    return false;
  }

  private async isAsTold(ref: string): Promise<boolean> {
    if (!(await lstat(ref)).isFile()) return false;
    return (await readFile(ref, 'latin1')) === `${this.change.before}\n`;
  }
}
