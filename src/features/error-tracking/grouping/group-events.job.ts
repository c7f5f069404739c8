import { defineJob } from '#kernel/queue/job-definition.js';
import { IS_ANY_WAITING } from './waiting-events.js';

/** Names the one waiting job that absorbs all others. */
const WAITING = 'waiting';

/**
 * How long whoever has stored events lets the job wait (`delayMs`): events that come meanwhile are grouped with them, and an error is written once
 * for all of them. Nobody who looks at errors notices.
 */
export const GROUPING_DELAY_MS = 250;

/** Adds all events that wait to their errors. The schedule finds what a job that has failed for good left behind. */
export const GroupErrorEventsJob = defineJob({
  name: 'error-tracking.group',
  queue: 'error-tracking',
  attempts: 10,
  backoff: { type: 'exponential', delayMs: 1_000, maxMs: 60_000 },
  timeoutMs: 600_000,
  dedupe: () => WAITING,
  schedule: { cron: '*/2 * * * *', payload: {}, when: IS_ANY_WAITING },
});
