import { defineJob } from '#kernel/queue/job-definition.js';

/** Enqueues mails for the alerts of a project that its maintainers have not been notified of. */
export const GatherAlertMailsJob = defineJob<Readonly<{ projectId: number }>>({
  name: 'notifications.gather-alerts',
  queue: 'notifications',
  attempts: 8,
  backoff: { type: 'exponential', delayMs: 5_000 },
  timeoutMs: 120_000,
  dedupe: ({ projectId }) => String(projectId),
});
