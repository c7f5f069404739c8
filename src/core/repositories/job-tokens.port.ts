/**
 * A running job as git access sees it: it fetches with the rights of its user, from projects that it can
 * reach.
 */
export interface RunningJob {
  readonly userId: number;
  /** Returns whether the job may fetch from a project: its own, or one that grants it access. */
  reaches(projectId: number): boolean | Promise<boolean>;
}

/** Finds running jobs by their tokens, for git access. */
export abstract class JobTokensPort {
  /** Returns the running job of a token, or null. */
  abstract find(token: string): Promise<RunningJob | null>;
}
