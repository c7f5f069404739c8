import { hash } from 'node:crypto';
import { safeEqual } from '#kernel/crypto/tokens.js';

/** RFC 7636 4.1. */
const VERIFIER = /^[A-Za-z0-9\-._~]{43,128}$/;

/** Returns whether a verifier is well-formed and matches the S256 challenge (RFC 7636 4.6). */
export const answersChallenge = (verifier: string, challenge: string): boolean =>
  VERIFIER.test(verifier) && safeEqual(hash('sha256', verifier, 'base64url'), challenge);
