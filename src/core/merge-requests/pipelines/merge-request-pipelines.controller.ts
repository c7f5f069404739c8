import { Controller, Get, Post } from '@nestjs/common';
import { Access } from '#kernel/access/access.js';
import { CurrentCaller, CurrentProject, type Caller, type ProjectSubject } from '#kernel/access/caller.js';
import { Role } from '#kernel/access/roles.js';
import { invalid, notFound } from '#kernel/http/errors.js';
import { Params } from '#kernel/http/fields/params.js';
import { Links } from '#kernel/http/links.js';
import type { Page } from '#kernel/http/paging/page.js';
import { Paged } from '#kernel/http/paging/paged.js';
import { Returns, ReturnsList } from '#kernel/http/answers/returns.js';
import { assertMayReadPipelines, askedBy } from '#core/ci/jobs/job-access.js';
import {
  PipelineBasicRecord,
  presentPipelineBasic,
} from '#core/ci/pipelines/records/pipeline-basic.record.js';
import { PipelineRecord, presentPipeline } from '#core/ci/pipelines/records/pipeline.record.js';
import { MergeRequestFinder } from '../merge-request.finder.js';
import { MERGE_REQUEST_READ } from '../merge-request.access.js';
import { CreateAskedPipeline } from './create-asked-pipeline.use-case.js';
import { FindMergeRequestPipelinesParams } from './merge-request-pipelines.params.js';
import { MergeRequestPipelinesQueries } from './merge-request-pipelines.queries.js';

/** Pipelines of a merge request (`planning.md` 5.3). */
@Controller('api/v4/projects/:id/merge_requests/:merge_request_iid/pipelines')
export class MergeRequestPipelinesController {
  constructor(
    private readonly access: MergeRequestFinder,
    private readonly queries: MergeRequestPipelinesQueries,
    private readonly pipelines: CreateAskedPipeline,
    private readonly links: Links,
  ) {}

  @Get()
  @Access(MERGE_REQUEST_READ)
  @ReturnsList(PipelineBasicRecord)
  async list(
    @CurrentProject() project: ProjectSubject,
    @CurrentCaller() caller: Caller,
    @Params() { merge_request_iid: iid }: FindMergeRequestPipelinesParams,
    @Paged() page: Page,
  ): Promise<PipelineBasicRecord[]> {
    assertMayReadPipelines(caller);
    const { id } = await this.access.find(caller, iid);
    const rows = await page.load(this.queries.list(project.id, id, caller.actor));
    return rows.map((row) => presentPipelineBasic(row, this.links.project(row.project_path)));
  }

  @Post()
  @Access({ project: Role.Developer, feature: 'merge_requests' })
  @Returns(PipelineRecord, 201)
  async create(
    @CurrentProject() project: ProjectSubject,
    @CurrentCaller() caller: Caller,
    @Params() { merge_request_iid: iid }: FindMergeRequestPipelinesParams,
  ): Promise<PipelineRecord> {
    const made = await this.pipelines.run(project, askedBy(caller), iid);
    if ('errors' in made) throw invalid({ base: [...made.errors] });
    const row = await this.queries.find(made.pipeline.id);
    if (!row) throw notFound('Pipeline');
    return presentPipeline(row, this.links.project(row.project_path), this.links);
  }
}
