import type { Problems } from '../project.rules.js';

/** Knows the branches of projects, whose code this module does not know. */
export abstract class DefaultBranchPort {
  /**
   * Returns why a branch cannot become the default branch of a project; nothing if it is that already. It may
   * take git long: do not wait for it in a transaction.
   */
  abstract problems(projectId: number, branch: string): Promise<Problems>;
}
