import { defineJob } from '#kernel/queue/job-definition.js';

/** Claims that have expired. */
export const DUE = 'due_at <= now()';

/** Removes objects that rows no longer reference. */
export const RemoveObjectsJob = defineJob<Readonly<Record<string, never>>>({
  name: 'objects.remove',
  queue: 'default',
  attempts: 3,
  backoff: { type: 'exponential', delayMs: 5_000 },
  schedule: { cron: '* * * * *', payload: {}, when: `exists (select from object_claims where ${DUE})` },
});
