import { defineJob } from '#kernel/queue/job-definition.js';
import type { OwnerType } from '#core/repositories/repository-ref.js';

/** All owners of a type on a storage; without a destination one is chosen for each. */
export type ScheduleMovesPayload = Readonly<{
  ownerType: OwnerType;
  source: string;
  destination: string | null;
  userId: number | null;
}>;

/** Schedules the moves of all owners on a storage. */
export const ScheduleMovesJob = defineJob<ScheduleMovesPayload>({
  name: 'storage-moves.schedule',
  queue: 'default',
  attempts: 10,
  backoff: { type: 'exponential', delayMs: 1_000, maxMs: 30_000 },
});
