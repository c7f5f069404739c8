import type { Tx } from '#kernel/database/transactions.js';

/** Removes snippets with their repositories, which a foreign key alone would not do. */
export abstract class ProjectSnippetsPort {
  /** Removes up to `limit` snippets of a project and returns their number; 0 if none are left. */
  abstract remove(tx: Tx, projectId: number, limit: number): Promise<number>;
}
