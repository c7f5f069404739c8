import { defineJob } from '#kernel/queue/job-definition.js';

/** Expires all artifacts of a project's jobs now, if permitted. */
export const ExpireProjectArtifactsJob = defineJob<{ readonly projectId: number }>({
  name: 'artifacts.expire_project',
  queue: 'default',
  attempts: 5,
  backoff: { type: 'exponential', delayMs: 5_000 },
  dedupe: ({ projectId }) => String(projectId),
});
