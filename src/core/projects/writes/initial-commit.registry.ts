import { Injectable } from '@nestjs/common';
import type { Actor } from '#kernel/access/caller.js';

/** Gives a new project its first commit: a README with its name and description. */
export type FirstCommit = (projectId: number, actor: Actor) => Promise<void>;

/** What projects may begin with. Code is not known here: the module that has it registers itself in `onModuleInit`. */
@Injectable()
export class InitialCommitRegistry {
  private first: FirstCommit | null = null;

  register(first: FirstCommit): void {
    this.first = first;
  }

  async commit(projectId: number, actor: Actor): Promise<void> {
    await this.first?.(projectId, actor);
  }
}
