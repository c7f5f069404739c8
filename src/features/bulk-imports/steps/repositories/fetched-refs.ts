import { git } from '#core/repositories/git/git.js';
import { isMisleadingRef } from './remote-refs.js';

/** Folder of fetched refs until they are accepted; hidden from clients. */
const WAITING = 'refs/imports/';

/** Attempts to create refs while others push to the repository. */
const ATTEMPTS = 3;

/** Creating or removing tens of thousands of refs, each of which is flushed to the disk. */
const MANY = { timeoutMs: 1_800_000, kind: 'long' } as const;

/** Refs of a source that are fetched together. */
export interface RefKind {
  readonly patterns: readonly string[];
  /** Folders of refs here that they may not collide with. */
  readonly folders: readonly string[];
  isAllowed(name: string): boolean;
}

/** Branches and tags. */
export const BRANCHES_AND_TAGS: RefKind = {
  patterns: ['refs/heads/*', 'refs/tags/*'],
  folders: ['refs/heads/', 'refs/tags/'],
  isAllowed: (name) => !isMisleadingRef(name),
};

/** Heads of merge requests: if these were squashed or their source branch was removed, no branch has their commits. */
export const MERGE_REQUEST_HEADS: RefKind = {
  patterns: ['refs/merge-requests/*/head'],
  folders: ['refs/merge-requests/'],
  isAllowed: (name) => /^refs\/merge-requests\/[1-9]\d{0,9}\/head$/.test(name),
};

/** Returns the refspecs that fetch refs of a source into a separate folder. */
export const intoFolder = (folder: string, { patterns }: RefKind): readonly string[] =>
  patterns.map((pattern) => `+${pattern}:${folder}${pattern}`);

/** Returns the folder for the refs of a fetch with this id. */
export const folderOf = (id: string): string => `${WAITING}${id}/`;

/**
 * Creates the fetched refs with allowed names. Existing refs are not changed, as they may be
 * protected. Returns the names that exist with another commit, or that conflict with another ref.
 */
export async function acceptRefs(
  path: string,
  folder: string,
  kind: RefKind,
  attempt = 1,
): Promise<string[]> {
  const fetched = await refsIn(path, folder);
  const known = await refsIn(path, ...kind.folders);
  const folders = new Set([...known.keys()].flatMap(foldersOf));
  const taken: string[] = [];
  const made: string[] = [];
  for (const [ref, id] of fetched) {
    const name = ref.slice(folder.length);
    const shown = bytesOf(name).toString('utf8');
    if (!kind.isAllowed(shown) || known.get(name) === id) continue;
    const isFree = !known.has(name) && !folders.has(name) && !foldersOf(name).some((one) => known.has(one));
    if (isFree) made.push(`create ${name}\0${id}\0`);
    else taken.push(shown);
  }
  if (made.length === 0) return taken;
  try {
    await git(path, ['update-ref', '-z', '--stdin'], { input: bytesOf(made.join('')), ...MANY });
    return taken;
  } catch (error) {
    // One of them may just have been pushed: then it is among the known ones.
    if (attempt === ATTEMPTS) throw error;
    return acceptRefs(path, folder, kind, attempt + 1);
  }
}

/** Removes fetched refs: those of one folder, or of all runs that were lost. */
export async function dropFetched(path: string, folder = WAITING): Promise<void> {
  const refs = await refsIn(path, folder);
  if (refs.size === 0) return;
  const input = [...refs.keys()].map((ref) => `delete ${ref}\0\0`).join('');
  await git(path, ['update-ref', '--no-deref', '-z', '--stdin'], { input: bytesOf(input), ...MANY });
}

/** Names here are bytes in latin1: a source may have names that are not UTF-8. */
const bytesOf = (name: string): Buffer => Buffer.from(name, 'latin1');

/** Returns the objects of refs by name; names contain neither blanks nor line ends. */
async function refsIn(path: string, ...folders: readonly string[]): Promise<ReadonlyMap<string, string>> {
  const output = await git(path, ['for-each-ref', '--format=%(objectname) %(refname)', ...folders]);
  const lines = output.toString('latin1').split('\n').filter(Boolean);
  return new Map(lines.map((line) => [line.slice(line.indexOf(' ') + 1), line.slice(0, line.indexOf(' '))]));
}

/** Returns the folders above a ref. */
function foldersOf(ref: string): string[] {
  const parts = ref.split('/');
  return parts.slice(1).map((_, at) => parts.slice(0, at + 1).join('/'));
}
