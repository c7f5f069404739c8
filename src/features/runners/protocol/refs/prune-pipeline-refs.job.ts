import { defineJob } from '#kernel/queue/job-definition.js';

/** The project of the refs. */
export type PipelineRefsPayload = Readonly<{ projectId: number }>;

/** Removes the refs of pipelines that are no longer needed. */
export const PrunePipelineRefsJob = defineJob<PipelineRefsPayload>({
  name: 'runners.prune-pipeline-refs',
  queue: 'default',
  attempts: 10,
  backoff: { type: 'exponential', delayMs: 60_000 },
  dedupe: ({ projectId }) => String(projectId),
});
