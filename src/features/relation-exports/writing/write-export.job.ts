import { defineJob } from '#kernel/queue/job-definition.js';

/** Which export. */
export type WriteExportPayload = Readonly<{ exportId: number }>;

/** Writes one relation of a group or project to files. Batches that are written stay; what is in one file begins again. */
export const WriteExportJob = defineJob<WriteExportPayload>({
  name: 'relation-exports.write',
  queue: 'relation-exports',
  attempts: 5,
  backoff: { type: 'exponential', delayMs: 2_000, maxMs: 60_000 },
  timeoutMs: 6 * 3_600_000,
});
