import { defineJob } from '#kernel/queue/job-definition.js';

/** Which move. */
export type RunMovePayload = Readonly<{ moveId: number }>;

/** Carries out a move. What goes wrong with the repositories ends the move; only what is wrong with the database is tried again. */
export const RunMoveJob = defineJob<RunMovePayload>({
  name: 'storage-moves.run',
  queue: 'storage-moves',
  attempts: 8,
  backoff: { type: 'exponential', delayMs: 500, maxMs: 5_000 },
  timeoutMs: 24 * 3_600_000,
  dedupe: ({ moveId }) => String(moveId),
});
