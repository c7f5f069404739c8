import { badRequest } from '#kernel/http/errors.js';
import { buildTree, type PathChange } from '../objects/build-tree.js';
import type { ObjectPlace } from '../objects/quarantine.js';
import { writeObjects } from '../objects/write-objects.js';
import { NO_OBJECT } from '../pushes/ref-change.js';
import { gitText } from './git.js';

/** A change of one path of a tree. */
export type TreeChange =
  | { readonly path: string; readonly content: Buffer; readonly mode?: '100644' | '100755' | '120000' }
  /** An object that the repository has already. */
  | { readonly path: string; readonly blob: string; readonly mode: string }
  | { readonly path: string; readonly remove: true };

/** Who stands in a commit, and when. */
export interface Signature {
  readonly name: string;
  readonly email: string;
  /** Default: now. */
  readonly date?: Date;
}

/** A commit to be made. */
export interface NewCommit {
  /** Full ids of the parents; none makes a first commit. */
  readonly parents: readonly string[];
  readonly changes: readonly TreeChange[];
  readonly message: string;
  readonly author: Signature;
  readonly committer: Signature;
}

/** What a path may not have: git's own folder in any spelling that a file system may take for it, and steps upwards. */
const FORBIDDEN_PART = /^(\.{1,2}|(\.git|git~\d+)[ .]*(:.*)?)$/is;
/** Characters that a file system of Apple's takes for nothing. */
const IGNORED = /[\u200c-\u200f\u202a-\u202e\u206a-\u206f\ufeff]/g;

/** A backslash divides paths on other systems. */
const isHarmless = (part: string): boolean =>
  part.split('\\').every((piece) => !FORBIDDEN_PART.test(piece.replace(IGNORED, '')));

const isPart = (part: string): boolean => part !== '' && Buffer.byteLength(part) <= 255 && isHarmless(part);

/** What git itself reads must be a file: it passes over links of these names without a word. */
const NO_LINK = /(^|[\\/])(\.gitmodules|gitmod~\d|gi7eba~\d)[ .]*(:[^/]*)?$/is;

const isRefused = (change: TreeChange): boolean =>
  !isFilePath(change.path) ||
  ('mode' in change && change.mode === '120000' && NO_LINK.test(change.path.replace(IGNORED, '')));

/** Whether a text can be the path of a file in a repository. */
export function isFilePath(path: string): boolean {
  return path !== '' && path.length <= 4096 && !path.includes('\0') && path.split('/').every(isPart);
}

/**
 * Writes a commit whose tree is that of the first parent with the changes made in their order; no ref names it yet.
 * @returns its id. @throws 400 for a path that cannot be, 422 when the folders on the paths are too large
 */
export async function buildCommit(place: ObjectPlace, commit: NewCommit): Promise<string> {
  const refused = commit.changes.find(isRefused);
  if (refused) throw badRequest(`invalid path: '${refused.path.slice(0, 200)}'`);
  const entries = await entriesOf(place, commit.changes);
  const tree = await buildTree(place, commit.parents[0] ?? null, entries);
  return commitTree(place, tree, commit);
}

/** Writes a commit of a tree that is there already. @returns its id */
export function commitTree(
  { path, env }: ObjectPlace,
  tree: string,
  { parents, message, author, committer }: Omit<NewCommit, 'changes'>,
): Promise<string> {
  return gitText(path, ['commit-tree', tree, ...parents.flatMap((id) => ['-p', id])], {
    input: message,
    env: { ...env, ...signed('AUTHOR', author), ...signed('COMMITTER', committer) },
  });
}

/** What the paths are to stand for; contents become blobs. */
async function entriesOf(place: ObjectPlace, changes: readonly TreeChange[]): Promise<PathChange[]> {
  const contents = changes.flatMap((change) => ('content' in change ? change.content : []));
  const ids = (await writeObjects(place, 'blob', contents)).values();
  return changes.map((change) => {
    const { path } = change;
    if ('remove' in change) return { path, entry: null };
    if ('blob' in change) return { path, entry: { mode: change.mode, id: change.blob } };
    return { path, entry: { mode: change.mode ?? '100644', id: ids.next().value ?? NO_OBJECT } };
  });
}

/** Signs that git leaves out at both ends of a name; what consists of them alone it refuses. */
const NO_NAME = /^[\s.,:;"'\\]*$/;

/** Line ends and angle brackets would make other headers of it. */
function clean(text: string): string {
  const name = text.replace(/[\p{Cc}<>]/gu, '').trim();
  return NO_NAME.test(name) ? 'unknown' : name;
}

/** A signature as it stands in the header of a commit or tag. */
export const signatureLine = ({ name, email, date = new Date() }: Signature): string =>
  `${clean(name)} <${clean(email)}> ${Math.floor(date.getTime() / 1000)} +0000`;

function signed(
  role: 'AUTHOR' | 'COMMITTER',
  { name, email, date = new Date() }: Signature,
): Record<string, string> {
  return {
    [`GIT_${role}_NAME`]: clean(name),
    [`GIT_${role}_EMAIL`]: clean(email),
    [`GIT_${role}_DATE`]: `${Math.floor(date.getTime() / 1000)} +0000`,
  };
}
