import { Count, Decimal, Id, IsoTime, OneOf, Text } from '#kernel/http/fields/scalar-fields.js';
import { JOB_STANDINGS, type JobStanding, type ListedJob } from '#kernel/queue/console/job-listing.js';

/** A background job as administrators see it. */
export class BackgroundJobRecord {
  @Id()
  id!: number;

  @Text({ example: 'mail' })
  queue!: string;

  @Text({ description: 'Kind of the job', example: 'mail.send' })
  name!: string;

  @OneOf(JOB_STANDINGS, { description: 'State of the job' })
  state!: JobStanding;

  @Count({ description: 'Attempts that have started' })
  attempt!: number;

  @Text({
    nullable: true,
    description: 'JSON without secrets, cut where it is long; null where it is too large to show',
  })
  payload!: string | null;

  @IsoTime({ description: 'When it is due, or was' })
  run_at!: string;

  @Decimal({ nullable: true, description: 'Seconds for which it has been running' })
  running_seconds!: number | null;

  @IsoTime({ nullable: true, description: 'When its last attempt failed' })
  failed_at!: string | null;

  @Text({ nullable: true, description: 'Error of the last attempt that failed' })
  error!: string | null;

  @Text({ nullable: true, description: 'Id of the request that enqueued it' })
  correlation_id!: string | null;
}

/** Presents a job. */
export const presentBackgroundJob = ({ standing, ...job }: ListedJob): BackgroundJobRecord => ({
  id: job.id,
  queue: job.queue,
  name: job.name,
  state: standing,
  attempt: job.attempt,
  payload: job.payload,
  run_at: job.runAt.toISOString(),
  running_seconds: job.runningSeconds,
  failed_at: job.failedAt?.toISOString() ?? null,
  error: job.error,
  correlation_id: job.correlationId,
});
