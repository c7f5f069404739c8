import { defineJob } from '#kernel/queue/job-definition.js';

/** Pushed branches of a project, with their new heads. */
export type PushedBranches = Readonly<{
  projectId: number;
  branches: readonly Readonly<{ name: string; sha: string }>[];
  userId: number | null;
}>;

/** Finds the open merge requests of pushed branches. */
export const FollowBranchesJob = defineJob<PushedBranches>({
  name: 'merge_requests.follow_branches',
  queue: 'merge_requests',
  attempts: 10,
  backoff: { type: 'exponential', delayMs: 2_000, maxMs: 300_000 },
});
