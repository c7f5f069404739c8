import { RANKS, type EntryType, type TreeToken } from './tree-token.js';

/** An entry as git lists it; `path` holds one character for each byte. */
export interface RawEntry {
  readonly mode: string;
  readonly type: EntryType;
  readonly id: string;
  readonly path: string;
}

/** Names sort by their bytes, folders as if a slash followed. */
const keyOf = ({ type, path }: Pick<RawEntry, 'type' | 'path'>): string =>
  type === 'tree' ? `${path}/` : path;

/** Holds so many entries of each type as a page can need, while git lists all of them. */
export class TreeWindow {
  total = 0;
  private readonly kept = new Map<EntryType, RawEntry[]>(RANKS.map((type) => [type, []]));
  private isTokenFound: boolean;

  /** `limit` entries of each type are held, behind `token` where there is one. */
  constructor(
    private readonly limit: number,
    private readonly token: TreeToken | null = null,
  ) {
    this.isTokenFound = token === null || !('id' in token);
  }

  add(entry: RawEntry): void {
    this.total += 1;
    if (this.token && 'id' in this.token) {
      if (!this.isTokenFound && this.token.id === entry.id) this.beginBehind(entry);
      else this.keep(entry);
    } else if (!this.token || isBehind(entry, this.token)) this.keep(entry);
  }

  /** The entries in their order, as far as they are held. @returns null when the token names none of them */
  entries(): RawEntry[] | null {
    return this.isTokenFound ? RANKS.flatMap((type) => this.kept.get(type) ?? []) : null;
  }

  private keep(entry: RawEntry): void {
    const list = this.kept.get(entry.type);
    if (list && list.length < this.limit) list.push(entry);
  }

  /** Everything before this entry falls out of the page. */
  private beginBehind({ type }: RawEntry): void {
    this.isTokenFound = true;
    for (const before of RANKS.slice(0, RANKS.indexOf(type))) this.kept.delete(before);
    this.kept.set(type, []);
  }
}

function isBehind(entry: RawEntry, token: Pick<RawEntry, 'type' | 'path'>): boolean {
  const rank = RANKS.indexOf(entry.type) - RANKS.indexOf(token.type);
  return rank > 0 || (rank === 0 && keyOf(entry) > keyOf(token));
}
