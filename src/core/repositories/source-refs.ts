import { RecordRefused } from '#core/exchange/record-refused.js';
import { neededTextIn, type SourceRecord } from '#core/exchange/source-record.js';
import { isValidRefName } from './ref-name.js';

const MAX_REF = 1_024;
const MAX_TEXT = 255;
const FULL_SHA = /^[0-9a-f]{40}$/;

/** Reads the name of a branch or tag from an imported record. @throws RecordRefused */
export function refIn(record: SourceRecord, name = 'ref'): string {
  const ref = neededTextIn(record, name, MAX_REF);
  if (!isValidRefName(ref)) throw new RecordRefused(`${name} is invalid`);
  return ref;
}

/** Reads the full id of a commit from an imported record, in lower case. @throws RecordRefused */
export function commitIn(record: SourceRecord): string {
  const sha = neededTextIn(record, 'sha', MAX_TEXT);
  if (!isFullSha(sha)) throw new RecordRefused('sha is invalid');
  return sha;
}

/** Returns whether a value is the full id of an object, in lower case. */
export const isFullSha = (value: unknown): value is string =>
  typeof value === 'string' && FULL_SHA.test(value);
