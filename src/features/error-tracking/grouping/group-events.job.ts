import { defineJob } from '#kernel/queue/job-definition.js';
import { IS_ANY_WAITING } from './waiting-events.js';

/** Key of the single waiting job that absorbs all others. */
const WAITING = 'waiting';

/**
 * Delay of the job after events are stored (`delayMs`): later events are grouped with them, so that an error
 * is written only once. Readers do not notice.
 */
export const GROUPING_DELAY_MS = 250;

/** Adds all waiting events to their errors. The schedule handles events left by a permanently failed job. */
export const GroupErrorEventsJob = defineJob({
  name: 'error-tracking.group',
  queue: 'error-tracking',
  attempts: 10,
  backoff: { type: 'exponential', delayMs: 1_000, maxMs: 60_000 },
  timeoutMs: 600_000,
  dedupe: () => WAITING,
  schedule: { cron: '*/2 * * * *', payload: {}, when: IS_ANY_WAITING },
});
