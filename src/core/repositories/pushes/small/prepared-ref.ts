import { link, lstat, open, readFile, rename, unlink } from 'node:fs/promises';
import { join } from 'node:path';
import type { RefChange } from '../ref-change.js';

/** Differs from all names of files that move into the repository. */
const NAME = 'ref';

/**
 * An update of a branch to a new commit, written in git's own format (`gitrepository-layout`: a file with the
 * id; the holder of `<ref>.lock` may replace it). Everything possible is done in advance, so that only a few
 * system calls remain. Only for branches that already have their own file: conflicting names, packed refs and
 * other formats are left to git.
 */
export class PreparedRef {
  private constructor(
    private readonly repositoryPath: string,
    private readonly change: RefChange,
    private readonly file: string,
  ) {}

  /** Writes the new ref durably into a folder on the same disk. */
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
   * Updates the ref; false without any change if git must do or reject it. The lock is created with its
   * content and held only between two calls, so that a kill in between is unlikely. @throws if it is unknown
   * whether the ref was updated
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
      // A leftover lock would block all later updates of the ref.
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
