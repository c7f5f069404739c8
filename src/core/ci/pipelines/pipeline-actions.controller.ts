import { Controller, Delete, Post, Put } from '@nestjs/common';
import { Access } from '#kernel/access/access.js';
import { CurrentCaller, CurrentProject, type Caller, type ProjectSubject } from '#kernel/access/caller.js';
import { Role } from '#kernel/access/roles.js';
import { invalid, notFound } from '#kernel/http/errors.js';
import { Params } from '#kernel/http/fields/params.js';
import { Links } from '#kernel/http/links.js';
import { Returns, ReturnsNothing } from '#kernel/http/answers/returns.js';
import { Unmodified, type UnmodifiedCheck } from '#kernel/http/answers/unmodified-since.js';
import { CreatePipelineService } from '../creation/create-pipeline.service.js';
import { JOB_WRITE, askedBy, rightsOf } from '../jobs/job-access.js';
import { PipelineActionsService } from './pipeline-actions.service.js';
import { PipelineRecord, presentPipeline } from './records/pipeline.record.js';
import { CreatePipelineParams, FindPipelineParams, NamePipelineParams } from './pipelines.params.js';
import { PipelinesQueries } from './pipelines.queries.js';

/** Actions on pipelines (`ci.md` 5.3). */
@Controller('api/v4/projects/:id')
export class PipelineActionsController {
  constructor(
    private readonly creation: CreatePipelineService,
    private readonly actions: PipelineActionsService,
    private readonly queries: PipelinesQueries,
    private readonly links: Links,
  ) {}

  @Post('pipeline')
  @Access(JOB_WRITE)
  @Returns(PipelineRecord, 201)
  async create(
    @CurrentProject() project: ProjectSubject,
    @CurrentCaller() caller: Caller,
    @Params() { ref, variables = [] }: CreatePipelineParams,
  ): Promise<PipelineRecord> {
    const made = await this.creation.create({
      projectId: project.id,
      ref,
      source: 'api',
      ...askedBy(caller),
      variables: variables.map(({ key, value, variable_type: type }) => ({
        key,
        value,
        public: false,
        masked: false,
        file: type === 'file',
      })),
    });
    if ('errors' in made) throw invalid({ base: [...made.errors] });
    return this.present(project, made.pipeline.id);
  }

  @Delete('pipelines/:pipeline_id')
  @Access({ ...JOB_WRITE, project: Role.Owner })
  @ReturnsNothing()
  async remove(
    @CurrentProject() project: ProjectSubject,
    @Params() { pipeline_id: id }: FindPipelineParams,
    @Unmodified() unmodified: UnmodifiedCheck,
  ): Promise<void> {
    await this.actions.remove(project.id, id, unmodified);
  }

  @Post('pipelines/:pipeline_id/retry')
  @Access(JOB_WRITE)
  @Returns(PipelineRecord, 201)
  async retry(
    @CurrentProject() project: ProjectSubject,
    @CurrentCaller() caller: Caller,
    @Params() { pipeline_id: id }: FindPipelineParams,
  ): Promise<PipelineRecord> {
    return this.present(project, await this.actions.retry(project.id, id, rightsOf(caller)));
  }

  @Post('pipelines/:pipeline_id/cancel')
  @Access(JOB_WRITE)
  @Returns(PipelineRecord)
  async cancel(
    @CurrentProject() project: ProjectSubject,
    @CurrentCaller() caller: Caller,
    @Params() { pipeline_id: id }: FindPipelineParams,
  ): Promise<PipelineRecord> {
    return this.present(project, await this.actions.cancel(project.id, id, rightsOf(caller)));
  }

  @Put('pipelines/:pipeline_id/metadata')
  @Access(JOB_WRITE)
  @Returns(PipelineRecord)
  async rename(
    @CurrentProject() project: ProjectSubject,
    @CurrentCaller() caller: Caller,
    @Params() { pipeline_id: id, name }: NamePipelineParams,
  ): Promise<PipelineRecord> {
    return this.present(project, await this.actions.rename(project.id, id, name, rightsOf(caller)));
  }

  private async present(project: ProjectSubject, id: number): Promise<PipelineRecord> {
    const row = await this.queries.find(project.id, id);
    if (!row) throw notFound('Pipeline');
    return presentPipeline(row, this.links.project(project.fullPath), this.links);
  }
}
