import { isUtf8 } from 'node:buffer';
import { setImmediate as nextTurn } from 'node:timers/promises';

/** Accepted charsets of forms. */
export type FormCharset = 'utf-8' | 'iso-8859-1';

/** Longer values bypass the general parser, which scans a form several times with regular expressions. */
const LONG = 1_024;
/** No parameter has a name this long, even if every character is escaped. */
const LONGEST_NAME = 512;
/** Prefix of placeholders: a lone surrogate, which decoded text never contains. */
const MARK = '\ud800';
/** Bytes to decode before yielding to other requests. */
const STEP = 1024 * 1024;

const PERCENT = 0x25;
const PLUS = 0x2b;
const SPACE = 0x20;

/** Value of each hexadecimal digit; -1 for other bytes. */
const DIGITS = Int8Array.from({ length: 256 }, (_, byte) => {
  const digit = '0123456789abcdef'.indexOf(String.fromCharCode(byte).toLowerCase());
  return byte < 128 ? digit : -1;
});

/** A form with its long values replaced by placeholders, which the parser resolves by `read`. */
export class LongValues {
  private readonly raw: string[] = [];
  private readonly values: string[] = [];
  /** The form with placeholders, for the parser. */
  readonly form: string;

  constructor(
    form: string,
    private readonly charset: FormCharset,
  ) {
    this.form =
      form.length < LONG
        ? form
        : form
            .split('&')
            .map((pair) => (pair.length < LONGEST_NAME ? pair : this.shortened(pair)))
            .join('&');
  }

  /** Decodes the long values in advance, yielding to other requests after each step. */
  async prepare(): Promise<void> {
    for (const [index, raw] of this.raw.entries()) {
      if (!hasEscapes(raw)) continue;
      const reading = new Unescaping(raw, this.charset);
      for (let end = STEP; reading.advance(end); end += STEP) await nextTurn();
      this.values[index] = reading.text();
      await nextTurn();
    }
  }

  /** Decodes a part of the form, or returns the long value of a placeholder. */
  read(part: string): string {
    if (!part.startsWith(MARK)) return unescaped(part, this.charset);
    const index = Number(part.slice(1));
    return this.values[index] ?? unescaped(this.raw[index] as string, this.charset);
  }

  private shortened(pair: string): string {
    const end = pair.indexOf('=');
    if (end < 0 || end >= LONGEST_NAME) return '';
    if (pair.length - end <= LONG) return pair;
    this.raw.push(pair.slice(end + 1));
    return `${pair.slice(0, end + 1)}${MARK}${this.raw.length - 1}`;
  }
}

const hasEscapes = (text: string): boolean => text.includes('%') || text.includes('+');

function unescaped(text: string, charset: FormCharset): string {
  if (!hasEscapes(text)) return text;
  const reading = new Unescaping(text, charset);
  reading.advance(Infinity);
  return reading.text();
}

/**
 * Decodes escapes and plus signs in one pass. In ISO 8859-1 invalid escapes are kept as sent; in UTF-8 a text with an invalid escape or
 * an invalid sequence of bytes is kept as a whole, except for its plus signs.
 */
class Unescaping {
  private readonly bytes: Buffer;
  private readonly isUnicode: boolean;
  private at = 0;
  private to = 0;
  private isMeaningless = false;

  constructor(
    private readonly raw: string,
    charset: FormCharset,
  ) {
    this.isUnicode = charset === 'utf-8';
    this.bytes = Buffer.from(raw, this.isUnicode ? 'utf8' : 'latin1');
  }

  /** Decodes up to the byte `end`; true if bytes are left. */
  advance(end: number): boolean {
    const { bytes, isUnicode } = this;
    const last = Math.min(end, bytes.length);
    let { at, to } = this;
    // The loop allocates nothing: garbage for ten million characters would cause long pauses.
    for (; at < last; at += 1) {
      let byte = bytes[at] as number;
      if (byte === PLUS) byte = SPACE;
      else if (byte === PERCENT) {
        const high = digitAt(bytes, at + 1);
        const low = digitAt(bytes, at + 2);
        if (high >= 0 && low >= 0) {
          byte = high * 16 + low;
          at += 2;
        } else if (isUnicode) {
          this.isMeaningless = true;
          return false;
        }
      }
      bytes[to] = byte;
      to += 1;
    }
    this.at = at;
    this.to = to;
    return at < bytes.length;
  }

  text(): string {
    const read = this.bytes.subarray(0, this.to);
    if (!this.isUnicode) return read.toString('latin1');
    return !this.isMeaningless && isUtf8(read) ? read.toString('utf8') : this.raw.replaceAll('+', ' ');
  }
}

const digitAt = (bytes: Buffer, at: number): number => DIGITS[bytes[at] ?? 0] as number;
