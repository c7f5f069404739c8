/**
 * SQL condition: users below Reporter who can see the project with this alias may read its jobs and pipelines,
 * as in `mayReadJobs`.
 */
export const publicJobsSql = (project: string): string =>
  `coalesce((${project}.settings->>'public_jobs')::boolean, true)`;
