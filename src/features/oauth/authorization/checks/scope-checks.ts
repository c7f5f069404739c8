import type { Scope } from '#kernel/access/roles.js';
import { mayGrant, requestedScopes } from '#core/oauth-tokens/oauth-scopes.js';
import { missing, refusal, type Refusal } from '../refusal.js';
import type { Inquiry } from './inquiry.js';

type Asked = Pick<Inquiry, 'parameters' | 'application'>;

/** All that a sign-in by another program comes down to. */
const SIGN_IN_SCOPE: Scope = 'read_user';

/** `auth-core.md` 1.2: programs that say so want to know who somebody is, whatever else they may ask for. */
const isForSignIn = ({ parameters }: Asked): boolean => parameters.get('gl_auth_type') === 'login';

/** The scopes that the request asks for, each once; null for what the application cannot be granted. */
export function scopesAskedFor(asked: Asked): readonly Scope[] | null {
  const { scopes } = asked.application;
  if (!isForSignIn(asked)) return requestedScopes(asked.parameters.get('scope'), scopes);
  return scopes.includes('api') || scopes.includes(SIGN_IN_SCOPE) ? [SIGN_IN_SCOPE] : null;
}

/** Row 5: nothing is asked for, and the application may not have what is granted by default. */
export const scopeGiven = (asked: Asked): Refusal | null =>
  asked.parameters.get('scope') === null && !isForSignIn(asked) && scopesAskedFor(asked) === null
    ? missing('scope')
    : null;

/** Row 8: no scope that does not exist, line ends and tabs among them, and none that the application was not registered for. */
export const scopesWithinReach = (asked: Asked): Refusal | null =>
  scopesAskedFor(asked) === null ? refusal('invalid_scope') : null;

/** `decisions.md`: what works for administrators alone is nobody else's to grant. */
export const grantableByUser = (inquiry: Inquiry): Refusal | null =>
  inquiry.user === null || mayGrant(scopesAskedFor(inquiry) ?? [], inquiry.user.admin)
    ? null
    : refusal('invalid_scope');
