import { defineJob } from '#kernel/queue/job-definition.js';

/** A branch of a project that somebody has pushed to, and where it was before. */
export type PushedBranch = Readonly<{
  projectId: number;
  branch: string;
  before: string;
  after: string;
  userId: number;
}>;

/** Notes on things that pushed commits mention them, and closes issues by what gets into the default branch. */
export const ReadCommitsJob = defineJob<PushedBranch>({
  name: 'cross_references.read_commits',
  queue: 'repositories',
  attempts: 10,
  backoff: { type: 'exponential', delayMs: 2_000, maxMs: 300_000 },
});
