import { Controller, Get } from '@nestjs/common';
import { Access } from '#kernel/access/access.js';
import { CurrentCaller, CurrentProject, type Caller, type ProjectSubject } from '#kernel/access/caller.js';
import { maySeeCode } from '#kernel/access/project-parts.js';
import { notFound } from '#kernel/http/errors.js';
import { Params } from '#kernel/http/fields/params.js';
import { Links } from '#kernel/http/links.js';
import type { Page } from '#kernel/http/paging/page.js';
import { Paged } from '#kernel/http/paging/paged.js';
import { ReturnsList } from '#kernel/http/answers/returns.js';
import { BridgeRecord, presentBridge } from '../jobs/bridge.record.js';
import { assertMayReadJobs, JOB_OPEN_READ } from '../jobs/job-access.js';
import { JobQueries, type PipelineJobs } from '../jobs/job.queries.js';
import { JobRecord, presentJob } from '../jobs/job.record.js';
import { ListPipelineJobsParams } from '../jobs/jobs.params.js';

/** Lists of the jobs of a pipeline. */
@Controller('api/v4/projects/:id/pipelines/:pipeline_id')
export class PipelineJobsController {
  constructor(
    private readonly queries: JobQueries,
    private readonly links: Links,
  ) {}

  @Get('jobs')
  @Access(JOB_OPEN_READ)
  @ReturnsList(JobRecord)
  async list(
    @CurrentProject() project: ProjectSubject,
    @CurrentCaller() caller: Caller,
    @Params() params: ListPipelineJobsParams,
    @Paged() page: Page,
  ): Promise<JobRecord[]> {
    assertMayReadJobs(caller);
    const rows = await page.load(this.queries.ofPipeline(wanted(project, params)));
    if (rows.length === 0) await this.assertExists(project, params);
    return rows.map((row) => presentJob(row, this.links, maySeeCode(caller)));
  }

  @Get('bridges')
  @Access(JOB_OPEN_READ)
  @ReturnsList(BridgeRecord)
  async bridges(
    @CurrentProject() project: ProjectSubject,
    @CurrentCaller() caller: Caller,
    @Params() params: ListPipelineJobsParams,
    @Paged() page: Page,
  ): Promise<BridgeRecord[]> {
    assertMayReadJobs(caller);
    const rows = await page.load(this.queries.bridges(wanted(project, params)));
    if (rows.length === 0) await this.assertExists(project, params);
    return rows.map((row) => presentBridge(row, this.links, maySeeCode(caller)));
  }

  private async assertExists(
    project: ProjectSubject,
    { pipeline_id: id }: ListPipelineJobsParams,
  ): Promise<void> {
    if (!(await this.queries.hasPipeline(project.id, id))) throw notFound('Pipeline');
  }
}

const wanted = (project: ProjectSubject, params: ListPipelineJobsParams): PipelineJobs => ({
  projectId: project.id,
  pipelineId: params.pipeline_id,
  scope: params.scope ?? [],
  withRetried: params.include_retried ?? false,
});
