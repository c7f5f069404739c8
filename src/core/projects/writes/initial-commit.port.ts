import type { Actor } from '#kernel/access/caller.js';

/** Creates the first commit of projects, whose code this module does not know. */
export abstract class InitialCommitPort {
  /** Creates the first commit of a new project: a README with its name and description. */
  abstract commit(projectId: number, actor: Actor): Promise<void>;
}
