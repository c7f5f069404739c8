import { defineJob } from '#kernel/queue/job-definition.js';

/** Opens the incident of an alert, if it has none yet. */
export const OpenIncidentJob = defineJob<Readonly<{ alertId: number }>>({
  name: 'alerts.open-incident',
  queue: 'alerts',
  attempts: 8,
  backoff: { type: 'exponential', delayMs: 1_000 },
  timeoutMs: 60_000,
});
