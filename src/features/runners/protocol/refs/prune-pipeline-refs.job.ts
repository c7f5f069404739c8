import { defineJob } from '#kernel/queue/job-definition.js';

/** Whose refs. */
export type PipelineRefsPayload = Readonly<{ projectId: number }>;

/** Removes the refs of pipelines that nobody runs any more. */
export const PrunePipelineRefsJob = defineJob<PipelineRefsPayload>({
  name: 'runners.prune-pipeline-refs',
  queue: 'default',
  attempts: 10,
  backoff: { type: 'exponential', delayMs: 60_000 },
  dedupe: ({ projectId }) => String(projectId),
});
