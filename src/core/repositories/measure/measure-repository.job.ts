import { defineJob } from '#kernel/queue/job-definition.js';

/** Measures a repository after a push, and maintains it. */
export const MeasureRepositoryJob = defineJob<Readonly<{ repositoryId: number }>>({
  name: 'repositories.measure',
  queue: 'repositories',
  attempts: 3,
  backoff: { type: 'exponential', delayMs: 2_000 },
  dedupe: ({ repositoryId }) => String(repositoryId),
});
