import { hash, randomBytes, timingSafeEqual } from 'node:crypto';

/** 64 characters, so that six random bits choose one without bias. */
const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';

/** A new secret of `length` URL-safe characters (six random bits each) after a fixed prefix. */
export function randomToken(prefix: string, length = 20): string {
  let token = prefix;
  for (const byte of randomBytes(length)) token += ALPHABET.charAt(byte & 63);
  return token;
}

/** What is stored of a high-entropy secret: its SHA-256 digest. */
export function digestToken(token: string): Buffer {
  return hash('sha256', token, 'buffer');
}

/** Compares two secrets, of any length, in constant time. */
export function safeEqual(left: string | Buffer, right: string | Buffer): boolean {
  return timingSafeEqual(hash('sha256', left, 'buffer'), hash('sha256', right, 'buffer'));
}

/** Whether a secret is the one of a digest that `digestToken` made; the time tells nothing. */
export function isTokenOf(digest: Buffer, token: string): boolean {
  const own = digestToken(token);
  return digest.length === own.length && timingSafeEqual(digest, own);
}
