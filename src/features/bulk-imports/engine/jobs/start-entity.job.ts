import { defineJob } from '#kernel/queue/job-definition.js';

/** Which entity, and how often the source was busy when its export was asked for. */
export type StartEntityPayload = Readonly<{ entityId: number; busy: number }>;

/** Finds an entity at the source, has the source export it, and begins its first stage. */
export const StartEntityJob = defineJob<StartEntityPayload>({
  name: 'bulk-imports.start-entity',
  queue: 'bulk-imports',
  attempts: 8,
  backoff: { type: 'exponential', delayMs: 500, maxMs: 30_000 },
  dedupe: ({ entityId }) => String(entityId),
});
