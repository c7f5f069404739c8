import { isRecord, type SourceRecord } from '../exchange/source-record.js';

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
