import { maxAgeOf, promptsOf } from './prompts.js';
import type { SentParameters } from '../sent-parameters.js';

/**
 * Whether the user must sign in, again, before this request goes on (OpenID Connect core 3.1.2.1): `prompt=login`, a wish to
 * choose the account, or an age beyond `max_age`. `askedAt` is when this request was sent to the sign-in page for it: whoever has
 * signed in since has done what was asked. Requests are not signed, so that users could drop it with all the rest: the client
 * learns from `auth_time` how fresh the sign-in is.
 */
export function isSignInDue(
  parameters: SentParameters,
  authenticatedAt: Date,
  askedAt: Date | null,
  now = Date.now(),
): boolean {
  if (askedAt !== null && authenticatedAt >= askedAt) return false;
  const prompts = promptsOf(parameters);
  if (prompts.has('login') || prompts.has('select_account')) return true;
  const maxAge = maxAgeOf(parameters);
  return maxAge !== null && now - authenticatedAt.getTime() > maxAge * 1000;
}
