import type { User } from '#core/users/user.entity.js';
import type { UserState } from '#core/users/user-values.js';

/** Reasons why a user with the correct password may not sign in. */
export type Hindrance = 'blocked' | 'pending-approval' | 'unconfirmed' | 'deactivated' | 'password-expired';

const STATES: Partial<Readonly<Record<UserState, Hindrance>>> = {
  blocked: 'blocked',
  ldap_blocked: 'blocked',
  banned: 'blocked',
  blocked_pending_approval: 'pending-approval',
  deactivated: 'deactivated',
};

type Account = Pick<User, 'state' | 'confirmedAt' | 'passwordExpiresAt'>;

/** Returns what prevents the owner of an account from signing in, or null. */
export function hindranceOf({ state, confirmedAt, passwordExpiresAt }: Account): Hindrance | null {
  const byState = STATES[state];
  if (byState !== undefined) return byState;
  if (confirmedAt === null) return 'unconfirmed';
  return passwordExpiresAt !== null && passwordExpiresAt.getTime() <= Date.now() ? 'password-expired' : null;
}

/** Returns the same for the sign-in page, ignoring what can be resolved there. */
export function pageHindranceOf(account: Account): Hindrance | null {
  const isBack = account.state === 'deactivated';
  const hindrance = hindranceOf(isBack ? { ...account, state: 'active' } : account);
  return hindrance === 'password-expired' ? null : hindrance;
}
