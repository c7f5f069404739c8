/** A hash of the payload, or null for anything else. */
export const hashOf = (value: unknown): Readonly<Record<string, unknown>> | null =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as Record<string, unknown>)
    : null;

/** The values of a list that SDKs write either bare or as `{values: [...]}`. */
export function valuesOf(value: unknown): readonly unknown[] {
  const list = hashOf(value)?.['values'] ?? value;
  if (Array.isArray(list)) return list;
  return hashOf(list) ? [list] : [];
}

/**
 * A text that the database takes: without NULs, whole characters, no blanks around it, of bounded length. Null where nothing is left, or
 * where there is no text.
 */
export function textOf(value: unknown, maxLength: number): string | null {
  if (typeof value !== 'string') return null;
  // Cut first: a text may have a million characters, and a few of them are all that is wanted.
  const text = value
    .slice(0, 4 * maxLength)
    .replaceAll('\0', '')
    .trim();
  const cut = text.length > maxLength ? `${text.slice(0, maxLength - 1)}…` : text;
  // A character of two halves may have been cut in the middle.
  return cut === '' ? null : cut.toWellFormed().replace('\uFFFD…', '…');
}

const BLANKS = /[\s\p{Cc}]+/gu;

/** The same on one line: control characters and runs of blanks become one space. */
export function lineOf(value: unknown, maxLength: number): string | null {
  return typeof value === 'string'
    ? textOf(value.slice(0, 4 * maxLength).replace(BLANKS, ' '), maxLength)
    : null;
}

/** A text of a text, number or boolean; null for everything else. */
export function wordOf(value: unknown, maxLength: number): string | null {
  return typeof value === 'number' || typeof value === 'boolean' ? String(value) : textOf(value, maxLength);
}
