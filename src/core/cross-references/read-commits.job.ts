import { defineJob } from '#kernel/queue/job-definition.js';

/** A pushed branch of a project, with its previous head. */
export type PushedBranch = Readonly<{
  projectId: number;
  branch: string;
  before: string;
  after: string;
  userId: number;
}>;

/**
 * Writes system notes on objects that pushed commits mention, and closes issues named in commits on the
 * default branch.
 */
export const ReadCommitsJob = defineJob<PushedBranch>({
  name: 'cross_references.read_commits',
  queue: 'repositories',
  attempts: 10,
  backoff: { type: 'exponential', delayMs: 2_000, maxMs: 300_000 },
});
