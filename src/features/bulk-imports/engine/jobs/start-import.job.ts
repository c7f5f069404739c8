import { defineJob } from '#kernel/queue/job-definition.js';

/** The import to advance. */
export type StartImportPayload = Readonly<{ importId: number }>;

/**
 * Starts entities of an import if slots are free, and ends it after its last entity: enqueued with the import
 * and whenever an entity ends.
 */
export const StartImportJob = defineJob<StartImportPayload>({
  name: 'bulk-imports.start',
  queue: 'bulk-imports',
  attempts: 8,
  backoff: { type: 'exponential', delayMs: 500, maxMs: 30_000 },
  dedupe: ({ importId }) => String(importId),
});
