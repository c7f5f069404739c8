import { defineJob } from '#kernel/queue/job-definition.js';

/** Makes a backup if BACKUP_TARGET is set and the last one is old enough. */
export const CreateBackupJob = defineJob({
  name: 'backups.create',
  queue: 'backups',
  slots: 1,
  attempts: 2,
  backoff: { type: 'fixed', delayMs: 600_000 },
  timeoutMs: 24 * 3_600_000,
  dedupe: () => 'all',
  schedule: { cron: '23 * * * *', payload: {} },
});
