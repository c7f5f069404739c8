import type { Caller } from '#kernel/access/caller.js';
import { Role } from '#kernel/access/roles.js';

/** Who changes a repository, and with what right in its owner. */
export interface Pusher {
  readonly userId: number;
  /** Effective role in the project or group that the repository belongs to; Admin for administrators. */
  readonly role: Role;
  /** `git push`, a request of the API or a page, or the merge of a merge request: its right is one of its own. */
  readonly via: 'git' | 'api' | 'merge';
}

/** The caller of a request as the one who changes the repository of its subject. @throws Error for anonymous callers */
export function pusherOf({ actor, role }: Caller): Pusher {
  if (!actor) throw new Error('Nobody can push anonymously');
  return { userId: actor.id, role: actor.admin ? Role.Admin : role, via: 'api' };
}
