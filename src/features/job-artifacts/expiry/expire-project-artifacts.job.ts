import { defineJob } from '#kernel/queue/job-definition.js';

/** Lets everything expire now that the jobs of a project have left, as far as that may be. */
export const ExpireProjectArtifactsJob = defineJob<{ readonly projectId: number }>({
  name: 'artifacts.expire_project',
  queue: 'default',
  attempts: 5,
  backoff: { type: 'exponential', delayMs: 5_000 },
  dedupe: ({ projectId }) => String(projectId),
});
