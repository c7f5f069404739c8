import { tooLarge } from '#kernel/http/bodies/bounded-body.js';
import { countValues } from '#kernel/http/bodies/json/json-values.js';
import { isPlainObject, type PlainObject } from '#kernel/http/plain-object.js';

/** A hash in JSON. */

/** An item of an envelope. */
export interface EnvelopeItem {
  readonly type: string;
  readonly payload: Buffer;
}

/** Format of SDKs: a header line, then items of a header line and a payload. */
export interface Envelope {
  readonly header: PlainObject;
  /** Parsed on demand; null asks to yield to the event loop first. @throws 413 if there are too many */
  readonly items: Iterable<EnvelopeItem | null>;
}

/** Limit of items; far above what SDKs send. */
const MAX_ITEMS = 1_000;
/** Limits of header lines, in bytes and in values. */
const MAX_HEADER_BYTES = 64 * 1024;
const MAX_HEADER_VALUES = 1_000;
/** Limit of lines skipped in search of items. */
const MAX_PASSED = 1_000_000;
/** Bytes read between two yields to the event loop, whatever they are. */
const BYTES_A_TURN = 256 * 1024;

const TAB = 0x09;
const LINE_FEED = 0x0a;
const CARRIAGE_RETURN = 0x0d;
const BLANK = 0x20;
const BRACE = 0x7b;

/**
 * Opens an envelope; null if the first line is not a JSON object. Invalid items do not hide others: a length
 * that does not end at a line end is ignored, and the payload then ends with its line; lines that are not
 * item headers are skipped.
 */
export function openEnvelope(body: Buffer): Envelope | null {
  const end = lineEnd(body, 0);
  const header = headerAt(body, 0, end);
  return header ? { header, items: { [Symbol.iterator]: () => itemsOf(body, end + 1) } } : null;
}

function* itemsOf(body: Buffer, start: number): Generator<EnvelopeItem | null> {
  let seen = 0;
  let passed = 0;
  let turn = start + BYTES_A_TURN;
  for (let at = start; at < body.length;) {
    if (at > turn) {
      yield null;
      turn = at + BYTES_A_TURN;
    }
    const end = body[at] === LINE_FEED ? at : lineEnd(body, at);
    const isHeader = startsHash(body, at, end);
    const header = isHeader ? headerAt(body, at, end) : null;
    at = end + 1;
    if (isHeader) seen += 1;
    else passed += 1;
    if (seen > MAX_ITEMS || passed > MAX_PASSED) throw tooLarge();
    if (typeof header?.['type'] !== 'string') continue;
    const payloadEnd = endOfPayload(body, at, header['length']);
    yield { type: header['type'], payload: body.subarray(at, payloadEnd) };
    at = payloadEnd + 1;
  }
}

/** Returns the offset of the next line feed, or of the end. */
function lineEnd(body: Buffer, start: number): number {
  const found = body.indexOf(LINE_FEED, start);
  return found < 0 ? body.length : found;
}

/** Returns whether the line can be a header, to avoid parsing most other lines. */
function startsHash(body: Buffer, start: number, end: number): boolean {
  for (let at = start; at < end; at += 1) {
    const byte = body[at];
    if (byte !== BLANK && byte !== TAB && byte !== CARRIAGE_RETURN) return byte === BRACE;
  }
  return false;
}

function headerAt(body: Buffer, start: number, end: number): PlainObject | null {
  const line = body.subarray(start, end);
  if (line.length > MAX_HEADER_BYTES) return null;
  if (countValues(line, MAX_HEADER_VALUES + 1) > MAX_HEADER_VALUES) return null;
  try {
    const value: unknown = JSON.parse(line.toString('utf8'));
    return isPlainObject(value) ? value : null;
  } catch {
    return null;
  }
}

function endOfPayload(body: Buffer, start: number, length: unknown): number {
  if (typeof length === 'number' && Number.isSafeInteger(length) && length >= 0) {
    const end = start + length;
    if (end === body.length || (end < body.length && endsLine(body, end))) return end;
  }
  return lineEnd(body, start);
}

const endsLine = (body: Buffer, at: number): boolean =>
  body[at] === LINE_FEED || (body[at] === CARRIAGE_RETURN && body[at + 1] === LINE_FEED);
