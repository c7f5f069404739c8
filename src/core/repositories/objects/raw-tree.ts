/** An entry of a tree. */
export interface Entry {
  /** In the notation of trees: `40000` for a folder, `160000` for a submodule. */
  readonly mode: string;
  /** Full id. */
  readonly id: string;
}

/** Mode of folders. */
export const FOLDER = '40000';

const ID_BYTES = 20;
const BLANK = 0x20;
const KIND = 0o170000;
const IS_FOLDER = 0o040000;
const IS_FILE = 0o100000;
const IS_LINK = 0o120000;
const IS_EXECUTABLE = 0o100;

/**
 * Returns the mode that git takes it for: old programs wrote leading zeros, and git accepts pushes with any
 * rights, such as `40755`.
 */
function usualMode(mode: string): string {
  const bits = Number.parseInt(mode, 8);
  switch (bits & KIND) {
    case IS_FOLDER:
      return FOLDER;
    case IS_FILE:
      return (bits & IS_EXECUTABLE) === 0 ? '100644' : '100755';
    case IS_LINK:
      return '120000';
    default:
      return '160000';
  }
}

type OnEntry = (name: string, mode: string, start: number, end: number) => void;

/** Visits the entries of a tree object; names are bytes in latin1, modes those that git takes them for. */
function forEachEntry(tree: Buffer, onEntry: OnEntry): void {
  for (let start = 0; start < tree.length;) {
    const blank = tree.indexOf(BLANK, start);
    const nul = tree.indexOf(0, blank);
    const end = nul + 1 + ID_BYTES;
    if (blank < 0 || nul < 0 || end > tree.length) return;
    const mode = usualMode(tree.toString('latin1', start, blank));
    onEntry(tree.toString('latin1', blank + 1, nul), mode, start, end);
    start = end;
  }
}

/** Returns the entries with these names. */
export function findInTree(tree: Buffer, names: Pick<ReadonlySet<string>, 'has'>): Map<string, Entry> {
  const found = new Map<string, Entry>();
  forEachEntry(tree, (name, mode, _start, end) => {
    if (names.has(name)) found.set(name, { mode, id: tree.toString('hex', end - ID_BYTES, end) });
  });
  return found;
}

/** Git orders folders as if their names ended with a slash. */
const orderOf = (name: string, mode: string): string => name + (mode === FOLDER ? '/' : '\0');

const bytesOf = (name: string, { mode, id }: Entry): Buffer =>
  Buffer.concat([Buffer.from(`${mode} ${name}\0`, 'latin1'), Buffer.from(id, 'hex')]);

/** Replaces or (null) removes some entries of a tree; copies all others unchanged. */
export function editTree(tree: Buffer, edits: ReadonlyMap<string, Entry | null>): Buffer {
  const added = [...edits]
    .flatMap(([name, entry]) => (entry ? [[orderOf(name, entry.mode), bytesOf(name, entry)] as const] : []))
    .sort(([one], [other]) => (one < other ? -1 : 1));
  const pieces: Buffer[] = [];
  let kept = 0;
  let next = 0;
  const keepUpTo = (at: number): void => {
    pieces.push(tree.subarray(kept, at));
    kept = at;
  };
  forEachEntry(tree, (name, mode, start, end) => {
    if (edits.has(name)) {
      keepUpTo(start);
      kept = end;
      return;
    }
    const order = orderOf(name, mode);
    for (; next < added.length; next += 1) {
      const [sortKey, bytes] = added[next] as readonly [string, Buffer];
      if (sortKey > order) break;
      keepUpTo(start);
      pieces.push(bytes);
    }
  });
  keepUpTo(tree.length);
  return Buffer.concat([...pieces, ...added.slice(next).map(([, bytes]) => bytes)]);
}
