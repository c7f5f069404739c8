import { Controller, Get } from '@nestjs/common';
import { Access } from '#kernel/access/access.js';
import { CurrentCaller, CurrentProject, type Caller, type ProjectSubject } from '#kernel/access/caller.js';
import { notFound } from '#kernel/http/errors.js';
import { Params } from '#kernel/http/fields/params.js';
import { Links } from '#kernel/http/links.js';
import type { Page } from '#kernel/http/paging/page.js';
import { Paged } from '#kernel/http/paging/paged.js';
import { ReturnsList } from '#kernel/http/answers/returns.js';
import { assertMayReadPipelines } from '#core/ci/jobs/job-access.js';
import {
  PipelineBasicRecord,
  presentPipelineBasic,
} from '#core/ci/pipelines/records/pipeline-basic.record.js';
import { PACKAGE_USER_READ, refuseOauth } from './package-access.js';
import { FindPackageParams } from './packages.params.js';
import { PackagesQueries } from './packages.queries.js';

/** Pipelines that published a package (`api-v4.md` 8.1). */
@Controller('api/v4/projects/:id/packages')
export class PackagePipelinesController {
  constructor(
    private readonly queries: PackagesQueries,
    private readonly links: Links,
  ) {}

  @Get(':package_id/pipelines')
  @Access(PACKAGE_USER_READ)
  @ReturnsList(PipelineBasicRecord)
  async list(
    @CurrentProject() project: ProjectSubject,
    @CurrentCaller() caller: Caller,
    @Params() { package_id: id }: FindPackageParams,
    @Paged() page: Page,
  ): Promise<PipelineBasicRecord[]> {
    refuseOauth(caller);
    assertMayReadPipelines(caller);
    if (!(await this.queries.find(project.id, id))) throw notFound('Package');
    const rows = await page.load(this.queries.pipelines(id));
    const web = this.links.project(project.fullPath);
    return rows.map((row) => presentPipelineBasic(row, web));
  }
}
