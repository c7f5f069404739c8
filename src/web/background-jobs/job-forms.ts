import { Id, OneOf, Text } from '#kernel/http/fields/scalar-fields.js';
import { JOB_STANDINGS, type JobStanding } from '#kernel/queue/console/job-listing.js';
import { JOBS_PATH } from './paths.js';

/** Filters of the job list; an empty value means no filter. */
export class JobFilters {
  @OneOf(['', ...JOB_STANDINGS], { optional: true })
  state: JobStanding | '' = '';

  @Text({ optional: true, maxLength: 100 })
  queue = '';
}

/** Path parameters of a job, with the filters of the list to return to. */
export class ListedJobPath extends JobFilters {
  @Id({ min: 1 })
  job_id!: number;
}

/** Query string of a filter. */
export const queryOf = ({ state, queue }: JobFilters): URLSearchParams =>
  new URLSearchParams(Object.entries({ state, queue }).filter(([, value]) => value !== ''));

/** A path below the page, with the current filter. */
export function withFilter(filter: JobFilters, below = ''): string {
  const query = queryOf(filter).toString();
  return `${JOBS_PATH}${below}${query === '' ? '' : `?${query}`}`;
}
