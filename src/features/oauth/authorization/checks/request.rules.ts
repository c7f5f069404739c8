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

/** What a request is judged by, once its client and its redirect URI are known to be good. */
interface Inquiry {
  readonly parameters: SentParameters;
  readonly application: ApplicationRow;
  /** Null for visitors who are not signed in: what depends on the user is judged when they are. */
  readonly user: AuthorizingUser | null;
}

/** The scopes that a request may be granted, or the first reason to refuse it: rows 5 to 9 of `auth-core.md` 1.2, and the rules of the standards between them. */
export function judgeRequest({ parameters, application, user }: Inquiry): readonly Scope[] | Refusal {
  // RFC 6749 3.1: no parameter more than once; nor as a list or hash, too long, or not as text.
  if (PARAMETER_NAMES.some((name) => parameters.isMalformed(name))) return refusal('invalid_request');
  const type = parameters.get('response_type');
  if (type === null) return missing('response_type');
  const scopes = scopesAskedFor(parameters, application);
  // Nothing is asked for, and the application may not have what is granted by default.
  if (!scopes && parameters.get('scope') === null && !isForSignIn(parameters)) return missing('scope');
  // Codes only: tokens never travel through the browser (RFC 9700 2.1.2).
  if (type !== 'code') return refusal('unsupported_response_type');
  const mode = parameters.get('response_mode');
  if (mode !== null && responseModeOf(mode) === null) return refusal('unsupported_response_mode');
  // What might change every other parameter must not be passed over (OpenID Connect core 6.1 and 6.2).
  if (parameters.get('request') !== null) return refusal('request_not_supported');
  if (parameters.get('request_uri') !== null) return refusal('request_uri_not_supported');
  // No scope that does not exist, line ends and tabs among them, and none that the application was not registered for.
  if (!scopes) return refusal('invalid_scope');
  // What works for administrators alone is nobody else's to grant (`decisions.md` 3).
  if (user && !mayGrant(scopes, user.admin)) return refusal('invalid_scope');
  return challengeProblem(parameters, application) ?? promptProblem(parameters) ?? scopes;
}
