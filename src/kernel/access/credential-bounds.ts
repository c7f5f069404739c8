import { forbidden, insufficientScope } from '#kernel/http/errors.js';
import type { Credential } from './caller.js';
import { ADMIN_SCOPES, type Scope } from './roles.js';

/** With these a token writes wherever its user may. */
const WRITING: ReadonlySet<Scope> = new Set<Scope>(['api', 'sudo']);

/** `api` reaches what every scope reaches but those of administrators; who may act as anybody lacks the admin mode alone. */
const isCovered = (own: readonly Scope[], scope: Scope): boolean =>
  own.includes(scope) ||
  (own.includes('api') && !ADMIN_SCOPES.has(scope)) ||
  (own.includes('sudo') && scope !== 'admin_mode');

/**
 * Lets a credential make, renew or change only what reaches no further than itself; a session has all that its user has.
 * @throws 403 naming the scopes that it lacks
 */
export function assertCovers(credential: Credential | null, scopes: Iterable<Scope>): void {
  if (credential?.kind === 'session') return;
  const own = credential?.scopes ?? [];
  const lacking = [...scopes].filter((scope) => !isCovered(own, scope));
  if (lacking.length > 0) throw insufficientScope(lacking);
}

/**
 * Lets a credential change how its owner or others prove who they are. Of an administrator that is worth every scope, of anybody
 * else no more than `api`. @throws 403
 */
export function assertHoldsUser(credential: Credential | null, user: { readonly admin: boolean }): void {
  if (user.admin) assertCovers(credential, ADMIN_SCOPES);
}

/** Whether a credential may write through the API: what lets its holder write is shown to no other. */
export const seesSecrets = (credential: Credential | null): boolean =>
  credential?.kind === 'session' || (credential?.scopes.some((scope) => WRITING.has(scope)) ?? false);

/** The same of what registers runners, which is what `create_runner` is for. */
export const seesRegistrationTokens = (credential: Credential | null): boolean =>
  seesSecrets(credential) || (credential?.scopes.includes('create_runner') ?? false);

/** Refuses credentials that are only lent, to an application or a job: what they made would outlive them. @throws 403 */
export function assertLasting(credential: Credential | null): void {
  if (credential?.kind === 'oauth' || credential?.kind === 'job') throw forbidden();
}
