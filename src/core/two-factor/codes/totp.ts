import { generateSecret, generateSync, generateURI } from 'otplib';
import { safeEqual } from '#kernel/crypto/tokens.js';

/** Validity of a code in seconds. */
const STEP_SECONDS = 30;

/** 160 bits, as RFC 4226 section 4 recommends. */
const SECRET_BYTES = 20;

/** Tolerated difference of the phone's clock in steps, either way. */
const TOLERANCE = 1;

const CODE = /^\d{6}$/;

/** Generates a secret for an authenticator, in Base32. */
export const newTotpSecret = (): string => generateSecret({ length: SECRET_BYTES });

/** Returns the number of the time step (RFC 6238 section 4.2) of a time. */
export const stepAt = (time: Date): number => Math.floor(time.getTime() / 1000 / STEP_SECONDS);

/** Computes the code of a time step: SHA-1 and six digits, which all authenticators support. */
export const totpCode = (secret: string, step: number): string =>
  generateSync({ secret, epoch: step * STEP_SECONDS, period: STEP_SECONDS, algorithm: 'sha1', digits: 6 });

/**
 * Returns the step of a code: the present one or a neighbour, but later than `lastStep`, the last used one;
 * null if the code is wrong or used. If several steps have the same code, returns the latest, so that none of
 * them stays valid.
 */
export function matchingStep(secret: string, code: string, now: Date, lastStep: number): number | null {
  if (!CODE.test(code)) return null;
  const present = stepAt(now);
  let found: number | null = null;
  for (let step = present - TOLERANCE; step <= present + TOLERANCE; step += 1)
    if (step > lastStep && safeEqual(totpCode(secret, step), code)) found = step;
  return found;
}

/** Returns the content of the QR code: the key URI format of `otpauth://`. */
export const totpUri = (secret: string, issuer: string, account: string): string =>
  generateURI({ secret, issuer, label: account });
