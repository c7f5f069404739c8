import { setImmediate as nextTurn } from 'node:timers/promises';
import { jsonShape } from './json-shape.js';

/** Bytes that are examined or parsed before others have a turn. */
const AT_ONCE = 256 * 1024;
/** Levels of lists and hashes that are each larger than that: every level is examined again. */
const MAX_LEVELS = 8;
/** Members of a large hash: the time to make room for more of them cannot be divided. */
const MAX_MEMBERS = 100_000;

const QUOTE = 0x22;
const COMMA = 0x2c;
const COLON = 0x3a;
const BACKSLASH = 0x5c;
const SMALL_U = 0x75;
const OPEN_LIST = 0x5b;
const CLOSE_LIST = 0x5d;
const OPEN_HASH = 0x7b;
const CLOSE_HASH = 0x7d;

/** Thrown for JSON beyond a limit. */
export class JsonTooLarge extends Error {
  constructor(readonly limit: 'values' | 'depth') {
    super(`The JSON exceeds the limit of ${limit}`);
  }
}

/** Parses JSON like `JSON.parse`, in pieces between which others have a turn. @throws SyntaxError, JsonTooLarge */
export async function parseInTurns(json: Buffer, maxValues: number): Promise<unknown> {
  return new Parsing(maxValues).value(trimmed(json), 0);
}

class Parsing {
  private left: number;

  constructor(maxValues: number) {
    this.left = maxValues;
  }

  async value(json: Buffer, level: number): Promise<unknown> {
    if (json.length <= AT_ONCE) return this.piece(json);
    const [first, last] = [json[0], json.at(-1)];
    if (first === QUOTE) return this.text(json);
    if (level > MAX_LEVELS) throw new JsonTooLarge('depth');
    if (first === OPEN_LIST && last === CLOSE_LIST) return this.list(json, level);
    if (first === OPEN_HASH && last === CLOSE_HASH) return this.hash(json, level);
    throw new SyntaxError('Neither a value nor a text');
  }

  /** Parses what is small enough, once it is known to be within the limits. */
  private piece(json: Buffer): unknown {
    const { values, isTooDeep } = jsonShape(json, this.left + 1);
    this.left -= values;
    if (isTooDeep) throw new JsonTooLarge('depth');
    if (this.left < 0) throw new JsonTooLarge('values');
    return JSON.parse(json.toString('utf8'));
  }

  private async list(json: Buffer, level: number): Promise<unknown[]> {
    const all: unknown[] = [];
    for await (const part of partsOf(json)) {
      if (part.length > AT_ONCE) all.push(await this.value(part, level + 1));
      else for (const item of this.piece(within('[', part, ']')) as unknown[]) all.push(item);
    }
    return all;
  }

  private async hash(json: Buffer, level: number): Promise<Record<string, unknown>> {
    const all: Record<string, unknown> = {};
    let count = 0;
    for await (const part of partsOf(json)) {
      if (part.length > AT_ONCE) {
        const [key, value] = memberOf(part);
        set(all, key, await this.value(value, level + 1));
      } else {
        const members = this.piece(within('{', part, '}')) as Record<string, unknown>;
        const keys = Object.keys(members);
        count += keys.length;
        if (count > MAX_MEMBERS) throw new JsonTooLarge('values');
        for (const key of keys) set(all, key, members[key]);
      }
    }
    return all;
  }

  private async text(json: Buffer): Promise<string> {
    let text = '';
    const end = json.length - 1;
    if (json[end] !== QUOTE) throw new SyntaxError('A text without an end');
    for (let from = 1, to = 1; from < end; from = to) {
      // Neither an escape nor a character may be divided.
      while (to < end && to - from < AT_ONCE)
        if (json[to] !== BACKSLASH) to += 1;
        else to += json[to + 1] === SMALL_U ? 6 : 2;
      while (to < end && ((json[to] ?? 0) & 0xc0) === 0x80) to += 1;
      if (to > end) throw new SyntaxError('A text without an end');
      text += JSON.parse(`"${json.toString('utf8', from, to)}"`) as string;
      await nextTurn();
    }
    return text;
  }
}

/** Divides the content of a list or hash at commas, into parts of at most `AT_ONCE` bytes unless one item is larger. */
async function* partsOf(json: Buffer): AsyncGenerator<Buffer> {
  const end = json.length - 1;
  let [depth, isText, pause] = [0, false, AT_ONCE];
  let [from, comma] = [1, 0];
  for (let at = 1; at <= end; at += 1) {
    if (at >= pause) {
      await nextTurn();
      pause = at + AT_ONCE;
    }
    const byte = json[at];
    if (isText) {
      if (byte === BACKSLASH) at += 1;
      else if (byte === QUOTE) isText = false;
    } else if (byte === QUOTE) isText = true;
    else if (byte === OPEN_LIST || byte === OPEN_HASH) depth += 1;
    else if (at < end && (byte === CLOSE_LIST || byte === CLOSE_HASH)) depth -= 1;
    else if (at === end || (byte === COMMA && depth === 0)) {
      if (at - from > AT_ONCE && comma > from) {
        yield filled(json.subarray(from, comma));
        from = comma + 1;
      }
      if (at === end) {
        const rest = json.subarray(from, at);
        yield from === 1 ? trimmed(rest) : filled(rest);
        return;
      }
      if (at - from > AT_ONCE) {
        yield filled(json.subarray(from, at));
        from = at + 1;
      }
      comma = at;
    }
  }
  throw new SyntaxError('A text without an end');
}

/** Nothing between two commas is an error, which an empty list or hash would hide. */
function filled(part: Buffer): Buffer {
  const value = trimmed(part);
  if (value.length === 0) throw new SyntaxError('No value between commas');
  return value;
}

function memberOf(part: Buffer): [key: string, value: Buffer] {
  let end = 1;
  while (end < part.length && part[end] !== QUOTE) end += part[end] === BACKSLASH ? 2 : 1;
  const rest = trimmed(part.subarray(end + 1));
  if (part[0] !== QUOTE || rest[0] !== COLON) throw new SyntaxError('A member without a name');
  return [JSON.parse(part.toString('utf8', 0, end + 1)) as string, trimmed(rest.subarray(1))];
}

const within = (open: string, part: Buffer, close: string): Buffer =>
  Buffer.concat([Buffer.from(open), part, Buffer.from(close)]);

/** Like `JSON.parse`, which does not change the prototype. */
function set(target: Record<string, unknown>, key: string, value: unknown): void {
  if (key !== '__proto__') target[key] = value;
  else Object.defineProperty(target, key, { value, enumerable: true, writable: true, configurable: true });
}

/** Removes the white space that JSON allows. */
function trimmed(json: Buffer): Buffer {
  const isBlank = (byte: number | undefined): boolean =>
    byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09;
  let [from, to] = [0, json.length];
  while (from < to && isBlank(json[from])) from += 1;
  while (to > from && isBlank(json[to - 1])) to -= 1;
  return json.subarray(from, to);
}
