import { defineJob } from '#kernel/queue/job-definition.js';

/** Cancels a pipeline whose configuration asks for that once a job has failed. */
export const CancelAfterFailureJob = defineJob<Readonly<{ pipelineId: number; jobId: number }>>({
  name: 'ci.cancel_after_failure',
  queue: 'ci',
  attempts: 5,
  backoff: { type: 'exponential', delayMs: 2_000 },
});
