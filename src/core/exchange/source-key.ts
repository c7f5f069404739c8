import { createHash } from 'node:crypto';
import type { SourceRecord } from '../exchange/source-record.js';

const MAX_TITLE = 255;
const SAYABLE = /^[\x20-\x7e]{1,200}$/;

/**
 * Computes the key of a record at the source: from the first of these attributes it has, else from its whole
 * content. Only values of the first attribute are used without its name, so that the iid of one record is not
 * taken for the id of another. Short and plain for any content; never throws, since nothing is validated yet.
 */
export function sourceKey(record: SourceRecord, ...names: readonly string[]): string {
  for (const [index, name] of names.entries()) {
    const value = record[name];
    if (!Number.isSafeInteger(value) && (typeof value !== 'string' || value === '')) continue;
    const text = index === 0 ? String(value) : `${name}:${String(value)}`;
    return SAYABLE.test(text) ? text : digestOf(text);
  }
  return digestOf(JSON.stringify(record));
}

const digestOf = (text: string): string => createHash('sha256').update(text).digest('hex');

/**
 * Returns the title of a record in failures: the first of these attributes that is a text or number; null if
 * none is.
 */
export function sourceTitle(record: SourceRecord, ...names: readonly string[]): string | null {
  for (const name of names) {
    const value = record[name];
    if (typeof value === 'number') return String(value);
    if (typeof value === 'string')
      return value.slice(0, MAX_TITLE).replaceAll('\0', '').toWellFormed() || null;
  }
  return null;
}
