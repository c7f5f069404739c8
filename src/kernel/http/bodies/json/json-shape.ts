const QUOTE = 0x22;
const COMMA = 0x2c;
const OPEN_LIST = 0x5b;
const BACKSLASH = 0x5c;
const CLOSE_LIST = 0x5d;
const OPEN_HASH = 0x7b;
const CLOSE_HASH = 0x7d;

/** Limit of nesting, so that recursive functions over the values do not overflow the stack. */
const MAX_JSON_DEPTH = 100;

/** Bytes of a string to scan one by one before searching for its end: a search is far faster in long strings, slower in short ones. */
const SHORT_TEXT = 64;

/** Size of a JSON text, known before it is parsed. */
export interface JsonShape {
  /** Number of values; once parsed, each takes many times the memory of its text. */
  readonly values: number;
  /** Whether it exceeds the limit of nesting. */
  readonly isTooDeep: boolean;
}

/** Counts values and nesting; stops at `enough` values or at the limit of nesting. */
export function jsonShape(json: Buffer, enough = Number.POSITIVE_INFINITY): JsonShape {
  let values = 1;
  let depth = 0;
  for (let at = 0; at < json.length && values < enough; at += 1) {
    switch (json[at]) {
      case QUOTE:
        at = endOfText(json, at + 1);
        break;
      case COMMA:
        values += 1;
        break;
      case OPEN_LIST:
      case OPEN_HASH:
        values += 1;
        depth += 1;
        if (depth > MAX_JSON_DEPTH) return { values, isTooDeep: true };
        break;
      case CLOSE_LIST:
      case CLOSE_HASH:
        depth -= 1;
    }
  }
  return { values, isTooDeep: false };
}

/** Whether JSON exceeds the limit of nesting. */
export const isTooDeep = (json: Buffer): boolean =>
  json.length > 2 * MAX_JSON_DEPTH && jsonShape(json).isTooDeep;

/** Returns the position of the closing quote of a string. */
function endOfText(json: Buffer, start: number): number {
  let at = start;
  for (;;) {
    for (const end = at + SHORT_TEXT; at < end; at += 1) {
      const byte = json[at];
      if (byte === QUOTE || byte === undefined) return at;
      if (byte === BACKSLASH) at += 1;
    }
    const quote = json.indexOf(QUOTE, at);
    if (quote < 0) return json.length;
    let escapes = quote;
    while (escapes > at && json[escapes - 1] === BACKSLASH) escapes -= 1;
    if ((quote - escapes) % 2 === 0) return quote;
    at = quote + 1;
  }
}
