import { defineJob } from '#kernel/queue/job-definition.js';

/** Whose trace. */
export type ArchiveTracePayload = Readonly<{ jobId: number }>;

/** Makes one object of the chunks of a trace that gets no more of them, and reads the coverage out of it. */
export const ArchiveTraceJob = defineJob<ArchiveTracePayload>({
  name: 'ci.archive-trace',
  queue: 'default',
  attempts: 12,
  backoff: { type: 'exponential', delayMs: 5_000 },
  dedupe: ({ jobId }) => String(jobId),
});
