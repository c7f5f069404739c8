import { forbidden, insufficientScope } from '#kernel/http/errors.js';
import type { Credential } from './caller.js';
import { ADMIN_SCOPES, type Scope } from './roles.js';

/** Scopes with which a token may write wherever its user may. */
const WRITING: ReadonlySet<Scope> = new Set<Scope>(['api', 'sudo']);

/**
 * `api` covers every scope except those of administrators; `sudo`, which allows acting as any user, covers
 * all but admin mode.
 */
const isCovered = (own: readonly Scope[], scope: Scope): boolean =>
  own.includes(scope) ||
  (own.includes('api') && !ADMIN_SCOPES.has(scope)) ||
  (own.includes('sudo') && scope !== 'admin_mode');

/**
 * Ensures that a credential creates, renews or changes only credentials that grant no more than itself; a
 * session has all rights of its user.
 * @throws 403 naming the missing scopes
 */
export function assertCovers(credential: Credential | null, scopes: Iterable<Scope>): void {
  if (credential?.kind === 'session') return;
  const own = credential?.scopes ?? [];
  const lacking = [...scopes].filter((scope) => !isCovered(own, scope));
  if (lacking.length > 0) throw insufficientScope(lacking);
}

/**
 * Ensures that a credential may change how its owner or others authenticate. For an administrator that
 * requires every scope, for anyone else `api`. @throws 403
 */
export function assertHoldsUser(credential: Credential | null, user: { readonly admin: boolean }): void {
  if (user.admin) assertCovers(credential, ADMIN_SCOPES);
}

/** Whether a credential may write through the API: secrets that allow writing are shown to no other. */
export const seesSecrets = (credential: Credential | null): boolean =>
  credential?.kind === 'session' || (credential?.scopes.some((scope) => WRITING.has(scope)) ?? false);

/** The same for runner registration tokens, which `create_runner` may also see. */
export const seesRegistrationTokens = (credential: Credential | null): boolean =>
  seesSecrets(credential) || (credential?.scopes.includes('create_runner') ?? false);

/** Rejects credentials lent to an application or a job: what they created would outlive them. @throws 403 */
export function assertLasting(credential: Credential | null): void {
  if (credential?.kind === 'oauth' || credential?.kind === 'job') throw forbidden();
}
