import { HttpError } from '#kernel/http/errors.js';
import { readGit, type ReadOptions } from './processes/read-git.js';
import { RepositoryDamaged } from './damage/repository-damaged.js';
import { LITERAL_PATHS } from './tree-entries.js';

/** Entries of trees that one call goes through at most, and files and folders of one archive. A tree of a few kilobytes can have any number of them. */
export const MAX_TREE_ENTRIES = 300_000;

/** 422: a tree has more entries than anybody is told of. */
export const tooManyEntries = (): HttpError =>
  new HttpError(422, { message: `The tree has more than ${MAX_TREE_ENTRIES} entries` });

/** What is gone through. */
export interface TreeWalk extends Pick<ReadOptions, 'env' | 'kind' | 'timeoutMs'> {
  readonly recursive?: boolean;
  /** Folders are entries too where the walk goes below them. */
  readonly folders?: boolean;
  /** Sizes of blobs, which git has to look up. */
  readonly sizes?: boolean;
  /** Only these folders and files; nothing in their names is a pattern. */
  readonly paths?: readonly string[];
  readonly maxEntries?: number;
}

/** How a walk ended: all of it was seen, whoever takes the entries had enough, or there are too many. */
export type WalkEnd = 'whole' | 'enough' | 'too many';

const NUL = 0;
/** Bytes of the mode before the type, and its first letter for folders. */
const MODE = '040000 '.length;
const TREE = 0x74;
/** Git writes `BAD` where the size of a blob that is missing would end. */
const SIZE_END = '100644 blob  1234567'.length + 40 - 1;
const BAD_END = 0x44;

/**
 * Gives the entries of a tree (a full id of it or of a commit, or the full name of a ref) to `take`, in the order of git, until that answers false
 * or there are too many; git ends there. @throws GitFailure; 503 where a blob is missing whose size is
 * asked for
 */
export async function walkTree(
  repositoryPath: string,
  tree: string,
  { recursive, folders, sizes, paths = [], env, maxEntries = MAX_TREE_ENTRIES, ...options }: TreeWalk,
  take: (line: Buffer) => boolean,
): Promise<WalkEnd> {
  // Git tells of folders always: those without any file would otherwise be walked through without end.
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
    return true;
  });
  if (lost !== '') throw new RepositoryDamaged(repositoryPath, `${lost} is missing`);
  return end;
}
