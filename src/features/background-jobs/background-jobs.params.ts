import { Id, OneOf, Text } from '#kernel/http/fields/scalar-fields.js';
import { JOB_STANDINGS, type JobStanding } from '#kernel/queue/console/job-listing.js';

const QUEUE_NAME = { maxLength: 100, matches: /^[a-z0-9_.-]+$/ };

/** Filters of a list of background jobs. */
export class ListBackgroundJobsParams {
  @OneOf(JOB_STANDINGS, { optional: true, description: 'Only jobs in this state' })
  state?: JobStanding;

  @Text({ ...QUEUE_NAME, optional: true, description: 'Only jobs of this queue' })
  queue?: string;
}

/** Path parameters of a background job. */
export class FindBackgroundJobParams {
  @Id({ min: 1, description: 'Id of the background job' })
  job_id!: number;
}

/** Path parameters of a queue. */
export class FindBackgroundQueueParams {
  @Text({ ...QUEUE_NAME, description: 'Name of the queue' })
  name!: string;
}
