import { Injectable } from '@nestjs/common';
import { ReadDatabase } from '#kernel/database/reads/read-database.js';
import type { CiStatus } from '#core/ci/jobs/job-status.js';

/** A job that stops an environment. */
export interface StopJob {
  readonly id: number;
  readonly status: CiStatus;
  /** The user who made the deployment that it stops. */
  readonly deployerId: number | null;
}

/** From the pipeline of the last deployment: playable jobs that its deployments name. */
const STOP_JOBS = `with last as (
    select j.pipeline_id, e.name, e.id as environment_id from environments e
      join deployments d on d.id = (select id from deployments where environment_id = e.id and status = 'success'
        order by finished_at desc, iid desc limit 1)
      join ci_jobs j on j.id = d.job_id
    where e.project_id = $1 and e.id = $2)
  select distinct on (s.id) s.id, s.status, d.user_id as "deployerId" from last
    join ci_jobs b on b.pipeline_id = last.pipeline_id
    join deployments d on d.job_id = b.id and d.environment_id = last.environment_id and d.status = 'success'
    join ci_jobs s on s.pipeline_id = last.pipeline_id and s.name = d.on_stop
  where s.environment = last.name and s.environment_action = 'stop' and s."when" = 'manual' and not s.retried
  order by s.id`;

/** Reads the stop jobs of environments. */
@Injectable()
export class StopJobsQueries {
  constructor(private readonly database: ReadDatabase) {}

  /** Lists the stop jobs of the last deployment to an environment, oldest first. */
  of(projectId: number, environmentId: number): Promise<StopJob[]> {
    return this.database.short<StopJob>(STOP_JOBS, [projectId, environmentId]);
  }
}
