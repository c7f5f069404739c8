import { plainObjectOf, type PlainObject } from '#kernel/http/plain-object.js';

/** Helpers that read payloads of applications: any part may be missing, of another type, or far too long. */

/** Limit of characters shown of a text, so that the page stays small. */
const MAX_TEXT = 2_000;

// Control characters except tabs and line breaks, and characters that change the text direction: they could
// make one text look like another.
// oxlint-disable-next-line no-control-regex -- control characters are what must not get onto a page
const UNSEEN = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;

/** Returns the last `most` items of a list, or of the `values` of an object: SDKs send either. */
export function listOf(value: unknown, most: number): readonly unknown[] {
  const list = Array.isArray(value) ? (value as unknown[]) : ownOf(plainObjectOf(value), 'values');
  return Array.isArray(list) ? (list as unknown[]).slice(-most) : [];
}

/** Returns an own property of an object, not one of its prototype. */
export const ownOf = (object: PlainObject | null, name: string): unknown =>
  object && Object.hasOwn(object, name) ? object[name] : undefined;

/**
 * Converts a value to text for display, numbers and booleans included; null if blank or of any other type.
 */
export function textOf(value: unknown, most = MAX_TEXT): string | null {
  if (typeof value !== 'string' && typeof value !== 'number' && typeof value !== 'boolean') return null;
  const text = String(value)
    .slice(0, most + 1)
    .replace(UNSEEN, '\u{fffd}');
  if (text.trim() === '') return null;
  return text.length > most ? `${text.slice(0, most).toWellFormed()}…` : text.toWellFormed();
}

/** Returns a line of code or similar text, which may be blank. */
export const lineOf = (value: unknown): string => textOf(value, 500) ?? '';

/** Returns a non-negative integer, or null. */
export const countOf = (value: unknown): number | null =>
  typeof value === 'number' && Number.isSafeInteger(value) && value >= 0 ? value : null;
