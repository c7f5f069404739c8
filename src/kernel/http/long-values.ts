import { isUtf8 } from 'node:buffer';

/** Characters of a value from which on the general parser takes too long for it: it looks for escapes by regular expressions, several times. */
const LONG = 64 * 1024;

const PERCENT = 0x25;
const PLUS = 0x2b;
const SPACE = 0x20;

/** What a hexadecimal digit stands for; of others -1. */
const DIGITS = Int8Array.from({ length: 256 }, (_, byte) => {
  const digit = '0123456789abcdef'.indexOf(String.fromCharCode(byte).toLowerCase());
  return byte < 128 ? digit : -1;
});

/** The long values of a form, kept from the parser: it sees names of ours in their places, and is given the values for them. */
export class LongValues {
  private readonly values = new Map<string, string>();

  /** The form with names in the places of its long values. */
  takeFrom(form: string): string {
    if (form.length < LONG) return form;
    return form
      .split('&')
      .map((pair) => (pair.length < LONG ? pair : this.shortened(pair)))
      .join('&');
  }

  get isEmpty(): boolean {
    return this.values.size === 0;
  }

  /** The long value that a name stands for. */
  get(name: string): string | undefined {
    return this.values.get(name);
  }

  private shortened(pair: string): string {
    const end = pair.indexOf('=');
    // A long name is nobody's, whatever it is read as.
    if (end < 0 || end >= LONG) return `${pair.slice(0, 100)}=`;
    const name = `long-value-${this.values.size}`;
    this.values.set(name, unescaped(pair.slice(end + 1)));
    return `${pair.slice(0, end + 1)}${name}`;
  }
}

/** Reads escapes in one pass; a text whose escapes mean nothing is taken as it is, but for its plus signs, as the general parser does. */
function unescaped(text: string): string {
  const bytes = Buffer.from(text, 'utf8');
  let to = 0;
  for (let at = 0; at < bytes.length; at += 1) {
    const byte = bytes[at] as number;
    if (byte === PERCENT) {
      const [high, low] = [DIGITS[bytes[at + 1] ?? 0] as number, DIGITS[bytes[at + 2] ?? 0] as number];
      if (high < 0 || low < 0) return text.replaceAll('+', ' ');
      bytes[to] = high * 16 + low;
      at += 2;
    } else bytes[to] = byte === PLUS ? SPACE : byte;
    to += 1;
  }
  const read = bytes.subarray(0, to);
  return isUtf8(read) ? read.toString('utf8') : text.replaceAll('+', ' ');
}
