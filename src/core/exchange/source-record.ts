import { RecordRefused } from '../exchange/record-refused.js';

/** An object as the source has sent it: anything may be missing or of another type. */
export type SourceRecord = Readonly<Record<string, unknown>>;

/** Whether a value is an object that is no array. */
export const isRecord = (value: unknown): value is SourceRecord =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The nested object of that name, or null. */
export function recordIn(record: SourceRecord, name: string): SourceRecord | null {
  const value = record[name];
  return isRecord(value) ? value : null;
}

/** The nested objects of that name, at most `max`; what is no object is left out. @throws RecordRefused when there are more */
export function recordsIn(record: SourceRecord, name: string, max = 10_000): readonly SourceRecord[] {
  const value = record[name];
  if (!Array.isArray(value)) return [];
  if (value.length > max) throw new RecordRefused(`${name} has more than ${max} entries`);
  return value.filter(isRecord);
}

/** A text without NUL and lone surrogates; null when it is missing or empty. @throws RecordRefused when it is longer than `max` characters */
export function textIn(record: SourceRecord, name: string, max: number): string | null {
  const value = record[name];
  if (typeof value !== 'string' || value === '') return null;
  if (value.length > max) throw new RecordRefused(`${name} is too long (maximum is ${max} characters)`);
  return value.replaceAll('\0', '').toWellFormed();
}

/** The same, needed. @throws RecordRefused when it is missing or blank */
export function neededTextIn(record: SourceRecord, name: string, max: number): string {
  const text = textIn(record, name, max);
  if (text === null || text.trim() === '') throw new RecordRefused(`${name} is missing`);
  return text;
}

/** A whole number within bounds (default 0 to the largest safe one); null otherwise. */
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

/** True or false; `preset` for anything else. */
export function flagIn(record: SourceRecord, name: string, preset = false): boolean {
  const value = record[name];
  return typeof value === 'boolean' ? value : preset;
}

/** One of some words; `preset` for anything else. */
export function wordIn<Word extends string>(
  record: SourceRecord,
  name: string,
  words: readonly Word[],
  preset: Word,
): Word {
  return words.find((word) => word === record[name]) ?? preset;
}

const ISO_TIME = /^\d{4}-\d{2}-\d{2}[T ]\d{2}:\d{2}(:\d{2}(\.\d{1,9})?)?( ?(Z|UTC|[+-]\d{2}:?\d{2}))?$/;

/** A time between the years 1970 and 9999 as ISO 8601 in UTC; null otherwise. */
export function timeIn(record: SourceRecord, name: string): string | null {
  const value = record[name];
  if (typeof value !== 'string' || value.length > 40 || !ISO_TIME.test(value)) return null;
  const text = value.replace(/ ?UTC$/, 'Z').replace(' ', 'T');
  const time = new Date(/(Z|[+-]\d{2}:?\d{2})$/.test(text) ? text : `${text}Z`);
  const year = time.getUTCFullYear();
  return Number.isFinite(time.getTime()) && year >= 1970 && year <= 9999 ? time.toISOString() : null;
}

/** A day `YYYY-MM-DD` between the years 1000 and 9999; null otherwise. */
export function dateIn(record: SourceRecord, name: string): string | null {
  const value = record[name];
  if (typeof value !== 'string' || !/^[1-9]\d{3}-\d{2}-\d{2}/.test(value)) return null;
  const day = value.slice(0, 10);
  const time = new Date(`${day}T00:00:00Z`);
  return Number.isFinite(time.getTime()) && time.toISOString().startsWith(day) ? day : null;
}
