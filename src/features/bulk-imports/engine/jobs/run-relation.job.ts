import { defineJob } from '#kernel/queue/job-definition.js';

/** Which relation. */
export type RunRelationPayload = Readonly<{ relationId: number }>;

/** Brings one relation of an entity over. A source that is busy and an export that is not ready cost no attempt: the job is enqueued anew. */
export const RunRelationJob = defineJob<RunRelationPayload>({
  name: 'bulk-imports.run-relation',
  queue: 'bulk-import-relations',
  // Each may hold a connection of the pool most of the time: the others are for everybody else.
  slots: 4,
  attempts: 8,
  backoff: { type: 'exponential', delayMs: 500, maxMs: 30_000 },
  timeoutMs: 24 * 3_600_000,
  dedupe: ({ relationId }) => String(relationId),
});
