import { defineJob } from '#kernel/queue/job-definition.js';

/** Takes up moves that nobody carries out, and tidies up behind them. */
export const WatchMoves = defineJob<Readonly<Record<string, never>>>({
  name: 'storage-moves.watch',
  queue: 'maintenance',
  attempts: 5,
  backoff: { type: 'fixed', delayMs: 1_000 },
  dedupe: () => 'all',
  schedule: { cron: '*/15 * * * * *', payload: {} },
});
