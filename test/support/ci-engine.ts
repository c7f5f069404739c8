import { expect } from '@jest/globals';
import { Transactions } from '#kernel/database/transactions.js';
import { JobVariablesService } from '#core/ci/creation/job-variables.service.js';
import { StoredJobDefinition } from '#core/ci/jobs/definition/job-definition.entity.js';
import { Job } from '#core/ci/jobs/job.entity.js';
import type { CiStatus } from '#core/ci/jobs/job-status.js';
import { Pipeline } from '#core/ci/pipelines/pipeline.entity.js';
import { PipelinesService } from '#core/ci/pipelines/pipelines.service.js';
import { JobTransitionsService, type JobChange } from '#core/ci/processing/job-transitions.service.js';
import { ProcessPipeline } from '#core/ci/processing/process-pipeline.use-case.js';
import type { TestApi } from './api.js';
import type { Answer } from './client.js';
import { buildCodeProject, type CodeProject } from './builders/code-project.js';
import { until } from './until.js';

/** A project whose pipelines a test advances without a runner. */
export class CiEngine {
  private constructor(
    readonly api: TestApi,
    readonly project: CodeProject,
  ) {}

  /** A project with two commits on `main` and no configuration. */
  static async start(api: TestApi, attributes: Readonly<Record<string, unknown>> = {}): Promise<CiEngine> {
    return new CiEngine(api, await buildCodeProject(api, undefined, attributes));
  }

  /** Puts a configuration on `main` without the service, so that no pipeline is created. Returns the commit. */
  async configure(yaml: string, files: Readonly<Record<string, string>> = {}): Promise<string> {
    const { work, repositoryPath } = this.project;
    const sha = await work.commit({ ...files, '.gitlab-ci.yml': yaml }, 'Configure');
    await work.git('push', '--quiet', '--force', repositoryPath, 'main');
    return sha;
  }

  /** Creates a pipeline of `main` over the API, as a maintainer, and returns its id. */
  async create(values: Readonly<Record<string, unknown>> = {}): Promise<number> {
    const made = await this.project.maintainer.post<{ id: number; message?: unknown }>(
      `/projects/${this.project.id}/pipeline`,
      { ref: 'main', ...values },
    );
    expect(made.body.message).toBeUndefined();
    expect(made.status).toBe(201);
    return made.body.id;
  }

  /** Puts a configuration on `main`, and creates a pipeline. */
  async run(yaml: string, files: Readonly<Record<string, string>> = {}): Promise<number> {
    await this.configure(yaml, files);
    return this.create();
  }

  /** Status of the pipeline and of each current job, in order: `pipeline:running build:success test:pending`. */
  async state(pipelineId: number): Promise<string> {
    const jobs = await this.api.sql<{ text: string }>(
      `select 'pipeline:' || status as text, -1 as place, 0 as id from ci_pipelines where id = $1
       union all select name || ':' || status, stage_index, id from ci_jobs where pipeline_id = $1 and not retried
       order by place, id`,
      [pipelineId],
    );
    return jobs.map(({ text }) => text).join(' ');
  }

  /** Waits until `state` has the given value. */
  async reaches(pipelineId: number, expected: string): Promise<void> {
    await until(async () => (await this.state(pipelineId)) === expected).catch(async () =>
      expect(await this.state(pipelineId)).toBe(expected),
    );
  }

  /** Id of the current job with that name; not of a later status from outside. */
  async job(pipelineId: number, name: string): Promise<number> {
    const [row] = await this.api.sql<{ id: number }>(
      'select id from ci_jobs where pipeline_id = $1 and name = $2 and not retried order by id',
      [pipelineId, name],
    );
    if (!row) throw new Error(`No job ${name}`);
    return row.id;
  }

  /** Takes a job through the given statuses, as calls of a runner would; pending jobs run first. Returns the state. */
  async end(pipelineId: number, name: string, status: CiStatus, change: JobChange = {}): Promise<string> {
    const id = await this.job(pipelineId, name);
    const { app } = this.api;
    await app.get(Transactions).run(async (tx) => {
      const { pipeline, job } = await app.get(PipelinesService).lockJob(tx, this.project.id, id);
      const transitions = app.get(JobTransitionsService);
      if (job.status === 'pending') await transitions.move(tx, job, 'running');
      if (status !== 'running') await transitions.move(tx, job, status, change);
      await app.get(ProcessPipeline).process(tx, pipeline);
    });
    return this.state(pipelineId);
  }

  /** Acts on the current job with that name, through the API, as a developer. */
  async act(
    pipelineId: number,
    name: string,
    action: 'play' | 'retry' | 'cancel' | 'erase',
    values: Readonly<Record<string, unknown>> = {},
  ): Promise<Answer<{ id: number; status: string; user: { id: number } }>> {
    const path = `/projects/${this.project.id}/jobs/${await this.job(pipelineId, name)}/${action}`;
    return this.project.developer.post(path, values);
  }

  /** Changes the project, as a maintainer. */
  put(values: Readonly<Record<string, unknown>>): Promise<Answer> {
    return this.project.maintainer.put(`/projects/${this.project.id}`, values);
  }

  /** The variables that a job gets, by their keys. */
  async variablesOf(jobId: number): Promise<ReadonlyMap<string, string>> {
    const { app } = this.api;
    const variables = await app.get(Transactions).run(async (tx) => {
      const job = await tx.findOneByOrFail(Job, { id: jobId });
      const stored = await tx.findOneByOrFail(StoredJobDefinition, { jobId });
      const pipeline = await tx.findOneByOrFail(Pipeline, { id: job.pipelineId });
      return app.get(JobVariablesService).of(pipeline, job, stored);
    });
    return new Map(variables.map(({ key, value }) => [key, value]));
  }

  /** Ids of the pipelines of the project with a source, oldest first. */
  async pipelines(source: string): Promise<number[]> {
    const rows = await this.api.sql<{ id: number }>(
      'select id from ci_pipelines where project_id = $1 and source = $2 order by id',
      [this.project.id, source],
    );
    return rows.map(({ id }) => id);
  }
}
