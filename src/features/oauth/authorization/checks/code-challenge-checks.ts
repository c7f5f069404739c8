import { missing, refusal, type Refusal } from '../refusal.js';
import type { Inquiry } from './inquiry.js';

/** SHA-256 in base64url without padding: the only form that a challenge of S256 can have (RFC 7636 4.2). */
const S256_CHALLENGE = /^[\w-]{43}$/;

/** Row 9: S256 and nothing else (`decisions.md`); a challenge without a method would mean `plain`. */
export function challengeMethodSupported({ parameters }: Inquiry): Refusal | null {
  const method = parameters.get('code_challenge_method');
  const isAsked = parameters.get('code_challenge') !== null || method !== null;
  return isAsked && method !== 'S256' ? refusal('invalid_code_challenge_method') : null;
}

/** Public clients prove by it that the code is theirs; whoever names a method has meant to send one (RFC 9700 2.1.1). */
export function challengeGiven({ parameters, application }: Inquiry): Refusal | null {
  const isNeeded = !application.confidential || parameters.get('code_challenge_method') !== null;
  return isNeeded && parameters.get('code_challenge') === null ? missing('code_challenge') : null;
}

/** A challenge that no verifier can meet would waste the code. */
export function challengeWellFormed({ parameters }: Inquiry): Refusal | null {
  const challenge = parameters.get('code_challenge');
  return challenge === null || S256_CHALLENGE.test(challenge)
    ? null
    : refusal('invalid_request', 'The code challenge is no SHA-256 digest in base64url.');
}
