import { badRequest } from '#kernel/http/errors.js';
import { buildTree, type PathChange } from '../objects/build-tree.js';
import type { ObjectDirectory } from '../objects/quarantine.js';
import { writeObjects } from '../objects/write-objects.js';
import { NO_OBJECT } from '../pushes/ref-change.js';
import { gitText } from './git.js';

/** A change of a path in a tree. */
export type TreeChange =
  | { readonly path: string; readonly content: Buffer; readonly mode?: '100644' | '100755' | '120000' }
  /** An object that already exists in the repository. */
  | { readonly path: string; readonly blob: string; readonly mode: string }
  | { readonly path: string; readonly remove: true };

/** Author or committer of a commit, with the time. */
export interface Signature {
  readonly name: string;
  readonly email: string;
  /** Default: now. */
  readonly date?: Date;
}

/** A commit to create. */
export interface NewCommit {
  /** Full ids of the parents; empty for a root commit. */
  readonly parents: readonly string[];
  readonly changes: readonly TreeChange[];
  readonly message: string;
  readonly author: Signature;
  readonly committer: Signature;
}

/**
 * Forbidden parts of paths: git's own folder in any spelling that file systems treat as equal, and upward
 * steps.
 */
const FORBIDDEN_PART = /^(\.{1,2}|(\.git|git~\d+)[ .]*(:.*)?)$/is;
/** Characters that Apple file systems ignore. */
const IGNORED = /[\u200c-\u200f\u202a-\u202e\u206a-\u206f\ufeff]/g;

/** A backslash separates paths on other systems. */
const isHarmless = (part: string): boolean =>
  part.split('\\').every((piece) => !FORBIDDEN_PART.test(piece.replace(IGNORED, '')));

const isPart = (part: string): boolean => part !== '' && Buffer.byteLength(part) <= 255 && isHarmless(part);

/** Names of git's own files, which must not be links: git ignores such links silently. */
const NO_LINK = /(^|[\\/])(\.gitmodules|gitmod~\d|gi7eba~\d)[ .]*(:[^/]*)?$/is;

const isRefused = (change: TreeChange): boolean =>
  !isFilePath(change.path) ||
  ('mode' in change && change.mode === '120000' && NO_LINK.test(change.path.replace(IGNORED, '')));

/** Returns whether a text is a valid path of a file in a repository. */
export function isFilePath(path: string): boolean {
  return path !== '' && path.length <= 4096 && !path.includes('\0') && path.split('/').every(isPart);
}

/** Returns a path of a request without slashes around it. */
export const trimSlashes = (path = ''): string => path.replace(/^\/+|\/+$/g, '');

/**
 * Creates a commit from the tree of its first parent with changes applied in order; no ref names it yet.
 * @returns its id. @throws 400 if a path is invalid, 422 if the folders on the paths are too large
 */
export async function buildCommit(directory: ObjectDirectory, commit: NewCommit): Promise<string> {
  const refused = commit.changes.find(isRefused);
  if (refused) throw badRequest(`invalid path: '${refused.path.slice(0, 200)}'`);
  const entries = await entriesOf(directory, commit.changes);
  const tree = await buildTree(directory, commit.parents[0] ?? null, entries);
  return commitTree(directory, tree, commit);
}

/** Creates a commit of an existing tree. @returns its id */
export function commitTree(
  { path, env }: ObjectDirectory,
  tree: string,
  { parents, message, author, committer }: Omit<NewCommit, 'changes'>,
): Promise<string> {
  return gitText(path, ['commit-tree', tree, ...parents.flatMap((id) => ['-p', id])], {
    input: message,
    env: { ...env, ...signed('AUTHOR', author), ...signed('COMMITTER', committer) },
  });
}

/** Stores new contents as blobs, and returns the new entry of each path. */
async function entriesOf(directory: ObjectDirectory, changes: readonly TreeChange[]): Promise<PathChange[]> {
  const contents = changes.flatMap((change) => ('content' in change ? change.content : []));
  const ids = (await writeObjects(directory, 'blob', contents)).values();
  return changes.map((change) => {
    const { path } = change;
    if ('remove' in change) return { path, entry: null };
    if ('blob' in change) return { path, entry: { mode: change.mode, id: change.blob } };
    return { path, entry: { mode: change.mode ?? '100644', id: ids.next().value ?? NO_OBJECT } };
  });
}

/** Characters that git strips from both ends of a name; it rejects names of only these. */
const NO_NAME = /^[\s.,:;"'\\]*$/;

/** A variable of a process holds 128 KiB, in which this many characters fit; pushed commits may have longer names. */
const MAX_NAME = 32_768;

/** Line ends and angle brackets would break the header. */
function clean(text: string): string {
  const name = text
    .slice(0, MAX_NAME)
    .replace(/[\p{Cc}<>]/gu, '')
    .trim();
  return NO_NAME.test(name) ? 'unknown' : name;
}

/** Formats a time as in headers; the present one for a commit whose own is not valid, or after the year 9999. */
const timeOf = (date: Date): string =>
  `${Math.floor((Number.isNaN(date.getTime()) ? Date.now() : date.getTime()) / 1000)} +0000`;

/** Formats a signature for the header of a commit or tag. */
export const signatureLine = ({ name, email, date = new Date() }: Signature): string =>
  `${clean(name)} <${clean(email)}> ${timeOf(date)}`;

function signed(
  role: 'AUTHOR' | 'COMMITTER',
  { name, email, date = new Date() }: Signature,
): Record<string, string> {
  return {
    [`GIT_${role}_NAME`]: clean(name),
    [`GIT_${role}_EMAIL`]: clean(email),
    // Without the sign, git takes few digits, and very many, for other formats.
    [`GIT_${role}_DATE`]: `@${timeOf(date)}`,
  };
}
