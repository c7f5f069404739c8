import { createHash } from 'node:crypto';
import type { SourceRecord } from './source-record.js';

const MAX_KEY = 1_024;
const MAX_TITLE = 255;

/** Names a record by the first of these attributes that it has; without any by its content. Never throws: nothing has been checked yet. */
export function sourceKey(record: SourceRecord, ...names: readonly string[]): string {
  for (const name of names) {
    const value = record[name];
    if (Number.isSafeInteger(value)) return String(value);
    if (typeof value === 'string' && value !== '')
      return value.slice(0, MAX_KEY).replaceAll('\0', '').toWellFormed();
  }
  return createHash('sha256').update(JSON.stringify(record)).digest('hex');
}

/** A short text of a record as failures show it; null where it is none. */
export function sourceTitle(record: SourceRecord, ...names: readonly string[]): string | null {
  for (const name of names) {
    const value = record[name];
    if (typeof value === 'number') return String(value);
    if (typeof value === 'string') return value.slice(0, MAX_TITLE).replaceAll('\0', '').toWellFormed();
  }
  return null;
}
