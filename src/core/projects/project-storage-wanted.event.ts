import type { Actor } from '#kernel/access/caller.js';

/** An administrator wants a project's repositories on another storage; whoever can move them schedules that in this transaction. */
export class ProjectStorageWanted {
  constructor(
    readonly projectId: number,
    readonly storage: string,
    readonly actor: Actor,
  ) {}
}
