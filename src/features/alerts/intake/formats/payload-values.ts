import type { PlainObject } from '#kernel/http/plain-object.js';

/** Returns an own property of an object, never an inherited one. */
export const own = (object: PlainObject, name: string): unknown =>
  Object.hasOwn(object, name) ? object[name] : undefined;

/** Returns the first present property; besides the names in the specification, clients use others. */
export function anyOf(object: PlainObject, ...names: readonly string[]): unknown {
  for (const name of names) {
    const value = own(object, name);
    if (value !== undefined && value !== null && value !== '') return value;
  }
  return undefined;
}

/** Converts numbers and booleans to text; null for nested values. */
export function scalarText(value: unknown): string | null {
  if (typeof value === 'string') return value;
  return typeof value === 'number' || typeof value === 'boolean' ? String(value) : null;
}

/** Converts a text for PostgreSQL: removes NULs, and replaces lone surrogates. */
export const storable = (text: string): string => text.replaceAll('\0', '').toWellFormed();

/** Line ends and other control characters. */
// oxlint-disable-next-line no-control-regex -- these are meant
const CONTROL = /[\u0000-\u001f\u007f\u2028\u2029]+/g;

/** Reads a text as one line, shortened with three dots; null if it is empty. */
export function line(value: unknown, max: number): string | null {
  const text = scalarText(value);
  // Cut it first, so that a megabyte of text is not scanned. NULs go before other control characters become
  // blanks: the stored payload has none, and must give the same line.
  const known = storable(text?.slice(0, max * 4) ?? '')
    .replace(CONTROL, ' ')
    .trim();
  return known === '' ? null : cut(known, max);
}

/** Reads a text of several lines, shortened with three dots; null if it is empty. */
export function block(value: unknown, max: number): string | null {
  const text = scalarText(value);
  const known = text?.slice(0, max * 4) ?? '';
  return known.trim() === '' ? null : cut(storable(known), max);
}

const DOTS = '...';

/** Never cuts a surrogate pair. */
function cut(text: string, max: number): string {
  if (text.length <= max) return text;
  return `${text.slice(0, max - DOTS.length).replace(/[\ud800-\udbff]$/, '')}${DOTS}`;
}
