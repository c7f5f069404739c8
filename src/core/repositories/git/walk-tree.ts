import { HttpError } from '#kernel/http/errors.js';
import { readGit, type ReadOptions } from './processes/read-git.js';
import { RepositoryDamaged } from './damage/repository-damaged.js';
import { LITERAL_PATHS, MAX_ENTRY_BYTES } from './tree-entries.js';

/**
 * Limit of tree entries per call, and of files and folders in an archive. A tree of a few kilobytes can
 * contain any number of them.
 */
export const MAX_TREE_ENTRIES = 300_000;

/** Error 422: a tree has too many entries, or one with a path that is too long. */
export const tooManyEntries = (): HttpError =>
  new HttpError(422, {
    message: `The tree has more than ${MAX_TREE_ENTRIES} entries, or a path of more than ${MAX_ENTRY_BYTES / 2 ** 20} MiB`,
  });

/** Options of a tree walk. */
export interface TreeWalk extends Pick<ReadOptions, 'env' | 'kind' | 'timeoutMs'> {
  readonly recursive?: boolean;
  /** In a recursive walk, also visit folders. */
  readonly folders?: boolean;
  /** Also read the sizes of blobs, which git must look up. */
  readonly sizes?: boolean;
  /** Limits the walk to these folders and files; their names are not patterns. */
  readonly paths?: readonly string[];
  readonly maxEntries?: number;
}

/** How a walk ended: completely, stopped by the visitor, or with too many entries or one that is too long. */
export type WalkEnd = 'whole' | 'enough' | 'too many';

const NUL = 0;
/** Length of the mode before the type, and the first letter of the type of folders. */
const MODE = '040000 '.length;
const TREE = 0x74;
/** Git writes `BAD` at the end of the size column if a blob is missing. */
const SIZE_END = '100644 blob  1234567'.length + 40 - 1;
const BAD_END = 0x44;

/**
 * Visits the entries of a tree (a full id of it or of a commit, or the full name of a ref) with `take`, in
 * git's order, until that returns false or it is too much; git then ends. @throws GitFailure; 503 if a
 * blob is missing whose size is requested
 */
export async function walkTree(
  repositoryPath: string,
  tree: string,
  { recursive, folders, sizes, paths = [], env, maxEntries = MAX_TREE_ENTRIES, ...options }: TreeWalk,
  take: (line: Buffer) => boolean,
): Promise<WalkEnd> {
  // Always list folders: trees without files would otherwise be walked endlessly without output.
  const flags = [...(recursive ? ['-r', '-t'] : []), ...(sizes ? ['-l'] : [])];
  const isShown = (line: Buffer): boolean => !recursive || folders === true || line[MODE] !== TREE;
  let rest: Buffer = Buffer.alloc(0);
  let count = 0;
  let end: WalkEnd = 'whole';
  let lost = '';
  const args = ['ls-tree', '-z', '--full-tree', ...flags, tree, '--', ...paths];
  const call = { ...options, env: { ...env, ...LITERAL_PATHS } };
  await readGit(repositoryPath, args, call, (piece) => {
    const data = rest.length === 0 ? piece : Buffer.concat([rest, piece]);
    let from = 0;
    for (let to = data.indexOf(NUL); to >= 0; to = data.indexOf(NUL, from)) {
      count += 1;
      if (sizes && data[from + SIZE_END] === BAD_END) lost = data.toString('utf8', from, to);
      if (count > maxEntries) end = 'too many';
      else if (isShown(data.subarray(from, to)) && !take(data.subarray(from, to))) end = 'enough';
      if (end !== 'whole') return false;
      from = to + 1;
    }
    rest = data.subarray(from);
    if (rest.length > MAX_ENTRY_BYTES) end = 'too many';
    return end === 'whole';
  });
  if (lost !== '') throw new RepositoryDamaged(repositoryPath, `${lost} is missing`);
  return end;
}
