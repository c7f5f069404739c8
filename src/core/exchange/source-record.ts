import { isPlainObject } from '#kernel/http/plain-object.js';
import { RecordRefused } from '../exchange/record-refused.js';

/** An object from the source: anything may be missing or have another type. */
export type SourceRecord = Readonly<Record<string, unknown>>;

/** Returns the nested object with that name, or null. */
export function recordIn(record: SourceRecord, name: string): SourceRecord | null {
  const value = record[name];
  return isPlainObject(value) ? value : null;
}

/**
 * Returns the nested objects with that name, at most `max`; skips other values. @throws RecordRefused if
 * there are more
 */
export function recordsIn(record: SourceRecord, name: string, max = 10_000): readonly SourceRecord[] {
  const value = record[name];
  if (!Array.isArray(value)) return [];
  if (value.length > max) throw new RecordRefused(`${name} has more than ${max} entries`);
  return value.filter(isPlainObject);
}

/**
 * Reads a text that may be empty, without NUL and lone surrogates; null if it is missing. @throws
 * RecordRefused if it is longer than `max` characters
 */
export function proseIn(record: SourceRecord, name: string, max: number): string | null {
  const value = record[name];
  if (typeof value !== 'string') return null;
  if (value.length > max) throw new RecordRefused(`${name} is too long (maximum is ${max} characters)`);
  return value.replaceAll('\0', '').toWellFormed();
}

/** Reads a text as `proseIn` does, but one that is empty counts as missing. @throws RecordRefused */
export const textIn = (record: SourceRecord, name: string, max: number): string | null =>
  record[name] === '' ? null : proseIn(record, name, max);

/** Reads a required text. @throws RecordRefused if it is missing or blank */
export function neededTextIn(record: SourceRecord, name: string, max: number): string {
  const text = textIn(record, name, max);
  if (text === null || text.trim() === '') throw new RecordRefused(`${name} is missing`);
  return text;
}

/** Reads an integer within bounds (default 0 to the largest safe one); null otherwise. */
export function integerIn(
  record: SourceRecord,
  name: string,
  min = 0,
  max = Number.MAX_SAFE_INTEGER,
): number | null {
  const value = record[name];
  return Number.isSafeInteger(value) && (value as number) >= min && (value as number) <= max
    ? (value as number)
    : null;
}

/** Largest number within a project or group, after which its counter continues. */
export const MAX_IID = 2_147_483_647;

/** Reads the number of a record. @throws RecordRefused */
export function iidIn(record: SourceRecord): number {
  const iid = integerIn(record, 'iid', 1, MAX_IID);
  if (iid === null) throw new RecordRefused('iid is invalid');
  return iid;
}

/** Reads a boolean; `preset` for anything else. */
export function flagIn(record: SourceRecord, name: string, preset = false): boolean {
  const value = record[name];
  return typeof value === 'boolean' ? value : preset;
}

/** Reads one of some words; `preset` for anything else. */
export function wordIn<Word extends string>(
  record: SourceRecord,
  name: string,
  words: readonly Word[],
  preset: Word,
): Word {
  return words.find((word) => word === record[name]) ?? preset;
}

const ISO_TIME = /^\d{4}-\d{2}-\d{2}[T ]\d{2}:\d{2}(:\d{2}(\.\d{1,9})?)?( ?(Z|UTC|[+-]\d{2}:?\d{2}))?$/;

/** Reads a time between the years 1970 and 9999 as ISO 8601 in UTC; null otherwise. */
export function timeIn(record: SourceRecord, name: string): string | null {
  const value = record[name];
  if (typeof value !== 'string' || value.length > 40 || !ISO_TIME.test(value)) return null;
  const text = value.replace(/ ?UTC$/, 'Z').replace(' ', 'T');
  const time = new Date(/(Z|[+-]\d{2}:?\d{2})$/.test(text) ? text : `${text}Z`);
  const year = time.getUTCFullYear();
  return Number.isFinite(time.getTime()) && year >= 1970 && year <= 9999 ? time.toISOString() : null;
}

/** Reads a day `YYYY-MM-DD` between the years 1000 and 9999; null otherwise. */
export function dateIn(record: SourceRecord, name: string): string | null {
  const value = record[name];
  if (typeof value !== 'string' || !/^[1-9]\d{3}-\d{2}-\d{2}/.test(value)) return null;
  const day = value.slice(0, 10);
  const time = new Date(`${day}T00:00:00Z`);
  return Number.isFinite(time.getTime()) && time.toISOString().startsWith(day) ? day : null;
}
