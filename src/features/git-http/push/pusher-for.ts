import { Role } from '#kernel/access/roles.js';
import type { Pusher } from '#core/repositories/pushes/pusher.js';
import type { Admission } from '../access/git-access.policy.js';
import { presentAdmission } from '../access/present-admission.js';
import { denied } from '../git-answer.js';

/** The user of a push whose body may take hours to arrive. */
export interface PushingUser {
  readonly id: number;
  /** Returns the user with their present rights. @throws what a new push would get */
  readonly now: () => Promise<Pusher>;
}

/**
 * Returns the user of an admitted push; rights that are older than `freshMs` are read again by `admit`.
 * @throws 401 for a credential without a user
 */
export function pusherFor(
  admission: Admission,
  admit: () => Promise<Admission>,
  freshMs: number,
): PushingUser {
  const present = presentAdmission(admission, admit, freshMs);
  return { id: pusherIn(admission).userId, now: async () => pusherIn(await present()) };
}

function pusherIn({ actor, subject }: Admission): Pusher {
  if (!actor) throw denied();
  return { userId: actor.id, role: actor.admin ? Role.Admin : subject.role, via: 'git' };
}
