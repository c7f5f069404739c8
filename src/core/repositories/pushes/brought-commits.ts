import { readLinks } from '../objects/commit-links.js';
import { readLooseObject } from '../objects/loose-object.js';
import { actionOf, type RefChange } from './ref-change.js';

/** A commit of a push. */
export interface BroughtCommit {
  readonly id: string;
  readonly message: string;
  /** As in git: the first paragraph on one line. */
  readonly title: string;
  readonly tree: string;
}

interface ReadCommit extends BroughtCommit {
  readonly parents: readonly string[];
}

/** Limits of changes examined, and of commits each: git unpacks no more objects of a push. */
const MAX_CHANGES = 5;
const MAX_COMMITS = 100;

/**
 * The commits of a small push, read from the objects that git unpacked, without a process. Anything else must
 * be read with git.
 */
export class BroughtCommits {
  static readonly none = new BroughtCommits(new Map(), new Map());

  private constructor(
    private readonly lines: ReadonlyMap<string, readonly BroughtCommit[]>,
    private readonly roots: ReadonlyMap<string, ReadonlySet<string>>,
  ) {}

  /** Reads the folder of new objects; undefined or empty if there is none. */
  static async read(folder: string | undefined, changes: readonly RefChange[]): Promise<BroughtCommits> {
    if (folder === undefined || folder === '') return BroughtCommits.none;
    const lines = new Map<string, readonly BroughtCommit[]>();
    const roots = new Map<string, ReadonlySet<string>>();
    const moved = changes.filter((change) => actionOf(change) === 'pushed');
    for (const change of moved.slice(0, MAX_CHANGES)) {
      const line = await readLine(folder, change);
      const [newest] = line ?? [];
      if (!line || !newest) continue;
      lines.set(keyOf(change), line);
      const root = await readLooseObject(folder, newest.tree);
      if (root?.type === 'tree') roots.set(newest.id, namesIn(root.content));
    }
    return new BroughtCommits(lines, roots);
  }

  /**
   * Returns the commits between the old and new value of the ref, newest first, if they form a line; null if
   * unknown.
   */
  lineOf(change: RefChange): readonly BroughtCommit[] | null {
    return this.lines.get(keyOf(change)) ?? null;
  }

  /** Returns whether the root tree of the commit is known. */
  knowsRoot(commit: string): boolean {
    return this.roots.has(commit);
  }

  /** Returns whether the root tree is known and has no entry of this name. */
  lacks(commit: string, name: string): boolean {
    return this.roots.get(commit)?.has(name) === false;
  }
}

const keyOf = ({ before, after }: RefChange): string => `${before} ${after}`;

/** A merge has several lines: git must count its commits. */
async function readLine(folder: string, { before, after }: RefChange): Promise<readonly ReadCommit[] | null> {
  const line: ReadCommit[] = [];
  for (let id = after; line.length < MAX_COMMITS;) {
    const object = await readLooseObject(folder, id);
    const commit = object?.type === 'commit' ? parseCommit(id, object.content.toString('utf8')) : null;
    const [parent] = commit?.parents ?? [];
    if (!commit || parent === undefined || commit.parents.length > 1) return null;
    line.push(commit);
    if (parent === before) return line;
    id = parent;
  }
  return null;
}

/** Parses a commit; null if only git can read it: another encoding, or an invalid header. */
function parseCommit(id: string, text: string): ReadCommit | null {
  const end = text.indexOf('\n\n');
  const head = end < 0 ? text : text.slice(0, end);
  const links = readLinks(head);
  if (!links || /^encoding /m.test(head)) return null;
  const message = end < 0 ? '' : text.slice(end + 2);
  return { id, ...links, message, title: titleOf(message) };
}

function titleOf(message: string): string {
  const lines = message.split('\n').map((line) => line.trimEnd());
  const first = lines.findIndex((line) => line !== '');
  const rest = first < 0 ? [] : lines.slice(first);
  const blank = rest.indexOf('');
  return (blank < 0 ? rest : rest.slice(0, blank)).join(' ');
}

const ID_BYTES = 20;

/** Format of each entry: its mode, a blank, its name, a NUL, its id. */
function namesIn(tree: Buffer): ReadonlySet<string> {
  const names = new Set<string>();
  for (let at = 0; at < tree.length;) {
    const end = tree.indexOf(0, at);
    // Git has already checked it; stop at data that is not a tree.
    if (end < 0) break;
    names.add(tree.toString('utf8', tree.indexOf(0x20, at) + 1, end));
    at = end + 1 + ID_BYTES;
  }
  return names;
}
