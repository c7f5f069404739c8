import type { Scope } from '#kernel/access/roles.js';
import type { ApplicationRow } from '#core/oauth-tokens/applications/applications.queries.js';
import { requestedScopes } from '#core/oauth-tokens/oauth-scopes.js';
import type { SentParameters } from '../sent-parameters.js';

/** All that a sign-in by another program comes down to. */
const SIGN_IN_SCOPE: Scope = 'read_user';

/** Whether the program wants to know who somebody is, whatever else it may ask for (`auth-core.md` 1.2). */
export const isForSignIn = (parameters: SentParameters): boolean =>
  parameters.get('gl_auth_type') === 'login';

/** The scopes that the request asks for, each once; null for what the application cannot be granted. */
export function scopesAskedFor(
  parameters: SentParameters,
  { scopes }: ApplicationRow,
): readonly Scope[] | null {
  if (!isForSignIn(parameters)) return requestedScopes(parameters.get('scope'), scopes);
  return scopes.includes('api') || scopes.includes(SIGN_IN_SCOPE) ? [SIGN_IN_SCOPE] : null;
}
