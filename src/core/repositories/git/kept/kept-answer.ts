/** A request for an object: its type and size, or also its content. */
export interface KeptQuestion {
  readonly command: 'info' | 'contents';
  /** In the syntax of `git cat-file`; without a NUL. */
  readonly name: string;
}

/** An existing object. */
export interface KeptObject {
  /** Full id. */
  readonly id: string;
  readonly type: 'commit' | 'tree' | 'blob' | 'tag';
  /** In bytes. */
  readonly size: number;
  /** Empty if only the type and size were requested. */
  readonly content: Buffer;
}

/** The answer at the start of git's output, null if the object is missing, and its length. */
export interface ReadAnswer {
  readonly object: KeptObject | null;
  readonly length: number;
}

/**
 * Larger contents use a separate process. Git writes smaller ones in one piece, so no message gets between
 * them.
 */
export const MAX_KEPT_CONTENT = 1024 * 1024;

const LINE_END = 0x0a;
const HEAD = /^([0-9a-f]{40}) (commit|tree|blob|tag) (\d+)$/;
const MAX_HEAD = 128;
const NOTHING = Buffer.alloc(0);

/**
 * Parses an answer; null if it is incomplete, 'strange' for any unexpected output: the answers are then
 * unusable.
 */
export function readAnswer(said: Buffer, { command, name }: KeptQuestion): ReadAnswer | 'strange' | null {
  // For a missing object git repeats the name, including its line ends.
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
  // Copy it: a slice would keep the whole buffer alive.
  return { object: { ...known, content: Buffer.from(said.subarray(end + 1, last)) }, length: last + 1 };
}
