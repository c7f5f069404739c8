import { defineJob } from '#kernel/queue/job-definition.js';

/** The export to write. */
export type WriteExportPayload = Readonly<{ exportId: number }>;

/**
 * Writes a relation of a group or project to files. Finished batches are kept; a single file starts again.
 */
export const WriteExportJob = defineJob<WriteExportPayload>({
  name: 'relation-exports.write',
  queue: 'relation-exports',
  attempts: 5,
  backoff: { type: 'exponential', delayMs: 2_000, maxMs: 60_000 },
  timeoutMs: 6 * 3_600_000,
});
