import { Role } from '#kernel/access/roles.js';
import type { Pusher } from '#core/repositories/pushes/pusher.js';
import type { RepositoryRef } from '#core/repositories/repository-ref.js';
import type { Admission } from '../access/git-access.policy.js';
import { TEXTS } from '../access/git-texts.js';
import { denied, GitRefusal } from '../git-answer.js';

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
  const pusher = pusherIn(admission);
  const admittedAt = performance.now();
  const now = async (): Promise<Pusher> => {
    if (performance.now() - admittedAt < freshMs) return pusher;
    const again = await admit();
    // Another repository may have taken the path, and another user the name.
    if (!isSame(again.place.ref, admission.place.ref)) throw new GitRefusal(404, TEXTS.noProject);
    if (again.actor?.id !== pusher.userId) throw denied();
    return pusherIn(again);
  };
  return { id: pusher.userId, now };
}

function pusherIn({ actor, place }: Admission): Pusher {
  if (!actor) throw denied();
  return { userId: actor.id, role: actor.admin ? Role.Admin : place.role, via: 'git' };
}

const isSame = (one: RepositoryRef, other: RepositoryRef): boolean =>
  one.ownerType === other.ownerType && one.ownerId === other.ownerId && one.kind === other.kind;
