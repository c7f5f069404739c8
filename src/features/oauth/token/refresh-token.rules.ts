import type { Scope } from '#kernel/access/roles.js';
import { requestedScopes } from '#core/oauth-tokens/oauth-scopes.js';
import { isRegisteredRedirectUri } from '#core/oauth-tokens/applications/redirect-uri.js';
import { isAuthentic, type SentClient } from '../client-authentication.js';
import { missingParameter, oauthError } from '../oauth-error.js';
import type { ClientRow } from './clients.queries.js';
import type { RefreshTokenRow } from './refresh-tokens.queries.js';
import type { TokenRequest } from './token-request.js';

/** Facts of a refresh: the request, and what was found for it. */
interface RefreshInquiry {
  readonly form: TokenRequest['form'];
  readonly sent: SentClient | null;
  readonly client: ClientRow | null;
  readonly token: RefreshTokenRow | null;
}

/** A refresh token with its client. */
interface OwnedToken {
  readonly token: RefreshTokenRow;
  readonly client: ClientRow;
}

/** Asserts that the token belongs to the client, in the order of `auth-core.md` 1.3. @throws 400, 401 */
export function ownedToken({ form, sent, client, token }: RefreshInquiry): OwnedToken {
  if (form.get('refresh_token') === null) throw missingParameter('refresh_token');
  if (!token || token.isRevoked) throw oauthError('invalid_grant');
  if (sent && !isAuthentic(client, sent)) throw oauthError('invalid_client', { basic: sent.isBasic });
  if (!client || token.applicationId !== client.id) throw oauthError('invalid_grant');
  return { token, client };
}

/**
 * Returns the scopes of the new access token, if the refresh token is still valid for this request. @throws
 * 400
 */
export function refreshedScopes(form: TokenRequest['form'], owned: OwnedToken): readonly Scope[] {
  const { token } = owned;
  if (token.spentAt || !token.isUserActive || !isSameRedirectUri(form, owned))
    throw oauthError('invalid_grant');
  const text = form.get('scope');
  const scopes = text === null ? token.grantedScopes : requestedScopes(text, token.grantedScopes);
  if (!scopes) throw oauthError('invalid_scope');
  return scopes;
}

/** A redirect URI, if sent, must be that of the authorization, or of the client if that is pruned. */
function isSameRedirectUri(form: TokenRequest['form'], { token, client }: OwnedToken): boolean {
  const uri = form.get('redirect_uri');
  if (uri === null) return true;
  return token.grantedUri === null
    ? isRegisteredRedirectUri(client.redirectUris, uri)
    : token.grantedUri === uri;
}
