import { defineJob } from '#kernel/queue/job-definition.js';

/** The entity, and how often the source was busy when its export was requested. */
export type StartEntityPayload = Readonly<{ entityId: number; busy: number }>;

/** Finds an entity at the source, requests its export, and starts its first stage. */
export const StartEntityJob = defineJob<StartEntityPayload>({
  name: 'bulk-imports.start-entity',
  queue: 'bulk-imports',
  attempts: 8,
  backoff: { type: 'exponential', delayMs: 500, maxMs: 30_000 },
  dedupe: ({ entityId }) => String(entityId),
});
