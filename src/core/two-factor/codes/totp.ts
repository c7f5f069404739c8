import { generateSecret, generateSync, generateURI } from 'otplib';
import { safeEqual } from '#kernel/crypto/tokens.js';

/** Seconds for which a code is shown. */
const STEP_SECONDS = 30;

/** 160 bits, as RFC 4226 section 4 recommends. */
const SECRET_BYTES = 20;

/** How many steps the clock of the phone may be off, either way. */
const TOLERANCE = 1;

const CODE = /^\d{6}$/;

/** A new secret for an authenticator, in Base32. */
export const newTotpSecret = (): string => generateSecret({ length: SECRET_BYTES });

/** Number of the time step (RFC 6238 section 4.2) in which a point in time lies. */
export const stepAt = (time: Date): number => Math.floor(time.getTime() / 1000 / STEP_SECONDS);

/** The code that an authenticator shows in a time step: SHA-1 and six digits, which every application understands. */
export const totpCode = (secret: string, step: number): string =>
  generateSync({ secret, epoch: step * STEP_SECONDS, period: STEP_SECONDS, algorithm: 'sha1', digits: 6 });

/**
 * The step whose code this is: the present one or a neighbour of it, but later than `lastStep`, the last that was used;
 * null when the code is wrong or used. Of several steps with the same code the latest, so that none of them is left.
 */
export function matchingStep(secret: string, code: string, now: Date, lastStep: number): number | null {
  if (!CODE.test(code)) return null;
  const present = stepAt(now);
  let found: number | null = null;
  for (let step = present - TOLERANCE; step <= present + TOLERANCE; step += 1)
    if (step > lastStep && safeEqual(totpCode(secret, step), code)) found = step;
  return found;
}

/** What the QR code says to the authenticator: the key URI format of `otpauth://`. */
export const totpUri = (secret: string, issuer: string, account: string): string =>
  generateURI({ secret, issuer, label: account });
