import { Injectable } from '@nestjs/common';
import type { Caller, ProjectSubject } from '#kernel/access/caller.js';
import { Role } from '#kernel/access/roles.js';
import { forbidden } from '#kernel/http/errors.js';
import { pusherOf } from '../pushes/pusher.js';

/** Names of the branches of a project that somebody without a role there may push to. */
export type OpenBranches = (projectId: number, userId: number) => Promise<ReadonlySet<string>>;

/** Who may push to single branches of projects that they are not Developers of; a module above knows. */
@Injectable()
export class BranchGuestsRegistry {
  private ask: OpenBranches = () => Promise.resolve(new Set());

  /** Lets a module answer. */
  register(ask: OpenBranches): void {
    this.ask = ask;
  }

  /** The branches that are open to somebody, protected ones maybe among them. */
  branchesOf(projectId: number, userId: number): Promise<ReadonlySet<string>> {
    return this.ask(projectId, userId);
  }

  /** Before anything is said of the code: lets go on who may push to the project, or to this branch. @throws 403 */
  async assertPusher({ id }: ProjectSubject, caller: Caller, branch: string): Promise<void> {
    const { userId, role } = pusherOf(caller);
    if (role < Role.Developer && !(await this.branchesOf(id, userId)).has(branch)) throw forbidden();
  }
}
