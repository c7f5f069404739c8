import type { JobDefinition } from '#core/ci/jobs/definition/job-definition.js';
import type { Job } from '#core/ci/jobs/job.entity.js';
import type { TestApi } from './api.js';
import { buildPipeline, buildRunningJob } from './builders/ci.js';
import { buildProjectTeam, type ProjectTeam } from './builders/project-team.js';
import type { Answer } from './client.js';

/** A job that runs, as its runner knows it. */
export interface Running {
  readonly id: number;
  readonly token: string;
}

/** The environment of jobs, and their observable state. */
export class JobDesk {
  private constructor(
    private readonly api: TestApi,
    readonly team: ProjectTeam,
  ) {}

  static async build(api: TestApi): Promise<JobDesk> {
    return new JobDesk(api, await buildProjectTeam(api));
  }

  /** A running job, in its own pipeline. */
  async run(values: Partial<Job> = {}, definition: Partial<JobDefinition> = {}): Promise<Running> {
    const pipeline = await buildPipeline(this.api, this.team.projectId, { status: 'running' });
    const { job, token } = await buildRunningJob(this.api, pipeline, values, definition);
    return { id: job.id, token };
  }

  /** Updates it as its runner. */
  update(job: Running, body: object, headers: Record<string, string> = {}): Promise<Answer> {
    return this.api.anonymous.put(`/jobs/${job.id}`, { token: job.token, ...body }, headers);
  }

  async row({ id }: Running): Promise<Record<string, unknown>> {
    const [row] = await this.api.sql<Record<string, unknown>>('select * from ci_jobs where id = $1', [id]);
    return row ?? {};
  }

  /** The job as shown to users. */
  async trace({ id }: Running): Promise<string> {
    return (await this.team.developer.get(`/projects/${this.team.projectId}/jobs/${id}/trace`)).text;
  }
}
