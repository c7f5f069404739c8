import type { ApplicationRow } from '#core/oauth-tokens/applications/applications.queries.js';
import { missing, refusal, type Refusal } from '../refusal.js';
import type { SentParameters } from '../sent-parameters.js';

/** SHA-256 in base64url without padding: the only form of an S256 challenge (RFC 7636 4.2). */
const S256_CHALLENGE = /^[\w-]{43}$/;

/** Returns the problem of the code challenge of a request; null if there is none. */
export function challengeProblem(parameters: SentParameters, application: ApplicationRow): Refusal | null {
  const method = parameters.get('code_challenge_method');
  const challenge = parameters.get('code_challenge');
  // Row 9: only S256 (`decisions.md`); a challenge without a method would mean `plain`.
  if ((challenge !== null || method !== null) && method !== 'S256')
    return refusal('invalid_code_challenge_method');
  // Public clients need a challenge to prove ownership of the code; a method without a challenge is a mistake
  // (RFC 9700 2.1.1).
  if (challenge === null)
    return application.confidential && method === null ? null : missing('code_challenge');
  // A challenge without a possible verifier would waste the code.
  return S256_CHALLENGE.test(challenge)
    ? null
    : refusal('invalid_request', 'The code challenge is not a SHA-256 digest in base64url.');
}
