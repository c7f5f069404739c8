import { defineJob } from '#kernel/queue/job-definition.js';
import { OWNER_TABLES } from '#core/repositories/repository-ref.js';
import { UNFINISHED } from '../storage-move.js';

/** Unfinished moves, or read-only owners. */
const OPEN = [
  `exists (select from storage_moves where ${UNFINISHED})`,
  ...Object.values(OWNER_TABLES).map((table) => `exists (select from ${table} where repository_read_only)`),
].join(' or ');

/** Restarts moves without a job, and releases owners left read-only. */
export const WatchMovesJob = defineJob<Readonly<Record<string, never>>>({
  name: 'storage-moves.watch',
  queue: 'maintenance',
  attempts: 5,
  backoff: { type: 'fixed', delayMs: 1_000 },
  dedupe: () => 'all',
  schedule: { cron: '*/15 * * * * *', payload: {}, when: OPEN },
});
