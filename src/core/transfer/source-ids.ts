import { createHash } from 'node:crypto';
import { isRecord, type SourceRecord } from './source-record.js';

/** Entries that are looked at for ids of users; records with more are refused when they are transformed. */
const MAX_ENTRIES = 100_000;

/** Ids of users that an object names under these names. Never throws: nothing has been checked yet. */
export const userIdsIn = (record: SourceRecord, ...names: readonly string[]): number[] =>
  names
    .map((name) => record[name])
    .filter((id): id is number => Number.isSafeInteger(id) && (id as number) > 0);

/** The same of all objects of a nested list. */
export const userIdsOf = (record: SourceRecord, list: string, ...names: readonly string[]): number[] =>
  entriesOf(record, list).flatMap((entry) => userIdsIn(entry, ...names));

/** The objects of a nested list, whatever it is. */
export function entriesOf(record: SourceRecord, list: string): readonly SourceRecord[] {
  const value = record[list];
  return Array.isArray(value) ? value.slice(0, MAX_ENTRIES).filter(isRecord) : [];
}

const SAYABLE = /^[\x20-\x7e]{1,200}$/;

/**
 * Names a record at the source: by its id, else by the first of these attributes that says something, else by all that it says. Short and
 * plain whatever is in it; never throws.
 */
export function recordKey(record: SourceRecord, ...names: readonly string[]): string {
  const id = record['id'];
  if (Number.isSafeInteger(id) && (id as number) > 0) return String(id);
  for (const name of names) {
    const value = record[name];
    if (typeof value !== 'string' && typeof value !== 'number') continue;
    const text = `${name}:${value}`;
    return SAYABLE.test(text) ? text : `${name}#${digestOf(text)}`;
  }
  return `#${digestOf(JSON.stringify(record))}`;
}

const digestOf = (text: string): string => createHash('sha256').update(text).digest('hex');

const MAX_TITLE = 255;

/** What a record is called in failures: its title, as far as it is one. */
export function titleOf(record: SourceRecord): string | null {
  const title = record['title'];
  return typeof title === 'string'
    ? title.slice(0, MAX_TITLE).replaceAll('\0', '').toWellFormed() || null
    : null;
}
