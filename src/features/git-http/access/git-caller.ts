import type { Actor } from '#kernel/access/caller.js';
import type { RunningJob } from '#core/repositories/job-tokens.port.js';
import { actorIn } from '#core/users/records/actor.row.js';
import { isInternalType } from '#core/users/user-values.js';
import type { GitAccessRow } from './git-access-statement.js';

/** The authenticated caller, with the kind of credential. */
export interface GitCaller {
  readonly kind: 'nobody' | 'password' | 'personal' | 'oauth' | 'deploy' | 'job';
  /** Null for anonymous callers and deploy tokens. */
  readonly actor: Actor | null;
  readonly scopes: readonly string[];
  readonly job: RunningJob | null;
  /** The row of the statement, about the caller and the target. */
  readonly row: GitAccessRow;
}

/** Scopes with which a token may fetch, and with which it may push. */
const PULL = new Set(['api', 'read_api', 'read_repository', 'write_repository']);
const PUSH = new Set(['api', 'write_repository']);

/** Returns whether the credential allows fetching or pushing, regardless of the rights of its owner. */
export function isAbleTo(service: 'pull' | 'push', { kind, scopes }: GitCaller): boolean {
  if (kind === 'password') return true;
  if (kind === 'deploy') return service === 'pull' && scopes.includes('read_repository');
  if (kind === 'job' || kind === 'nobody') return service === 'pull';
  return scopes.some((scope) => (service === 'pull' ? PULL : PUSH).has(scope));
}

/**
 * Returns the user of a row; null for credentials without one. `bringsAdmin`: whether the credential includes
 * administrator rights.
 */
export function actorOf(row: GitAccessRow, bringsAdmin: boolean): Actor | null {
  const user = actorIn(row, 'o');
  return user && { ...user, admin: user.admin && bringsAdmin };
}

/** Returns whether the owner of a credential may use git now. */
export const isActive = ({
  o_state: state,
  o_password_expired: expired,
  o_user_type: type,
}: GitAccessRow): boolean => state === 'active' && !expired && !isInternalType(type);
