import type { RepositoryRef } from '#core/repositories/repository-ref.js';
import { denied, GitRefusal } from '../git-answer.js';
import type { Admission } from './git-access.policy.js';
import { TEXTS } from './git-texts.js';

/**
 * Returns a function for the present rights of an admitted request, whose body may take hours to arrive: those
 * older than `freshMs` are read again by `admit`. It throws what a new request would get.
 */
export function presentAdmission(
  admission: Admission,
  admit: () => Promise<Admission>,
  freshMs: number,
): () => Promise<Admission> {
  const admittedAt = performance.now();
  return async () => {
    if (performance.now() - admittedAt < freshMs) return admission;
    const now = await admit();
    // Another repository may have taken the path, and another user the name.
    if (!isSame(now.subject.ref, admission.subject.ref)) throw new GitRefusal(404, TEXTS.noProject);
    if (now.actor?.id !== admission.actor?.id) throw denied();
    return now;
  };
}

const isSame = (one: RepositoryRef, other: RepositoryRef): boolean =>
  one.ownerType === other.ownerType && one.ownerId === other.ownerId && one.kind === other.kind;
