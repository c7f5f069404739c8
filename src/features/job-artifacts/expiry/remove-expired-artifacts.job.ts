import { defineJob } from '#kernel/queue/job-definition.js';

/** Locked ones are not in the index; an unlocked pipeline is never locked again. */
export const EXPIRED = 'expire_at <= now() and not kept and not locked';

/** Removes expired artifacts. */
export const RemoveExpiredArtifactsJob = defineJob<Readonly<Record<string, never>>>({
  name: 'artifacts.remove_expired',
  queue: 'default',
  attempts: 3,
  backoff: { type: 'exponential', delayMs: 5_000 },
  dedupe: () => '',
  schedule: {
    cron: '*/3 * * * *',
    payload: {},
    when: `exists (select from ci_job_artifacts where ${EXPIRED})`,
  },
});
