import { defineJob } from '#kernel/queue/job-definition.js';

/** A resource group of a project. */
export type ResourceGroup = Readonly<{ projectId: number; group: string }>;

/** Starts the job that has waited longest for a free resource. */
export const FreeResourceJob = defineJob<ResourceGroup>({
  name: 'ci.free_resource',
  queue: 'ci',
  attempts: 10,
  backoff: { type: 'exponential', delayMs: 1_000 },
});
