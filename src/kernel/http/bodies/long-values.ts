import { isUtf8 } from 'node:buffer';

/** Charsets that forms may have. */
export type FormCharset = 'utf-8' | 'iso-8859-1';

/** Characters of a value from which on it is kept from the general parser, which goes through a form several times by regular expressions. */
const LONG = 1_024;
/** No parameter has so long a name, whatever is written with escapes in it. */
const LONGEST_NAME = 512;
/** Names of ours begin with half a character, which no text that has come in has. */
const MARK = '\ud800';

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

  /** The text that a part of the form means, or stands for. */
  read(part: string): string {
    if (part.startsWith(MARK)) return this.values[Number(part.slice(1))] as string;
    return unescaped(part, this.charset);
  }

  private shortened(pair: string): string {
    const end = pair.indexOf('=');
    if (end < 0 || end >= LONGEST_NAME) return '';
    if (pair.length - end <= LONG) return pair;
    this.values.push(unescaped(pair.slice(end + 1), this.charset));
    return `${pair.slice(0, end + 1)}${MARK}${this.values.length - 1}`;
  }
}

/**
 * Reads escapes and plus signs in one pass. Escapes that mean nothing are left alone in ISO 8859-1; in UTF-8 all of such a text is taken as it is,
 * but for its plus signs.
 */
function unescaped(text: string, charset: FormCharset): string {
  if (!text.includes('%') && !text.includes('+')) return text;
  const isUnicode = charset === 'utf-8';
  const bytes = Buffer.from(text, isUnicode ? 'utf8' : 'latin1');
  let to = 0;
  // Nothing is made on the way: for ten million characters that would be garbage to stop for.
  for (let at = 0; at < bytes.length; at += 1) {
    let byte = bytes[at] as number;
    if (byte === PLUS) byte = SPACE;
    else if (byte === PERCENT) {
      const high = digitAt(bytes, at + 1);
      const low = digitAt(bytes, at + 2);
      if (high >= 0 && low >= 0) {
        byte = high * 16 + low;
        at += 2;
      } else if (isUnicode) return text.replaceAll('+', ' ');
    }
    bytes[to] = byte;
    to += 1;
  }
  const read = bytes.subarray(0, to);
  if (!isUnicode) return read.toString('latin1');
  return isUtf8(read) ? read.toString('utf8') : text.replaceAll('+', ' ');
}

const digitAt = (bytes: Buffer, at: number): number => DIGITS[bytes[at] ?? 0] as number;
