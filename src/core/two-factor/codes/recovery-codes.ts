import { randomInt } from 'node:crypto';
import { digestToken } from '#kernel/crypto/tokens.js';

/** Number of codes generated at a time. */
const RECOVERY_CODES = 10;

/** Digits of a code: 80 bits, too many to be found from a digest. */
const LENGTH = 24;

/**
 * Generates codes in groups of four digits. Only digits, because the field shows the numeric keypad of a
 * phone.
 */
export function newRecoveryCodes(): string[] {
  return Array.from({ length: RECOVERY_CODES }, () => {
    const digits = Array.from({ length: LENGTH }, () => randomInt(10)).join('');
    return digits.replace(/.{4}(?=.)/g, '$&-');
  });
}

/** Returns the digest of a code as typed: blanks and hyphens are ignored. */
export const recoveryCodeDigest = (code: string): Buffer => digestToken(code.replace(/[\s-]/g, ''));
