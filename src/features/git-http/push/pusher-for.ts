import { Role } from '#kernel/access/roles.js';
import type { Pusher } from '#core/repositories/pushes/pusher.js';
import type { Admission } from '../access/git-access.policy.js';
import { denied } from '../git-answer.js';

/** Returns the pusher for push rules. @throws 401 for a credential without a user */
export function pusherFor({ actor, place }: Admission): Pusher {
  if (!actor) throw denied();
  return { userId: actor.id, role: actor.admin ? Role.Admin : place.role, via: 'git' };
}
