import { defineJob } from '#kernel/queue/job-definition.js';

const OPEN = `exists (select from bulk_imports where status in ('created', 'started'))
  or exists (select from bulk_import_entities where status = 'started')`;

/** Restarts work of migrations that no job carries out. */
export const WatchImportsJob = defineJob<Readonly<Record<string, never>>>({
  name: 'bulk-imports.watch',
  queue: 'maintenance',
  attempts: 5,
  backoff: { type: 'fixed', delayMs: 1_000 },
  dedupe: () => 'all',
  schedule: { cron: '*/15 * * * * *', payload: {}, when: OPEN },
});
