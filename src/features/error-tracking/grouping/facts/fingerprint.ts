import { wordOf } from './event-text.js';

const DEFAULT = /^\{\{\s*default\s*\}\}$/;

/** Limits of parts of a fingerprint, and of characters of each. */
const MAX_PARTS = 32;
const MAX_LENGTH = 1_000;

/** Returns the key for an explicit fingerprint; `{{ default }}` stands for the key without one. */
export function withFingerprint(fingerprint: unknown, key: readonly string[]): readonly string[] {
  const parts = (Array.isArray(fingerprint) ? fingerprint : [fingerprint])
    .slice(0, MAX_PARTS)
    .map((part) => wordOf(part, MAX_LENGTH))
    .filter((part) => part !== null);
  if (parts.length === 0 || (parts.length === 1 && DEFAULT.test(parts[0] ?? ''))) return key;
  return [
    'fingerprint',
    ...parts.flatMap((part) => (DEFAULT.test(part) ? ['default', ...key] : ['part', part])),
  ];
}
