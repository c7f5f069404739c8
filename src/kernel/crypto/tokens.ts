import { hash, randomBytes, timingSafeEqual } from 'node:crypto';

/** 64 characters, so that six random bits select one without bias. */
const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';

/** Creates a secret of `length` URL-safe characters (six random bits each) after a fixed prefix. */
export function randomToken(prefix: string, length = 20): string {
  let token = prefix;
  for (const byte of randomBytes(length)) token += ALPHABET.charAt(byte & 63);
  return token;
}

/** Returns the SHA-256 digest of a high-entropy secret, which is what gets stored. */
export function digestToken(token: string): Buffer {
  return hash('sha256', token, 'buffer');
}

/** Compares two secrets, of any length, in constant time. */
export function safeEqual(left: string | Buffer, right: string | Buffer): boolean {
  return timingSafeEqual(hash('sha256', left, 'buffer'), hash('sha256', right, 'buffer'));
}

/** Whether a secret matches a digest of `digestToken`; timing reveals nothing. */
export function isTokenOf(digest: Buffer, token: string): boolean {
  const own = digestToken(token);
  return digest.length === own.length && timingSafeEqual(digest, own);
}
