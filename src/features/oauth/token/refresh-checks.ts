import type { Scope } from '#kernel/access/roles.js';
import { requestedScopes } from '#core/oauth-tokens/oauth-scopes.js';
import { isRegisteredRedirectUri } from '#core/oauth-tokens/applications/redirect-uri.js';
import { isAuthentic, type SentClient } from '../client-authentication.js';
import { missingParameter, oauthError } from '../oauth-error.js';
import type { ClientRow } from './clients.queries.js';
import type { RefreshTokenRow } from './refresh-tokens.queries.js';
import type { Check, TokenRequest } from './token-request.js';

/** What a refresh is judged by: what was sent, and what was found by it. */
export interface RefreshInquiry {
  readonly form: TokenRequest['form'];
  readonly sent: SentClient | null;
  readonly client: ClientRow | null;
  readonly token: RefreshTokenRow | null;
}

type RefreshCheck = Check<RefreshInquiry>;

const tokenGiven: RefreshCheck = ({ form }) =>
  form.get('refresh_token') === null ? missingParameter('refresh_token') : null;

const refuseUnless = (isGood: (inquiry: RefreshInquiry) => boolean | undefined): RefreshCheck => {
  return (inquiry) => (isGood(inquiry) ? null : oauthError('invalid_grant'));
};

const tokenKnown = refuseUnless(({ token }) => token?.isRevoked === false);

const clientAuthentic: RefreshCheck = ({ sent, client }) =>
  sent === null || isAuthentic(client, sent) ? null : oauthError('invalid_client', { basic: sent.isBasic });

const tokenOfClient = refuseUnless(({ token, client }) => token?.applicationId === client?.id);
const tokenUnspent = refuseUnless(({ token }) => token?.spentAt === null);
const userActive = refuseUnless(({ token }) => token?.isUserActive);

/** One that is sent must be that of the authorization, or at least of the client where that is forgotten. */
const sameRedirectUri = refuseUnless(({ form, token, client }) => {
  const uri = form.get('redirect_uri');
  if (uri === null) return true;
  const granted = token?.grantedUri ?? null;
  return granted === null ? isRegisteredRedirectUri(client?.redirectUris ?? [], uri) : granted === uri;
});

const scopesGranted: RefreshCheck = (inquiry) =>
  scopesOfRefresh(inquiry) ? null : oauthError('invalid_scope');

/** What the new access token reaches: what was granted, or the part of it that is asked for; null for more than that. */
export function scopesOfRefresh({ form, token }: RefreshInquiry): readonly Scope[] | null {
  const granted = token?.grantedScopes ?? [];
  const text = form.get('scope');
  return text === null ? granted : requestedScopes(text, granted);
}

/** Up to whose token it is, in the order of `auth-core.md` 1.3. */
export const OWNERSHIP_CHECKS = [tokenGiven, tokenKnown, clientAuthentic, tokenOfClient];

/** Whether the token is still good for this request. */
export const REFRESH_CHECKS = [tokenUnspent, userActive, sameRedirectUri, scopesGranted];
