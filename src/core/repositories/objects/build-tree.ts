import { createHash } from 'node:crypto';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { HttpError } from '#kernel/http/errors.js';
import { GitFailure } from '../git/git-failure.js';
import { readObjects } from '../git/read-blobs.js';
import { findEntries } from '../git/tree-entries.js';
import type { ObjectPlace } from './quarantine.js';
import { editTree, findInTree, FOLDER, type Entry } from './raw-tree.js';
import { writeObjects } from './write-objects.js';

/** What a path is to stand for; null for nothing. */
export interface PathChange {
  readonly path: string;
  readonly entry: Entry | null;
}

/** Bytes of all folders that one commit changes, together: some 200,000 names. */
const MAX_FOLDERS_BYTES = 8 * 1024 * 1024;

const tooLarge = (): HttpError =>
  new HttpError(422, {
    message: `The folders of these files are too large: a commit can change ${MAX_FOLDERS_BYTES / 1024 / 1024} MiB of folders, ask git for more`,
  });

/** Names by the folders that they are looked for in. */
type Names = Map<string, Names>;

/** A folder on the way to a changed path: what it had, and what its names stand for now. */
interface Folder {
  readonly before: Buffer;
  readonly entries: Map<string, Entry | Folder | null>;
}

const isFolder = (entry: Entry | Folder | null | undefined): boolean =>
  Boolean(entry) && ('before' in (entry as object) || (entry as Entry).mode === FOLDER);

/** Names of trees are bytes. */
const partsOf = (path: string): string[] => Buffer.from(path).toString('latin1').split('/');

/**
 * Writes the tree of a commit (its full id; null for an empty one) with changes made in their order, as git's index makes them: what comes
 * takes the place of a file or folder in its way, and what goes leaves no empty folder. Only the folders on these paths are read.
 * @returns its id. @throws 422 when they are too large
 */
export async function buildTree(
  place: ObjectPlace,
  commit: string | null,
  changes: readonly PathChange[],
): Promise<string> {
  const known = commit === null ? null : await readFolders(place.path, commit, changes);
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
    // A folder does not go where a file of its name is to go.
    if (folder && (entry || !isFolder(folder.entries.get(name)))) folder.entries.set(name, entry);
  }
  return write(place, root);
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

/** Large folders take their time. */
async function open(tree: Buffer | undefined, names: Names): Promise<Folder> {
  await nextTurn();
  const before = tree ?? Buffer.alloc(0);
  return { before, entries: findInTree(before, names) };
}

/** A folder in another one, by its name; null where there is none and none is to be made. */
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

/** The folders that are there already, by their ids. */
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

/** Writes what has changed, with one process: the ids of folders are known before git has written them. */
async function write(place: ObjectPlace, root: Folder): Promise<string> {
  const trees = new Map<string, Buffer>();
  const { id } = (await settle(root, trees)) ?? keep(Buffer.alloc(0), trees);
  await writeObjects(place, 'tree', [...trees.values()]);
  return id;
}

/** What a folder is now, with all below it; null when nothing is left of it. */
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
