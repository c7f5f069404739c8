import type { Caller } from '#kernel/access/caller.js';
import { Role } from '#kernel/access/roles.js';

/** The user who changes a repository, with the role in its owner. */
export interface Pusher {
  readonly userId: number;
  /** Effective role in the project or group that owns the repository; Admin for administrators. */
  readonly role: Role;
  /**
   * By `git push`, by a request of the API or a page, or by merging a merge request, which has its own
   * rights.
   */
  readonly via: 'git' | 'api' | 'merge';
}

/**
 * Returns the caller of a request as a pusher to its subject's repository. @throws Error for anonymous
 * callers
 */
export function pusherOf({ actor, role }: Caller): Pusher {
  if (!actor) throw new Error('Anonymous users cannot push');
  return { userId: actor.id, role: actor.admin ? Role.Admin : role, via: 'api' };
}
