import { hash } from 'node:crypto';
import type { PlainObject } from '#kernel/http/plain-object.js';
import { canonicalJson } from './canonical-json.js';
import { scalarText } from './payload-values.js';

const digest = (text: string): string => hash('sha1', text);

/** Fields that change between occurrences of the same alert. */
const PASSING = new Set(['start_time', 'end_time', 'hosts', 'fingerprint']);

/** Returns the digest of the fingerprint in a payload: a list is concatenated. Null if there is none. */
export function namedFingerprint(value: unknown): string | null {
  const parts = Array.isArray(value) ? (value.flat(Infinity) as unknown[]) : [value];
  const text = parts.map(partOf).join('');
  return text === '' ? null : digest(text);
}

function partOf(value: unknown): string {
  if (value === undefined || value === null) return '';
  return scalarText(value) ?? canonicalJson(value);
}

/**
 * Returns the digest of a generic payload without a fingerprint: of all fields that do not change between
 * occurrences.
 */
export const payloadFingerprint = (body: PlainObject): string => digest(canonicalJson(body, PASSING));

/**
 * Returns the digest of an Alertmanager alert without a fingerprint: of title and labels, without its start,
 * so that it is recognized when it fires again.
 */
export const labelsFingerprint = (title: string, labels: PlainObject): string =>
  digest(`${title}\n${canonicalJson(labels)}`);
