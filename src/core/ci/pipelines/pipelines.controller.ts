import { Controller, Get } from '@nestjs/common';
import { Access } from '#kernel/access/access.js';
import { CurrentCaller, CurrentProject, type Caller, type ProjectSubject } from '#kernel/access/caller.js';
import { seesSecrets } from '#kernel/access/credential-bounds.js';
import { Role } from '#kernel/access/roles.js';
import { forbidden, notFound } from '#kernel/http/errors.js';
import { Params } from '#kernel/http/fields/params.js';
import { Links } from '#kernel/http/links.js';
import type { Page } from '#kernel/http/paging/page.js';
import { Paged } from '#kernel/http/paging/paged.js';
import { Returns, ReturnsList } from '#kernel/http/answers/returns.js';
import { SealedVariablesService } from '../jobs/definition/sealed-variables.service.js';
import { assertMayReadJobs, JOB_OPEN_READ, JOB_WRITE } from '../jobs/job-access.js';
import { LatestPipelinesService } from './latest-pipelines.service.js';
import { PipelineBasicRecord, presentPipelineBasic } from './records/pipeline-basic.record.js';
import { PipelineVariableRecord, presentPipelineVariable } from './records/pipeline-variable.record.js';
import { PipelineRecord, presentPipeline } from './records/pipeline.record.js';
import { FindPipelineParams, LatestPipelineParams, ListPipelinesParams } from './pipelines.params.js';
import { PipelinesQueries } from './pipelines.queries.js';

/** Pipelines of a project (`ci.md` 5.3). */
@Controller('api/v4/projects/:id/pipelines')
export class PipelinesController {
  constructor(
    private readonly queries: PipelinesQueries,
    private readonly latestPipelines: LatestPipelinesService,
    private readonly sealed: SealedVariablesService,
    private readonly links: Links,
  ) {}

  @Get()
  @Access(JOB_OPEN_READ)
  @ReturnsList(PipelineBasicRecord)
  async list(
    @CurrentProject() project: ProjectSubject,
    @CurrentCaller() caller: Caller,
    @Params() params: ListPipelinesParams,
    @Paged() page: Page,
  ): Promise<PipelineBasicRecord[]> {
    assertMayReadJobs(caller);
    const web = this.links.project(project.fullPath);
    const rows = await page.load(this.queries.list(project.id, params));
    return rows.map((row) => presentPipelineBasic(row, web));
  }

  @Get('latest')
  @Access(JOB_OPEN_READ)
  @Returns(PipelineRecord)
  async latest(
    @CurrentProject() project: ProjectSubject,
    @CurrentCaller() caller: Caller,
    @Params() { ref }: LatestPipelineParams,
  ): Promise<PipelineRecord> {
    assertMayReadJobs(caller);
    return this.present(project, await this.latestPipelines.find(project, ref));
  }

  @Get(':pipeline_id')
  @Access(JOB_OPEN_READ)
  @Returns(PipelineRecord)
  async find(
    @CurrentProject() project: ProjectSubject,
    @CurrentCaller() caller: Caller,
    @Params() { pipeline_id: id }: FindPipelineParams,
  ): Promise<PipelineRecord> {
    assertMayReadJobs(caller);
    return this.present(project, id);
  }

  /** Returns the variables, for Maintainers and for the Developer who gave them. */
  @Get(':pipeline_id/variables')
  @Access(JOB_WRITE)
  @ReturnsList(PipelineVariableRecord)
  async variables(
    @CurrentProject() project: ProjectSubject,
    @CurrentCaller() { role, actor, credential }: Caller,
    @Params() { pipeline_id: id }: FindPipelineParams,
    @Paged() page: Page,
  ): Promise<PipelineVariableRecord[]> {
    const row = await this.queries.variables(project.id, id);
    if (!row) throw notFound('Pipeline');
    if (role < Role.Maintainer && row.user_id !== actor?.id) throw forbidden();
    const shown = page.slice(this.sealed.openOfPipeline(row.variables));
    return shown.map((variable) => presentPipelineVariable(variable, seesSecrets(credential)));
  }

  private async present(project: ProjectSubject, id: number | null): Promise<PipelineRecord> {
    const row = id === null ? null : await this.queries.find(project.id, id);
    if (!row) throw notFound('Pipeline');
    return presentPipeline(row, this.links.project(project.fullPath), this.links);
  }
}
