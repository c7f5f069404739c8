/** Reading what applications have sent: every part may be missing, of another type, or far too long. */

/** A JSON object, or null for anything else. */
export type JsonObject = Readonly<Record<string, unknown>>;

/** Longer texts are cut: nobody reads them, and the page must stay small. */
const MAX_TEXT = 2_000;

// Control characters but tabs and line breaks, and signs that change the direction of what follows: they would make a text look like another.
// eslint-disable-next-line no-control-regex -- control characters are what must not get onto a page
const UNSEEN = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;

/** The object that a value is. */
export const objectOf = (value: unknown): JsonObject | null =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as JsonObject) : null;

/** The items of a list, or of the `values` of an object, as SDKs send either; `most` of them, the last ones. */
export function listOf(value: unknown, most: number): readonly unknown[] {
  const list = Array.isArray(value) ? (value as unknown[]) : ownOf(objectOf(value), 'values');
  return Array.isArray(list) ? (list as unknown[]).slice(-most) : [];
}

/** A member of an object itself, not of its prototype. */
export const ownOf = (object: JsonObject | null, name: string): unknown =>
  object && Object.hasOwn(object, name) ? object[name] : undefined;

/** A text to show; numbers and booleans as such, null for blanks and anything else. */
export function textOf(value: unknown, most = MAX_TEXT): string | null {
  if (typeof value !== 'string' && typeof value !== 'number' && typeof value !== 'boolean') return null;
  const text = String(value)
    .slice(0, most + 1)
    .replace(UNSEEN, '\u{fffd}');
  if (text.trim() === '') return null;
  return text.length > most ? `${text.slice(0, most).toWellFormed()}…` : text.toWellFormed();
}

/** A line of code or the like, which may be blank. */
export const lineOf = (value: unknown): string => textOf(value, 500) ?? '';

/** A whole number that is not negative, or null. */
export const countOf = (value: unknown): number | null =>
  typeof value === 'number' && Number.isSafeInteger(value) && value >= 0 ? value : null;
