import { isAuthentic, type SentClient } from '../client-authentication.js';
import { missingParameter, oauthError } from '../oauth-error.js';
import type { ClientRow } from './clients.queries.js';
import type { CodeRow } from './codes.queries.js';
import { answersChallenge } from './pkce.js';
import type { Check, TokenRequest } from './token-request.js';

/** What an exchange is judged by: what was sent, and what was found by it. */
export interface CodeInquiry {
  readonly form: TokenRequest['form'];
  readonly sent: SentClient | null;
  readonly client: ClientRow | null;
  readonly code: CodeRow | null;
}

type CodeCheck = Check<CodeInquiry>;

const codeGiven: CodeCheck = ({ form }) => (form.get('code') === null ? missingParameter('code') : null);

const verifierGiven: CodeCheck = ({ form, code }) =>
  code && code.codeChallenge !== null && form.get('code_verifier') === null
    ? missingParameter('code_verifier')
    : null;

const redirectUriGiven: CodeCheck = ({ form }) =>
  form.get('redirect_uri') === null ? missingParameter('redirect_uri') : null;

const clientAuthentic: CodeCheck = ({ sent, client }) =>
  sent && isAuthentic(client, sent) ? null : oauthError('invalid_client', { basic: sent?.isBasic ?? false });

const refuseUnless = (isGood: (inquiry: CodeInquiry) => boolean | undefined): CodeCheck => {
  return (inquiry) => (isGood(inquiry) ? null : oauthError('invalid_grant'));
};

const codeOfClient = refuseUnless(({ code, client }) => code !== null && code.applicationId === client?.id);
const codeUnused = refuseUnless(({ code }) => code?.usedAt === null);
const codeInTime = refuseUnless(({ code }) => code?.isExpired === false);
const userActive = refuseUnless(({ code }) => code?.isUserActive);
const sameRedirectUri = refuseUnless(({ code, form }) => code?.redirectUri === form.get('redirect_uri'));

/** A verifier without a challenge means that somebody took the challenge away (RFC 9700 4.8.2); a public client must have one. */
const challengeAnswered = refuseUnless(({ code, client, form }) => {
  const verifier = form.get('code_verifier');
  const challenge = code?.codeChallenge ?? null;
  if (challenge === null) return verifier === null && client?.confidential;
  return verifier !== null && answersChallenge(verifier, challenge);
});

/** Up to whose code it is, in the order of `auth-core.md` 1.3. */
export const OWNERSHIP_CHECKS = [codeGiven, verifierGiven, redirectUriGiven, clientAuthentic, codeOfClient];

/** Whether the code is still good for this request. */
export const CODE_CHECKS = [codeUnused, codeInTime, userActive, sameRedirectUri, challengeAnswered];
