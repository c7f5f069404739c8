import { plainObjectOf } from '#kernel/http/plain-object.js';

/** Returns the values of a list, which SDKs send plainly or as `{values: [...]}`. */
export function valuesOf(value: unknown): readonly unknown[] {
  const list = plainObjectOf(value)?.['values'] ?? value;
  if (Array.isArray(list)) return list;
  return plainObjectOf(list) ? [list] : [];
}

/**
 * Reads a text for PostgreSQL: without NULs and lone surrogates, trimmed, of limited length. Null if it is
 * empty or not a text.
 */
export function textOf(value: unknown, maxLength: number): string | null {
  if (typeof value !== 'string') return null;
  // Cut it first: a text may have a million characters, of which only a few are needed.
  const text = value
    .slice(0, 4 * maxLength)
    .replaceAll('\0', '')
    .trim();
  const cut = text.length > maxLength ? `${text.slice(0, maxLength - 1)}…` : text;
  // A surrogate pair may have been cut.
  return cut === '' ? null : cut.toWellFormed().replace('\uFFFD…', '…');
}

const BLANKS = /[\s\p{Cc}]+/gu;

/** Reads it as one line: control characters and runs of blanks become one space. */
export function lineOf(value: unknown, maxLength: number): string | null {
  return typeof value === 'string'
    ? textOf(value.slice(0, 4 * maxLength).replace(BLANKS, ' '), maxLength)
    : null;
}

/** Converts a text, number or boolean to text; null for anything else. */
export function wordOf(value: unknown, maxLength: number): string | null {
  return typeof value === 'number' || typeof value === 'boolean' ? String(value) : textOf(value, maxLength);
}
