import type { Scope } from '#kernel/access/roles.js';
import type { ApplicationRow } from '#core/oauth-tokens/applications/applications.queries.js';
import { mayGrant } from '#core/oauth-tokens/oauth-scopes.js';
import type { AuthorizingUser } from '../authorizing-user.queries.js';
import { missing, refusal, type Refusal } from '../refusal.js';
import { responseModeOf } from '../response-mode.js';
import { PARAMETER_NAMES, type SentParameters } from '../sent-parameters.js';
import { challengeProblem } from './code-challenge.js';
import { promptProblem } from './prompts.js';
import { isForSignIn, scopesAskedFor } from './scopes-asked-for.js';

/** A request to check, with a valid client and redirect URI. */
interface Inquiry {
  readonly parameters: SentParameters;
  readonly application: ApplicationRow;
  /** Null for anonymous visitors: what depends on the user is checked after the sign-in. */
  readonly user: AuthorizingUser | null;
}

/**
 * Returns the scopes to grant, or the first reason to refuse the request: rows 5 to 9 of `auth-core.md` 1.2,
 * with the rules of the standards in between.
 */
export function judgeRequest({ parameters, application, user }: Inquiry): readonly Scope[] | Refusal {
  // RFC 6749 3.1: no parameter may be repeated; nor be a list or hash, too long, or not text.
  if (PARAMETER_NAMES.some((name) => parameters.isMalformed(name))) return refusal('invalid_request');
  const type = parameters.get('response_type');
  if (type === null) return missing('response_type');
  const scopes = scopesAskedFor(parameters, application);
  // No scope was requested, and the application may not have the default.
  if (!scopes && parameters.get('scope') === null && !isForSignIn(parameters)) return missing('scope');
  // Only codes: tokens must not pass through the browser (RFC 9700 2.1.2).
  if (type !== 'code') return refusal('unsupported_response_type');
  const mode = parameters.get('response_mode');
  if (mode !== null && responseModeOf(mode) === null) return refusal('unsupported_response_mode');
  // Request objects could change all other parameters, so they must not be ignored (OpenID Connect core 6.1
  // and 6.2).
  if (parameters.get('request') !== null) return refusal('request_not_supported');
  if (parameters.get('request_uri') !== null) return refusal('request_uri_not_supported');
  // Unknown scopes, including names with line ends and tabs, or scopes that the application was not
  // registered for.
  if (!scopes) return refusal('invalid_scope');
  // Only administrators can grant administrator scopes (`decisions.md` 3).
  if (user && !mayGrant(scopes, user.admin)) return refusal('invalid_scope');
  return challengeProblem(parameters, application) ?? promptProblem(parameters) ?? scopes;
}
