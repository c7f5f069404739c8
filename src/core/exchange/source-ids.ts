import { isPlainObject } from '#kernel/http/plain-object.js';
import type { SourceRecord } from '../exchange/source-record.js';

/** Limit of entries searched for user ids; records with more are rejected by `transform`. */
const MAX_ENTRIES = 100_000;

/** Returns the user ids of an object under these names. Never throws, although nothing is validated yet. */
export const userIdsIn = (record: SourceRecord, ...names: readonly string[]): number[] =>
  names
    .map((name) => record[name])
    .filter((id): id is number => Number.isSafeInteger(id) && (id as number) > 0);

/** Returns those of all objects in a nested list. */
export const userIdsOf = (record: SourceRecord, list: string, ...names: readonly string[]): number[] =>
  entriesOf(record, list).flatMap((entry) => userIdsIn(entry, ...names));

/** Returns the objects of a nested list, whatever it contains. */
export function entriesOf(record: SourceRecord, list: string): readonly SourceRecord[] {
  const value = record[list];
  return Array.isArray(value) ? value.slice(0, MAX_ENTRIES).filter(isPlainObject) : [];
}
