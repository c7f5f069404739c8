import type { Actor } from '#kernel/access/caller.js';

/**
 * An administrator requested another storage for a project's repositories; listeners schedule the move in
 * this transaction.
 */
export class ProjectStorageWanted {
  constructor(
    readonly projectId: number,
    readonly storage: string,
    readonly actor: Actor,
  ) {}
}
