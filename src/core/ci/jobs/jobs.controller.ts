import { Controller, Get, Res, type StreamableFile } from '@nestjs/common';
import type { Response } from 'express';
import { Access } from '#kernel/access/access.js';
import { CurrentCaller, CurrentProject, type Caller, type ProjectSubject } from '#kernel/access/caller.js';
import { maySeeCode } from '#kernel/access/project-parts.js';
import { Role } from '#kernel/access/roles.js';
import { forbidden, notFound } from '#kernel/http/errors.js';
import { Params } from '#kernel/http/fields/params.js';
import { Links } from '#kernel/http/links.js';
import type { Page } from '#kernel/http/paging/page.js';
import { Paged } from '#kernel/http/paging/paged.js';
import { Returns, ReturnsFile, ReturnsList } from '#kernel/http/answers/returns.js';
import { assertMayReadJobs, JOB_READ } from './job-access.js';
import { JobTraceService } from './job-trace.service.js';
import { JobQueries } from './job.queries.js';
import { JobRecord, presentJob } from './job.record.js';
import { JobsLimit } from './actions/jobs.limit.js';
import { FindJobParams, ListJobsParams } from './jobs.params.js';

/** Jobs of a project (`ci.md` 5.2). */
@Controller('api/v4/projects/:id/jobs')
export class JobsController {
  constructor(
    private readonly queries: JobQueries,
    private readonly trace: JobTraceService,
    private readonly limit: JobsLimit,
    private readonly links: Links,
  ) {}

  @Get()
  @Access(JOB_READ)
  @ReturnsList(JobRecord)
  async list(
    @CurrentProject() project: ProjectSubject,
    @CurrentCaller() caller: Caller,
    @Params() { scope = [] }: ListJobsParams,
    @Paged() page: Page,
  ): Promise<JobRecord[]> {
    assertMayReadJobs(caller);
    await this.limit.admit(project.id);
    const rows = await page.load(this.queries.list(project.id, scope));
    return rows.map((row) => presentJob(row, this.links, maySeeCode(caller)));
  }

  @Get(':job_id')
  @Access(JOB_READ)
  @Returns(JobRecord)
  async find(
    @CurrentProject() project: ProjectSubject,
    @CurrentCaller() caller: Caller,
    @Params() { job_id: id }: FindJobParams,
  ): Promise<JobRecord> {
    assertMayReadJobs(caller);
    const row = await this.queries.find(project.id, id);
    if (!row) throw notFound('Job');
    return presentJob(row, this.links, maySeeCode(caller));
  }

  @Get(':job_id/trace')
  @Access(JOB_READ)
  @ReturnsFile('Output of the job', { type: 'text/plain' })
  async read(
    @CurrentProject() project: ProjectSubject,
    @CurrentCaller() caller: Caller,
    @Params() { job_id: id }: FindJobParams,
    @Res({ passthrough: true }) response: Response,
  ): Promise<StreamableFile | undefined> {
    assertMayReadJobs(caller);
    const job = await this.queries.traceOf(project.id, id);
    if (!job) throw notFound('Job');
    // Debug traces show all variables of the job.
    if (job.debug_trace && caller.role < Role.Developer) throw forbidden();
    return this.trace.send(response, job.id);
  }
}
