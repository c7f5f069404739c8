import { defineJob } from '#kernel/queue/job-definition.js';

/** Analyzes tables after many writes, so that the planner does not rely on outdated statistics. */
export const AnalyzeLoadedJob = defineJob<Readonly<Record<string, never>>>({
  name: 'statistics.analyze-loaded',
  queue: 'maintenance',
  attempts: 3,
  backoff: { type: 'fixed', delayMs: 60_000 },
  dedupe: () => 'all',
});
