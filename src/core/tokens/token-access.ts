import type { Actor, Credential } from '#kernel/access/caller.js';
import { badRequest, forbidden, notFound } from '#kernel/http/errors.js';

/** What decides who may handle a token. */
interface OwnedToken {
  readonly userId: number;
  readonly impersonation: boolean;
}

/**
 * Lets users handle their own tokens, administrators all. Other people's tokens, tokens that were made to impersonate the
 * user, and tokens that do not exist are refused alike, so that nobody learns which ids exist.
 * @throws 403, or 404 for administrators
 */
export function assertMayHandle<Token extends OwnedToken>(
  actor: Actor,
  token: Token | null,
): asserts token is Token {
  if (actor.admin) {
    if (!token) throw notFound('Personal Access Token');
    return;
  }
  if (!token || token.userId !== actor.id || token.impersonation) throw forbidden();
}

/** Id of the token that the request was made with. @throws 400 for sessions and other credentials */
export function ownTokenId(credential: Credential | null): number {
  if (credential?.kind !== 'personal') throw badRequest('400 Bad request');
  return credential.id;
}
