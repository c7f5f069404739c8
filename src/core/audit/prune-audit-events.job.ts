import { defineJob } from '#kernel/queue/job-definition.js';

/** Removes audit events older than the setting `audit_event_retention_days`. */
export const PruneAuditEventsJob = defineJob({
  name: 'audit.prune-events',
  queue: 'maintenance',
  attempts: 5,
  backoff: { type: 'exponential', delayMs: 60_000 },
  timeoutMs: 3_600_000,
  schedule: { cron: '17 3 * * *', payload: {} },
});
