import { randomBytes } from 'node:crypto';
import { digestToken } from '#kernel/crypto/tokens.js';

/** How many codes a user is given at a time. */
export const RECOVERY_CODES = 10;

/** Characters of a code: five random bits each make 80, too many to find from a digest. */
const LENGTH = 16;

/** Nothing that is mistaken for something else when it is copied from paper: no 0, 1, l and o. */
const ALPHABET = 'abcdefghijkmnpqrstuvwxyz23456789';

/** A fresh set of codes, written in groups of four: `k3fq-7mxa-...`. */
export function newRecoveryCodes(): string[] {
  return Array.from({ length: RECOVERY_CODES }, () => {
    let text = '';
    for (const byte of randomBytes(LENGTH)) text += ALPHABET.charAt(byte & 31);
    return text.replace(/.{4}(?=.)/g, '$&-');
  });
}

/** What is stored of a code, as somebody may type it: capitals, blanks and hyphens do not count. */
export const recoveryCodeDigest = (code: string): Buffer =>
  digestToken(code.toLowerCase().replace(/[\s-]/g, ''));
