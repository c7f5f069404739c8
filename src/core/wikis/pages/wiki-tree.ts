import { badRequest } from '#kernel/http/errors.js';
import { walkTree } from '#core/repositories/git/walk-tree.js';
import { pageNameOf, type WikiFormat } from './wiki-formats.js';

/** Limit of bytes of a page; larger files are available only by git. */
export const MAX_PAGE_BYTES = 1024 * 1024;

/** Limit of files of a wiki, because lists read all of them. */
const MAX_FILES = 100_000;
/** Limit of bytes of their paths together: each may be long. */
const MAX_PATHS_BYTES = 64 * 1024 * 1024;

/** A file in the tree of a commit. */
export interface TreeFile {
  readonly path: string;
  readonly mode: string;
  readonly blob: string;
  /** Null for submodules. */
  readonly size: number | null;
}

/** A file that is a page. */
export interface PageFile extends TreeFile {
  readonly slug: string;
  readonly format: WikiFormat;
}

const isFolder = ({ mode }: TreeFile): boolean => mode === '040000';

const ENTRY = /^(\d{6}) \w+ ([0-9a-f]{40,64}) +(\d+|-)\t(.*)$/s;

/**
 * Lists all files of a commit (its full id), or those at `paths`, with one process. @throws 400 if there are
 * too many
 */
export async function readTree(
  repositoryPath: string,
  commit: string,
  paths?: readonly string[],
): Promise<TreeFile[]> {
  const files: TreeFile[] = [];
  let bytes = 0;
  const walk = { sizes: true, recursive: paths === undefined, paths: paths ?? [], maxEntries: MAX_FILES };
  const end = await walkTree(repositoryPath, commit, walk, (line) => {
    files.push(...toFile(line.toString('utf8')));
    bytes += line.length;
    return bytes <= MAX_PATHS_BYTES;
  });
  if (end !== 'whole') throw badRequest('The wiki has too many files.');
  return files;
}

/**
 * Lists the entries in the folders of these paths and above, including folders, and reads nothing else.
 * @throws as readTree
 */
export async function readBeside(
  repositoryPath: string,
  commit: string,
  paths: readonly string[],
): Promise<TreeFile[]> {
  const folders = new Set(paths.map((path) => path.slice(0, path.lastIndexOf('/') + 1)));
  const above = [...folders].flatMap((folder) => {
    const parts = folder.split('/').slice(0, -1);
    return parts.map((_, index) => parts.slice(0, index + 1).join('/'));
  });
  // Without paths, git lists the root.
  const root = folders.delete('') ? await readTree(repositoryPath, commit, []) : [];
  if (folders.size === 0) return root;
  return [...root, ...(await readTree(repositoryPath, commit, [...new Set([...above, ...folders])]))];
}

function toFile(line: string): TreeFile[] {
  const [, mode, blob, size, path] = ENTRY.exec(line) ?? [];
  if (mode === undefined || blob === undefined || path === undefined) return [];
  return [{ path, mode, blob, size: size === '-' ? null : Number(size) }];
}

/** Returns the file as a page, or null; links are never pages. */
export function pageOf(file: TreeFile): PageFile | null {
  const isPlain = file.mode.startsWith('100') && file.size !== null && file.size <= MAX_PAGE_BYTES;
  const name = isPlain ? pageNameOf(file.path) : null;
  return name && { ...file, ...name };
}

/** Returns the pages among files, by slug. */
export function pagesOf(files: readonly TreeFile[]): PageFile[] {
  const pages = files.flatMap((file) => pageOf(file) ?? []);
  return pages.sort((a, b) => (a.slug < b.slug ? -1 : a.slug > b.slug ? 1 : 0));
}

/**
 * Returns whether a page at this path would conflict with a file or folder; `except`: the path that it
 * leaves.
 */
export function isTaken(files: readonly TreeFile[], path: string, except?: string): boolean {
  const slug = pageNameOf(path)?.slug;
  return files.some(
    (file) =>
      file.path !== except &&
      (file.path === path ||
        (!isFolder(file) && (path.startsWith(`${file.path}/`) || pageNameOf(file.path)?.slug === slug))),
  );
}
