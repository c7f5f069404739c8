import { defineJob } from '#kernel/queue/job-definition.js';

/** Claims whose time is over. */
export const DUE = 'due_at <= now()';

/** Removes objects that no row holds any more. */
export const RemoveObjectsJob = defineJob<Readonly<Record<string, never>>>({
  name: 'objects.remove',
  queue: 'default',
  attempts: 3,
  backoff: { type: 'exponential', delayMs: 5_000 },
  schedule: { cron: '* * * * *', payload: {}, when: `exists (select from object_claims where ${DUE})` },
});
