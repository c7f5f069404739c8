import { defineJob } from '#kernel/queue/job-definition.js';

/** The job whose trace is archived. */
export type ArchiveTracePayload = Readonly<{ jobId: number }>;

/** Archives the chunks of a finished trace as one object, and extracts the coverage. */
export const ArchiveTraceJob = defineJob<ArchiveTracePayload>({
  name: 'ci.archive-trace',
  queue: 'default',
  attempts: 12,
  backoff: { type: 'exponential', delayMs: 5_000 },
  dedupe: ({ jobId }) => String(jobId),
});
