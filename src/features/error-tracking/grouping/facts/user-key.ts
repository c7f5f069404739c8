import { hash } from 'node:crypto';
import { plainObjectOf } from '#kernel/http/plain-object.js';
import { wordOf } from './event-text.js';

/** Attributes that identify users, best first. */
const NAMES = ['id', 'email', 'username', 'ip_address'] as const;

/** SDKs leave it to the receiver to insert the address. */
const UNKNOWN = '{{auto}}';

const MAX_LENGTH = 1_000;

/**
 * Returns a digest of the affected user, in hexadecimal; null if unknown. Users need not be known to be
 * counted.
 */
export function userKey(user: unknown): string | null {
  const given = plainObjectOf(user);
  if (!given) return null;
  for (const name of NAMES) {
    const value = wordOf(given[name], MAX_LENGTH);
    if (value !== null && value !== UNKNOWN) return hash('sha256', `${name}\0${value}`);
  }
  return null;
}
