import { randomInt } from 'node:crypto';
import { digestToken } from '#kernel/crypto/tokens.js';

/** How many codes a user is given at a time. */
const RECOVERY_CODES = 10;

/** Digits of a code: 80 bits, too many to find from a digest. */
const LENGTH = 24;

/**
 * A fresh set of codes, written in groups of four. Digits alone, because the field that takes them brings up the numeric
 * keypad of a phone.
 */
export function newRecoveryCodes(): string[] {
  return Array.from({ length: RECOVERY_CODES }, () => {
    const digits = Array.from({ length: LENGTH }, () => randomInt(10)).join('');
    return digits.replace(/.{4}(?=.)/g, '$&-');
  });
}

/** What is stored of a code, as somebody may type it: blanks and hyphens do not count. */
export const recoveryCodeDigest = (code: string): Buffer => digestToken(code.replace(/[\s-]/g, ''));
