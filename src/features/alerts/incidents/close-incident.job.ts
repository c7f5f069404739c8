import { defineJob } from '#kernel/queue/job-definition.js';

/** Closes the incident of a resolved alert. */
export const CloseIncidentJob = defineJob<Readonly<{ alertId: number }>>({
  name: 'alerts.close-incident',
  queue: 'alerts',
  attempts: 8,
  backoff: { type: 'exponential', delayMs: 1_000 },
  timeoutMs: 60_000,
});
