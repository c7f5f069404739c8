import type { Actor } from '#kernel/access/caller.js';
import type { RunningJob } from '#core/repositories/job-tokens.registry.js';
import { isInternalType } from '#core/users/user-values.js';
import type { GitAccessRow } from './git-access-statement.js';

/** Who asks, and by what right. */
export interface GitCaller {
  readonly kind: 'nobody' | 'password' | 'personal' | 'oauth' | 'deploy' | 'job';
  /** Null for nobody and for deploy tokens. */
  readonly actor: Actor | null;
  readonly scopes: readonly string[];
  readonly job: RunningJob | null;
  /** What the statement found, of the caller and of what they ask for. */
  readonly row: GitAccessRow;
}

/** Scopes with which a token may fetch, and with which it may push. */
const PULL = new Set(['api', 'read_api', 'read_repository', 'write_repository']);
const PUSH = new Set(['api', 'write_repository']);

/** Whether the credential is one for fetching, or for pushing, whatever its owner may do. */
export function isAbleTo(service: 'pull' | 'push', { kind, scopes }: GitCaller): boolean {
  if (kind === 'password') return true;
  if (kind === 'deploy') return service === 'pull' && scopes.includes('read_repository');
  if (kind === 'job' || kind === 'nobody') return service === 'pull';
  return scopes.some((scope) => (service === 'pull' ? PULL : PUSH).has(scope));
}

/** The user of a row; null for credentials without one. `bringsAdmin`: whether the rights of an administrator come with the credential. */
export function actorOf(row: GitAccessRow, bringsAdmin: boolean): Actor | null {
  if (row.o_id === null) return null;
  const isBot = row.o_user_type === 'project_bot' || row.o_user_type === 'group_bot';
  return {
    id: row.o_id,
    username: row.o_username,
    name: row.o_name,
    state: row.o_state,
    admin: row.o_admin && bringsAdmin,
    // Bots belong to their project or group alone: what is merely internal is not theirs to see.
    external: row.o_external || isBot,
    userType: row.o_user_type,
  };
}

/** Whether the owner of a credential may use git at all now. */
export const isActive = ({
  o_state: state,
  o_password_expired: expired,
  o_user_type: type,
}: GitAccessRow): boolean => state === 'active' && !expired && !isInternalType(type);
