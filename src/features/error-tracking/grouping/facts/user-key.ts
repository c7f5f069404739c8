import { hash } from 'node:crypto';
import { hashOf, wordOf } from './event-text.js';

/** What tells users apart, the best first. */
const NAMES = ['id', 'email', 'username', 'ip_address'] as const;

/** SDKs leave it to the receiver to fill in the address. */
const UNKNOWN = '{{auto}}';

const MAX_LENGTH = 1_000;

/** A digest of whom the event concerns, as hexadecimal digits; null where it does not say. Who it is need not be known to count them. */
export function userKey(user: unknown): string | null {
  const given = hashOf(user);
  if (!given) return null;
  for (const name of NAMES) {
    const value = wordOf(given[name], MAX_LENGTH);
    if (value !== null && value !== UNKNOWN) return hash('sha256', `${name}\0${value}`);
  }
  return null;
}
