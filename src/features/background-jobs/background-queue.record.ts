import { Count, Decimal, IsoTime, Text } from '#kernel/http/fields/scalar-fields.js';
import type { QueueStanding } from '#kernel/queue/console/queue-states.js';

/** A queue of background jobs as administrators see it. */
export class BackgroundQueueRecord {
  @Text({ example: 'mail' })
  name!: string;

  @Count({ description: 'Due jobs that have not started; counted up to about 10,000' })
  waiting!: number;

  @Decimal({ description: 'Age of the oldest of them in seconds' })
  oldest_waiting_seconds!: number;

  @Count({ description: 'Running jobs' })
  running!: number;

  @Count({ description: 'Scheduled jobs; counted up to 10,001' })
  delayed!: number;

  @Count({ description: 'Jobs kept after their last attempt' })
  failed!: number;

  @IsoTime({ nullable: true, description: 'Time since when none of its jobs starts; null if they do' })
  paused_at!: string | null;
}

/** Presents a queue. */
export const presentBackgroundQueue = ({
  queue,
  oldestSeconds,
  pausedAt,
  ...counts
}: QueueStanding): BackgroundQueueRecord => ({
  name: queue,
  waiting: counts.waiting,
  oldest_waiting_seconds: oldestSeconds,
  running: counts.running,
  delayed: counts.delayed,
  failed: counts.failed,
  paused_at: pausedAt?.toISOString() ?? null,
});
