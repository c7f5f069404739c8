import { isAuthentic, type SentClient } from '../client-authentication.js';
import { missingParameter, oauthError } from '../oauth-error.js';
import type { ClientRow } from './clients.queries.js';
import type { CodeRow } from './codes.queries.js';
import { answersChallenge } from './pkce.js';
import type { TokenRequest } from './token-request.js';

/** Facts of an exchange: the request, and what was found for it. */
interface CodeInquiry {
  readonly form: TokenRequest['form'];
  readonly sent: SentClient | null;
  readonly client: ClientRow | null;
  readonly code: CodeRow | null;
}

/** A code with its client. */
interface OwnedCode {
  readonly code: CodeRow;
  readonly client: ClientRow;
}

/** Asserts that the code belongs to the client, in the order of `auth-core.md` 1.3. @throws 400, 401 */
export function ownedCode({ form, sent, client, code }: CodeInquiry): OwnedCode {
  if (form.get('code') === null) throw missingParameter('code');
  if (code && code.codeChallenge !== null && form.get('code_verifier') === null)
    throw missingParameter('code_verifier');
  if (form.get('redirect_uri') === null) throw missingParameter('redirect_uri');
  if (!sent || !client || !isAuthentic(client, sent))
    throw oauthError('invalid_client', { basic: sent?.isBasic ?? false });
  if (!code || code.applicationId !== client.id) throw oauthError('invalid_grant');
  return { code, client };
}

/** Asserts that the code is still valid for this request. @throws 400 */
export function assertUsable(form: TokenRequest['form'], { code, client }: OwnedCode): void {
  const isGood =
    !code.usedAt &&
    !code.isExpired &&
    code.isUserActive &&
    code.redirectUri === form.get('redirect_uri') &&
    isChallengeAnswered(form.get('code_verifier'), code.codeChallenge, client.confidential);
  if (!isGood) throw oauthError('invalid_grant');
}

/**
 * A verifier without a challenge means that an attacker removed the challenge (RFC 9700 4.8.2); public
 * clients need one.
 */
function isChallengeAnswered(
  verifier: string | null,
  challenge: string | null,
  isConfidential: boolean,
): boolean {
  if (challenge === null) return verifier === null && isConfidential;
  return verifier !== null && answersChallenge(verifier, challenge);
}
