import { defineJob } from '#kernel/queue/job-definition.js';

/** Wants mails for the alerts of a project of which its maintainers have not been told. */
export const GatherAlertMailsJob = defineJob<Readonly<{ projectId: number }>>({
  name: 'notifications.gather-alerts',
  queue: 'notifications',
  attempts: 8,
  backoff: { type: 'exponential', delayMs: 5_000 },
  timeoutMs: 120_000,
  dedupe: ({ projectId }) => String(projectId),
});
