import { defineJob } from '#kernel/queue/job-definition.js';

/** The export to write, and whether it was requested with administrator rights; null if unknown. */
export type WriteExportPayload = Readonly<{ exportId: number; asAdmin?: boolean | null }>;

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
