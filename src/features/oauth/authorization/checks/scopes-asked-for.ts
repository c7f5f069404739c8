import type { Scope } from '#kernel/access/roles.js';
import type { ApplicationRow } from '#core/oauth-tokens/applications/applications.queries.js';
import { requestedScopes } from '#core/oauth-tokens/oauth-scopes.js';
import type { SentParameters } from '../sent-parameters.js';

/** Scope that suffices for signing in to another program. */
const SIGN_IN_SCOPE: Scope = 'read_user';

/** Returns whether the request asks for an identity, possibly besides other scopes (`auth-core.md` 1.2). */
export const isForSignIn = (parameters: SentParameters): boolean =>
  parameters.get('gl_auth_type') === 'login';

/** Returns the requested scopes without duplicates; null if the application cannot have them. */
export function scopesAskedFor(
  parameters: SentParameters,
  { scopes }: ApplicationRow,
): readonly Scope[] | null {
  if (!isForSignIn(parameters)) return requestedScopes(parameters.get('scope'), scopes);
  return scopes.includes('api') || scopes.includes(SIGN_IN_SCOPE) ? [SIGN_IN_SCOPE] : null;
}
