import { RANKS, type EntryType, type TreeToken } from './tree-token.js';

/** An entry as listed by git; `path` has one character per byte. */
export interface RawEntry {
  readonly mode: string;
  readonly type: EntryType;
  readonly id: string;
  readonly path: string;
}

/** Names sort by their bytes, folders as if followed by a slash. */
const keyOf = ({ type, path }: Pick<RawEntry, 'type' | 'path'>): string =>
  type === 'tree' ? `${path}/` : path;

/** Keeps as many entries of each type as a page can need, while git lists them. */
export class TreeWindow {
  total = 0;
  private readonly kept = new Map<EntryType, RawEntry[]>(RANKS.map((type) => [type, []]));
  private isTokenFound: boolean;
  /** The first type on the page. */
  private first: EntryType;

  /** Keeps `limit` entries of each type, after `token` if given. */
  constructor(
    private readonly limit: number,
    private readonly token: TreeToken | null = null,
  ) {
    this.isTokenFound = token === null || !('id' in token);
    this.first = token && 'type' in token ? token.type : RANKS[0];
  }

  /** Whether further output of git cannot change the page. */
  get isFull(): boolean {
    return this.isTokenFound && (this.kept.get(this.first)?.length ?? 0) >= this.limit;
  }

  /** Adds a line of git's output. */
  add(line: Buffer): void {
    this.total += 1;
    const list = this.kept.get(typeOf(line)) as RawEntry[];
    // Skip parsing most lines of a large tree.
    if (this.isTokenFound && list.length >= this.limit) return;
    const entry = parse(line);
    if (this.token && 'id' in this.token) {
      if (!this.isTokenFound && this.token.id === entry.id) this.beginBehind(entry);
      else this.keep(entry);
    } else if (!this.token || isBehind(entry, this.token)) this.keep(entry);
  }

  /** Returns the kept entries in order. @returns null if the token matches none of them */
  entries(): RawEntry[] | null {
    return this.isTokenFound ? RANKS.flatMap((type) => this.kept.get(type) ?? []) : null;
  }

  private keep(entry: RawEntry): void {
    const list = this.kept.get(entry.type);
    if (list && list.length < this.limit) list.push(entry);
  }

  /** Drops everything before this entry. */
  private beginBehind({ type }: RawEntry): void {
    this.isTokenFound = true;
    this.first = type;
    for (const before of RANKS.slice(0, RANKS.indexOf(type))) this.kept.set(before, []);
    this.kept.set(type, []);
  }
}

/** Length of the mode before the type. */
const MODE = '040000 '.length;
const [TREE, COMMIT] = [0x74, 0x63];

/** The first letter determines the type. */
const typeOf = (line: Buffer): EntryType =>
  line[MODE] === TREE ? 'tree' : line[MODE] === COMMIT ? 'commit' : 'blob';

function parse(line: Buffer): RawEntry {
  const text = line.toString('latin1');
  const tab = text.indexOf('\t');
  const [mode = '', , id = ''] = text.slice(0, tab).split(' ');
  return { mode, type: typeOf(line), id, path: text.slice(tab + 1) };
}

function isBehind(entry: RawEntry, token: Pick<RawEntry, 'type' | 'path'>): boolean {
  const rank = RANKS.indexOf(entry.type) - RANKS.indexOf(token.type);
  return rank > 0 || (rank === 0 && keyOf(entry) > keyOf(token));
}
