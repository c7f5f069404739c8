import type { Caller, ProjectSubject } from '#kernel/access/caller.js';
import { Role } from '#kernel/access/roles.js';
import { forbidden } from '#kernel/http/errors.js';
import { pusherOf } from '../pushes/pusher.js';

/** Decides who may push to single branches of a project without being a Developer. */
export abstract class BranchGuestsPort {
  /**
   * Returns the branches of a project that are open to a user without a role, possibly including protected
   * ones.
   */
  abstract branchesOf(projectId: number, userId: number): Promise<ReadonlySet<string>>;

  /**
   * Asserts, before anything about the code is revealed, that the caller may push to the project or to this
   * branch. @throws 403
   */
  async assertPusher({ id }: ProjectSubject, caller: Caller, branch: string): Promise<void> {
    const { userId, role } = pusherOf(caller);
    if (role < Role.Developer && !(await this.branchesOf(id, userId)).has(branch)) throw forbidden();
  }
}
