import { defineJob } from '#kernel/queue/job-definition.js';

/** The parent of pipelines to cancel, perhaps only the bridge of one, and perhaps only their interruptible jobs. */
export type CanceledPipelines = Readonly<{
  parentId: number;
  bridgeId?: number;
  onlyInterruptible?: boolean;
}>;

/** Cancels the child pipelines of a pipeline, or that of one of its bridges. */
export const CancelPipelinesJob = defineJob<CanceledPipelines>({
  name: 'ci.cancel_pipelines',
  queue: 'ci',
  attempts: 5,
  backoff: { type: 'exponential', delayMs: 2_000 },
});
