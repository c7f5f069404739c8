import { defineJob } from '#kernel/queue/job-definition.js';

/** The move to run. */
export type RunMovePayload = Readonly<{ moveId: number }>;

/** Carries out a move. Errors of repositories end the move; only errors of the database are retried. */
export const RunMoveJob = defineJob<RunMovePayload>({
  name: 'storage-moves.run',
  queue: 'storage-moves',
  attempts: 8,
  backoff: { type: 'exponential', delayMs: 500, maxMs: 5_000 },
  timeoutMs: 24 * 3_600_000,
  dedupe: ({ moveId }) => String(moveId),
});
