import { createHash } from 'node:crypto';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { HttpError } from '#kernel/http/errors.js';
import { GitFailure } from '../git/git-failure.js';
import { readObjects } from '../git/read-blobs.js';
import { findEntries } from '../git/tree-entries.js';
import type { ObjectDirectory } from './quarantine.js';
import { editTree, findInTree, FOLDER, type Entry } from './raw-tree.js';
import { writeObjects } from './write-objects.js';

/** New entry of a path; null to remove it. */
export interface PathChange {
  readonly path: string;
  readonly entry: Entry | null;
}

/** Limit of bytes of all folders that a commit changes: about 200,000 names. */
const MAX_FOLDERS_BYTES = 8 * 1024 * 1024;

const tooLarge = (): HttpError =>
  new HttpError(422, {
    message: `The folders of these files are too large: a commit can change at most ${MAX_FOLDERS_BYTES / 1024 / 1024} MiB of folders; use git for larger changes`,
  });

/** Names to look up, as a tree of folders. */
type Names = Map<string, Names>;

/** A folder on the way to a changed path: its original content and its changed entries. */
interface Folder {
  readonly before: Buffer;
  readonly entries: Map<string, Entry | Folder | null>;
}

const isFolder = (entry: Entry | Folder | null | undefined): boolean =>
  Boolean(entry) && ('before' in (entry as object) || (entry as Entry).mode === FOLDER);

/** Names in trees are bytes. */
const partsOf = (path: string): string[] => Buffer.from(path).toString('latin1').split('/');

/**
 * Writes the tree of a commit (its full id; null for an empty one) with changes applied in order, as git's
 * index does: an addition replaces a file or folder in its way, and a removal leaves no empty folder. Reads
 * only the folders on these paths.
 * @returns its id. @throws 422 if they are too large
 */
export async function buildTree(
  directory: ObjectDirectory,
  commit: string | null,
  changes: readonly PathChange[],
): Promise<string> {
  const known = commit === null ? null : await readFolders(directory.path, commit, changes);
  const names = namesOf(changes);
  const root = await open(known?.root, names);
  for (const { path, entry } of changes) {
    const parts = partsOf(path);
    const name = parts.pop() ?? '';
    let folder: Folder | null = root;
    let looked = names;
    for (const part of parts) {
      looked = looked.get(part) ?? new Map();
      folder = await below(folder, part, { looked, isMade: entry !== null, byId: known?.byId });
      if (folder === null) break;
    }
    // Do not overwrite a file that replaces the folder.
    if (folder && (entry || !isFolder(folder.entries.get(name)))) folder.entries.set(name, entry);
  }
  return write(directory, root);
}

function namesOf(changes: readonly PathChange[]): Names {
  const names: Names = new Map();
  for (const { path } of changes) {
    let at = names;
    for (const part of partsOf(path)) {
      const next: Names = at.get(part) ?? new Map();
      at.set(part, next);
      at = next;
    }
  }
  return names;
}

/** Parsing large folders takes time. */
async function open(tree: Buffer | undefined, names: Names): Promise<Folder> {
  await nextTurn();
  const before = tree ?? Buffer.alloc(0);
  return { before, entries: findInTree(before, names) };
}

/** Returns a subfolder by its name; null if it does not exist and must not be created. */
async function below(
  { entries }: Folder,
  name: string,
  { looked, isMade, byId }: { looked: Names; isMade: boolean; byId: ReadonlyMap<string, Buffer> | undefined },
): Promise<Folder | null> {
  const there = entries.get(name) ?? null;
  if (there && 'before' in there) return there;
  if (!isFolder(there) && !isMade) return null;
  const opened = await open(isFolder(there) && there ? byId?.get(there.id) : undefined, looked);
  entries.set(name, opened);
  return opened;
}

/** Reads the existing folders, by their ids. */
async function readFolders(
  repositoryPath: string,
  commit: string,
  changes: readonly PathChange[],
): Promise<{ root: Buffer; byId: Map<string, Buffer> }> {
  const paths = changes.map(({ path }) => path.slice(0, path.lastIndexOf('/') + 1).slice(0, -1));
  const found = await findEntries(
    repositoryPath,
    commit,
    paths.filter((path) => path !== ''),
  );
  const ids = [...new Set([...found.values()].filter(({ type }) => type === 'tree').map(({ id }) => id))];
  try {
    const names = [`${commit}^{tree}`, ...ids];
    const [root, ...trees] = await readObjects(repositoryPath, names, 'tree', MAX_FOLDERS_BYTES);
    if (!root) throw new GitFailure('cat-file', 'exit', 0, `fatal: no tree of ${commit}`);
    return { root, byId: new Map(ids.map((id, index) => [id, trees[index] ?? Buffer.alloc(0)])) };
  } catch (error) {
    if (error instanceof GitFailure && error.reason === 'too-large') throw tooLarge();
    throw error;
  }
}

/** Writes all changes with one process: the ids of folders can be computed before git writes them. */
async function write(directory: ObjectDirectory, root: Folder): Promise<string> {
  const trees = new Map<string, Buffer>();
  const { id } = (await settle(root, trees)) ?? keep(Buffer.alloc(0), trees);
  await writeObjects(directory, 'tree', [...trees.values()]);
  return id;
}

/** Returns the entry of a folder with everything below it; null if it is empty. */
async function settle(folder: Folder, trees: Map<string, Buffer>): Promise<Entry | null> {
  const edits = new Map<string, Entry | null>();
  for (const [name, entry] of folder.entries)
    edits.set(name, entry && 'before' in entry ? await settle(entry, trees) : entry);
  await nextTurn();
  const now = editTree(folder.before, edits);
  return now.length === 0 ? null : keep(now, trees);
}

function keep(tree: Buffer, trees: Map<string, Buffer>): Entry {
  const id = createHash('sha1').update(`tree ${tree.length}\0`).update(tree).digest('hex');
  trees.set(id, tree);
  return { mode: FOLDER, id };
}
