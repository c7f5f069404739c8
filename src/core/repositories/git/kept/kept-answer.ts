/** What is asked of an object: what it is, or what it holds as well. */
export interface KeptQuestion {
  readonly command: 'info' | 'contents';
  /** As `git cat-file` takes it; without a NUL. */
  readonly name: string;
}

/** An object that is there. */
export interface KeptObject {
  /** Full id. */
  readonly id: string;
  readonly type: 'commit' | 'tree' | 'blob' | 'tag';
  /** Bytes. */
  readonly size: number;
  /** Empty where only what it is was asked for. */
  readonly content: Buffer;
}

/** The answer at the beginning of what git has written, null for an object that is missing, and its length. */
export interface ReadAnswer {
  readonly object: KeptObject | null;
  readonly length: number;
}

/** More than that is read by a process of its own; git writes what is smaller than its streams at once, so no complaint comes in between. */
export const MAX_KEPT_CONTENT = 1024 * 1024;

const LINE_END = 0x0a;
const HEAD = /^([0-9a-f]{40}) (commit|tree|blob|tag) (\d+)$/;
const MAX_HEAD = 128;
const NOTHING = Buffer.alloc(0);

/** Reads the answer to a question; null when it is not whole yet, 'strange' for anything else that git says: then its answers are not to be had. */
export function readAnswer(said: Buffer, { command, name }: KeptQuestion): ReadAnswer | 'strange' | null {
  // What is missing is repeated, line ends and all.
  const missing = Buffer.from(`${name} missing\n`);
  if (said.subarray(0, missing.length).equals(missing)) return { object: null, length: missing.length };
  const end = said.subarray(0, MAX_HEAD).indexOf(LINE_END);
  const [, id, type, digits] = HEAD.exec(end < 0 ? '' : said.toString('latin1', 0, end)) ?? [];
  if (id === undefined) {
    const isBegun = said.length < missing.length && missing.subarray(0, said.length).equals(said);
    return isBegun || (end < 0 && said.length < MAX_HEAD) ? null : 'strange';
  }
  const size = Number(digits);
  const known = { id, type: type as KeptObject['type'], size };
  if (command === 'info') return { object: { ...known, content: NOTHING }, length: end + 1 };
  if (size > MAX_KEPT_CONTENT) return 'strange';
  const last = end + 1 + size;
  if (said.length <= last) return null;
  if (said[last] !== LINE_END) return 'strange';
  // Parts of a larger buffer would hold all of it.
  return { object: { ...known, content: Buffer.from(said.subarray(end + 1, last)) }, length: last + 1 };
}
