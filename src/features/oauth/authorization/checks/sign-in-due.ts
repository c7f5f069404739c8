import { maxAgeOf, promptsOf } from './prompts.js';
import type { SentParameters } from '../sent-parameters.js';

/**
 * Returns whether the user must sign in (again) before this request continues (OpenID Connect core 3.1.2.1):
 * `prompt=login`, account selection, or a sign-in older than `max_age`. `askedAt`: when this request was sent
 * to the sign-in page; a later sign-in satisfies it. Requests are not signed, so users could remove it like
 * any parameter: the client learns the age of the sign-in from `auth_time`.
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
