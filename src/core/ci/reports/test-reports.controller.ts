import { Controller, Get } from '@nestjs/common';
import { Access } from '#kernel/access/access.js';
import { CurrentCaller, CurrentProject, type Caller, type ProjectSubject } from '#kernel/access/caller.js';
import { Role } from '#kernel/access/roles.js';
import { notFound } from '#kernel/http/errors.js';
import { Params } from '#kernel/http/fields/params.js';
import type { JsonText } from '#kernel/http/json-text.js';
import { Refuses } from '#kernel/http/answers/refuses.js';
import { Returns } from '#kernel/http/answers/returns.js';
import { assertMayReadJobs, JOB_OPEN_READ } from '../jobs/job-access.js';
import { JobQueries } from '../jobs/job.queries.js';
import { FindPipelineParams } from '../pipelines/pipelines.params.js';
import { TestReportRecord, TestReportSummaryRecord } from './test-report.record.js';
import { TestReportsQueries } from './test-reports.queries.js';

const TOO_MUCH = { 429: 'Other requests of the same user are waiting' };

/** Test results of pipelines, from the JUnit reports of their jobs. */
@Controller('api/v4/projects/:id/pipelines/:pipeline_id')
export class TestReportsController {
  constructor(
    private readonly reports: TestReportsQueries,
    private readonly queries: JobQueries,
  ) {}

  @Get('test_report')
  @Access(JOB_OPEN_READ)
  @Returns(TestReportRecord)
  @Refuses(TOO_MUCH)
  async report(
    @CurrentProject() project: ProjectSubject,
    @CurrentCaller() caller: Caller,
    @Params() { pipeline_id: id }: FindPipelineParams,
  ): Promise<JsonText> {
    return this.reports.report(id, await this.withPrivate(project, caller, id));
  }

  @Get('test_report_summary')
  @Access(JOB_OPEN_READ)
  @Returns(TestReportSummaryRecord)
  @Refuses(TOO_MUCH)
  async summary(
    @CurrentProject() project: ProjectSubject,
    @CurrentCaller() caller: Caller,
    @Params() { pipeline_id: id }: FindPipelineParams,
  ): Promise<TestReportSummaryRecord> {
    return this.reports.summary(id, await this.withPrivate(project, caller, id));
  }

  private async withPrivate(project: ProjectSubject, caller: Caller, pipelineId: number): Promise<boolean> {
    assertMayReadJobs(caller);
    if (!(await this.queries.hasPipeline(project.id, pipelineId))) throw notFound('Pipeline');
    return caller.role >= Role.Developer;
  }
}
