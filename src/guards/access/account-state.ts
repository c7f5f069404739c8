import type { Actor } from '#kernel/access/caller.js';
import { forbidden } from '#kernel/http/errors.js';
import { PASSWORD_EXPIRED, SECOND_FACTOR_DUE } from '#core/sign-in/first-steps.js';
import { isInternalType } from '#core/users/user-values.js';

/** Messages of `auth-core.md` 2.1 for accounts that may not act. */
const REASONS: Readonly<Record<string, string>> = {
  blocked: 'Your account has been blocked.',
  ldap_blocked: 'Your account has been blocked.',
  banned: 'Your account has been blocked.',
  blocked_pending_approval: 'Your account is pending approval from your administrator and hence blocked.',
  [SECOND_FACTOR_DUE]:
    'Your account must have two-factor authentication. Please set it up in a web browser, or use an access token.',
  [PASSWORD_EXPIRED]:
    'Your password expired. Please access Forgeplane from a web browser to update your password.',
};

/** Rejects a credential whose owner's account is not active; `base` is our own URL. @throws 403 */
export function assertActive(owner: Actor, base: string): void {
  if (owner.state === 'deactivated') {
    throw forbidden(
      `Your account has been deactivated by your administrator. Please log back in from a web browser to reactivate your account at ${base}`,
    );
  }
  if (owner.state !== 'active') throw forbidden(REASONS[owner.state] ?? 'Your account has been blocked.');
  if (isInternalType(owner.userType)) throw forbidden('This action cannot be performed by internal users');
}
