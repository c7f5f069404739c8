import { badRequest } from '#kernel/http/errors.js';
import type { TreeEntry } from '../../git/tree-entries.js';

/** What is known of a path while actions are applied one after the other. */
type Known =
  | { readonly kind: 'file'; readonly mode: string; readonly id: string | null }
  | { readonly kind: 'folder' };

/** Refusals that v4 clients know by their text. */
export const FILE_EXISTS = 'A file with this name already exists';
export const NO_SUCH_FILE = "A file with this name doesn't exist";
export const FOLDER_EXISTS = 'A directory with this name already exists';

const ancestorsOf = (path: string): string[] => {
  const parts = path.split('/');
  return parts.slice(1).map((_, index) => parts.slice(0, index + 1).join('/'));
};

/** All paths that say whether a file can be at a path: itself, and the folders that it lies in. */
export const pathsToCheck = (path: string): string[] => [...ancestorsOf(path), path];

/** The tree that actions work on: what a commit has of the paths that they name, and what they have made of them. */
export class PlannedTree {
  private readonly known = new Map<string, Known>();

  constructor(entries: ReadonlyMap<string, TreeEntry>) {
    for (const { path, type, mode, id } of entries.values())
      this.known.set(path, type === 'tree' ? { kind: 'folder' } : { kind: 'file', mode, id });
  }

  /** The file at a path. @throws 400 when there is none */
  file(path: string): { readonly mode: string; readonly id: string | null } {
    const known = this.known.get(path);
    if (known?.kind !== 'file') throw badRequest(NO_SUCH_FILE);
    return known;
  }

  /** @throws 400 when a new file cannot be at the path */
  assertFree(path: string): void {
    const known = this.known.get(path);
    if (known) throw badRequest(known.kind === 'file' ? FILE_EXISTS : FOLDER_EXISTS);
    if (ancestorsOf(path).some((folder) => this.known.get(folder)?.kind === 'file'))
      throw badRequest(FILE_EXISTS);
  }

  /** A file is now at the path; `id` is null while its content has no object. */
  put(path: string, mode: string, id: string | null): void {
    for (const folder of ancestorsOf(path)) this.known.set(folder, { kind: 'folder' });
    this.known.set(path, { kind: 'file', mode, id });
  }

  remove(path: string): void {
    this.known.delete(path);
  }
}
