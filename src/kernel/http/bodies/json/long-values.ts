import { isUtf8 } from 'node:buffer';
import { setImmediate as nextTurn } from 'node:timers/promises';

/** Charsets that forms may have. */
export type FormCharset = 'utf-8' | 'iso-8859-1';

/** Characters of a value from which on it is kept from the general parser, which goes through a form several times by regular expressions. */
const LONG = 1_024;
/** No parameter has so long a name, whatever is written with escapes in it. */
const LONGEST_NAME = 512;
/** Names of ours begin with half a character, which no text that has come in has. */
const MARK = '\ud800';
/** Bytes that are read until others have their turn. */
const STEP = 1024 * 1024;

const PERCENT = 0x25;
const PLUS = 0x2b;
const SPACE = 0x20;

/** What a hexadecimal digit stands for; of others -1. */
const DIGITS = Int8Array.from({ length: 256 }, (_, byte) => {
  const digit = '0123456789abcdef'.indexOf(String.fromCharCode(byte).toLowerCase());
  return byte < 128 ? digit : -1;
});

/** A form without its long values: the parser sees short names of ours in their places, and asks for what they stand for. */
export class LongValues {
  private readonly raw: string[] = [];
  private readonly values: string[] = [];
  /** What the parser is given. */
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

  /** Reads the long values beforehand; others have their turn after each part of them. */
  async prepare(): Promise<void> {
    for (const [index, raw] of this.raw.entries()) {
      if (!hasEscapes(raw)) continue;
      const reading = new Unescaping(raw, this.charset);
      for (let end = STEP; reading.advance(end); end += STEP) await nextTurn();
      this.values[index] = reading.text();
      await nextTurn();
    }
  }

  /** The text that a part of the form means, or stands for. */
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
 * Reads escapes and plus signs in one pass. Escapes that mean nothing are left alone in ISO 8859-1; in UTF-8 all of such a text is taken as it is,
 * but for its plus signs.
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

  /** Reads up to that byte; whether something is left to read. */
  advance(end: number): boolean {
    const { bytes, isUnicode } = this;
    const last = Math.min(end, bytes.length);
    let { at, to } = this;
    // Nothing is made on the way: for ten million characters that would be garbage to stop for.
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
