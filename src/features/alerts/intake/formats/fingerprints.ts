import { hash } from 'node:crypto';
import { canonicalJson } from './canonical-json.js';
import { scalarText, type PayloadObject } from './payload-values.js';

const digest = (text: string): string => hash('sha1', text);

/** What changes from one occurrence of an alert to the next, and says nothing of which alert it is. */
const PASSING = new Set(['start_time', 'end_time', 'hosts', 'fingerprint']);

/** Digest of the fingerprint that a payload names: a list counts as its concatenation. Null where it names none. */
export function namedFingerprint(value: unknown): string | null {
  const parts = Array.isArray(value) ? (value.flat(Infinity) as unknown[]) : [value];
  const text = parts.map(partOf).join('');
  return text === '' ? null : digest(text);
}

function partOf(value: unknown): string {
  if (value === undefined || value === null) return '';
  return scalarText(value) ?? canonicalJson(value);
}

/** The same of a generic payload that names none: all that does not change from time to time. */
export const payloadFingerprint = (body: PayloadObject): string =>
  digest(canonicalJson(Object.fromEntries(Object.entries(body).filter(([name]) => !PASSING.has(name)))));

/** The same of an alert of Alertmanager without one: title and labels, but not its start, so that it is known again when it fires anew. */
export const labelsFingerprint = (title: string, labels: PayloadObject): string =>
  digest(`${title}\n${canonicalJson(labels)}`);
