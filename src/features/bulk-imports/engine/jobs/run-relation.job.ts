import { defineJob } from '#kernel/queue/job-definition.js';

/** The relation to import. */
export type RunRelationPayload = Readonly<{ relationId: number }>;

/**
 * Imports a relation of an entity. A busy source and an unfinished export do not count as attempts: the job
 * is enqueued again.
 */
export const RunRelationJob = defineJob<RunRelationPayload>({
  name: 'bulk-imports.run-relation',
  queue: 'bulk-import-relations',
  // Each may hold a connection of the pool most of the time: leave the others to other work.
  slots: 4,
  attempts: 8,
  backoff: { type: 'exponential', delayMs: 500, maxMs: 30_000 },
  timeoutMs: 24 * 3_600_000,
  dedupe: ({ relationId }) => String(relationId),
});
