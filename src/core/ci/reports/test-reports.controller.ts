import { Controller, Get } from '@nestjs/common';
import { Access } from '#kernel/access/access.js';
import { CurrentCaller, CurrentProject, type Caller, type ProjectSubject } from '#kernel/access/caller.js';
import { Role } from '#kernel/access/roles.js';
import { NotFound } from '#kernel/http/errors.js';
import { Params } from '#kernel/http/fields/params.js';
import { Returns } from '#kernel/http/returns.js';
import { assertMayReadJobs, JOB_OPEN_READ } from '../jobs/job-access.js';
import { JobQueries } from '../jobs/job.queries.js';
import { FindPipeline } from '../pipelines/pipelines.params.js';
import {
  presentTestReport,
  presentTestSummary,
  TestReportRecord,
  TestReportSummaryRecord,
  type TestSuite,
} from './test-report.record.js';
import { TestReports } from './test-reports.js';

/** What the tests of a pipeline have come to, from the JUnit reports of its jobs. */
@Controller('api/v4/projects/:id/pipelines/:pipeline_id')
export class TestReportsController {
  constructor(
    private readonly reports: TestReports,
    private readonly queries: JobQueries,
  ) {}

  @Get('test_report')
  @Access(JOB_OPEN_READ)
  @Returns(TestReportRecord)
  async report(
    @CurrentProject() project: ProjectSubject,
    @CurrentCaller() caller: Caller,
    @Params() params: FindPipeline,
  ): Promise<TestReportRecord> {
    return presentTestReport(await this.read(project, caller, params));
  }

  @Get('test_report_summary')
  @Access(JOB_OPEN_READ)
  @Returns(TestReportSummaryRecord)
  async summary(
    @CurrentProject() project: ProjectSubject,
    @CurrentCaller() caller: Caller,
    @Params() params: FindPipeline,
  ): Promise<TestReportSummaryRecord> {
    return presentTestSummary(await this.read(project, caller, params));
  }

  private async read(
    project: ProjectSubject,
    caller: Caller,
    { pipeline_id: id }: FindPipeline,
  ): Promise<TestSuite[]> {
    assertMayReadJobs(caller);
    if (!(await this.queries.hasPipeline(project.id, id))) throw NotFound('Pipeline');
    return this.reports.read(id, caller.role >= Role.Developer);
  }
}
