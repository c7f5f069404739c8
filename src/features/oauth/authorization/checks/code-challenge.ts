import type { ApplicationRow } from '#core/oauth-tokens/applications/applications.queries.js';
import { missing, refusal, type Refusal } from '../refusal.js';
import type { SentParameters } from '../sent-parameters.js';

/** SHA-256 in base64url without padding: the only form that a challenge of S256 can have (RFC 7636 4.2). */
const S256_CHALLENGE = /^[\w-]{43}$/;

/** What is wrong with the code challenge of a request; null when nothing is. */
export function challengeProblem(parameters: SentParameters, application: ApplicationRow): Refusal | null {
  const method = parameters.get('code_challenge_method');
  const challenge = parameters.get('code_challenge');
  // Row 9: S256 and nothing else (`decisions.md`); a challenge without a method would mean `plain`.
  if ((challenge !== null || method !== null) && method !== 'S256')
    return refusal('invalid_code_challenge_method');
  // Public clients prove by it that the code is theirs; whoever names a method has meant to send one (RFC 9700 2.1.1).
  if (challenge === null)
    return application.confidential && method === null ? null : missing('code_challenge');
  // One that no verifier can meet would waste the code.
  return S256_CHALLENGE.test(challenge)
    ? null
    : refusal('invalid_request', 'The code challenge is no SHA-256 digest in base64url.');
}
