import { badRequest } from '#kernel/http/errors.js';
import type { TreeEntry } from '../../git/tree-entries.js';

/** State of a path while actions are applied. */
type Known =
  | { readonly kind: 'file'; readonly mode: string; readonly id: string | null }
  | { readonly kind: 'folder' };

/** Errors whose text v4 clients know. */
export const FILE_EXISTS = 'A file with this name already exists';
export const NO_SUCH_FILE = "A file with this name doesn't exist";
export const FOLDER_EXISTS = 'A directory with this name already exists';

const ancestorsOf = (path: string): string[] => {
  const parts = path.split('/');
  return parts.slice(1).map((_, index) => parts.slice(0, index + 1).join('/'));
};

/** Returns the paths that decide whether a file can be created: itself and its parent folders. */
export const pathsToCheck = (path: string): string[] => [...ancestorsOf(path), path];

/** The tree that actions change: the named paths of a commit, and their new state. */
export class PlannedTree {
  private readonly known = new Map<string, Known>();

  constructor(entries: ReadonlyMap<string, TreeEntry>) {
    for (const { path, type, mode, id } of entries.values())
      this.known.set(path, type === 'tree' ? { kind: 'folder' } : { kind: 'file', mode, id });
  }

  /** Returns the file at a path. @throws 400 if there is none */
  file(path: string): { readonly mode: string; readonly id: string | null } {
    const known = this.known.get(path);
    if (known?.kind !== 'file') throw badRequest(NO_SUCH_FILE);
    return known;
  }

  /** Asserts that a new file can be created at the path. @throws 400 */
  assertFree(path: string): void {
    const known = this.known.get(path);
    if (known) throw badRequest(known.kind === 'file' ? FILE_EXISTS : FOLDER_EXISTS);
    if (ancestorsOf(path).some((folder) => this.known.get(folder)?.kind === 'file'))
      throw badRequest(FILE_EXISTS);
  }

  /** Puts a file at a path; `id` is null if its content is not stored yet. */
  put(path: string, mode: string, id: string | null): void {
    for (const folder of ancestorsOf(path)) this.known.set(folder, { kind: 'folder' });
    this.known.set(path, { kind: 'file', mode, id });
  }

  remove(path: string): void {
    this.known.delete(path);
  }
}
