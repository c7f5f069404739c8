import { defineJob } from '#kernel/queue/job-definition.js';

/** A resource group of a project. */
export type ResourceGroup = Readonly<{ projectId: number; group: string }>;

/** Lets the job go on that has waited longest for a resource that is free. */
export const FreeResourceJob = defineJob<ResourceGroup>({
  name: 'ci.free_resource',
  queue: 'ci',
  attempts: 10,
  backoff: { type: 'exponential', delayMs: 1_000 },
});
