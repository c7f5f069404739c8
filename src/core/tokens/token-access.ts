import type { Actor, Credential } from '#kernel/access/caller.js';
import { badRequest, forbidden, notFound } from '#kernel/http/errors.js';

/** Facts that decide who may manage a token. */
interface OwnedToken {
  readonly userId: number;
  readonly impersonation: boolean;
}

/**
 * Asserts that a user manages an own token, or is an administrator. Tokens of others, impersonation tokens
 * and unknown tokens get the same error, so that ids cannot be probed.
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

/**
 * Returns the id of the token that authenticates the request. @throws 400 for sessions and other credentials
 */
export function ownTokenId(credential: Credential | null): number {
  if (credential?.kind !== 'personal') throw badRequest('400 Bad request');
  return credential.id;
}
