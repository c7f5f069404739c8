import { Controller, Delete, Get, Post, Put } from '@nestjs/common';
import { Access } from '#kernel/access/access.js';
import { CurrentCaller, CurrentProject, type Caller, type ProjectSubject } from '#kernel/access/caller.js';
import { mayUsePart } from '#kernel/access/project-parts.js';
import { notFound } from '#kernel/http/errors.js';
import { Links } from '#kernel/http/links.js';
import type { Page } from '#kernel/http/paging/page.js';
import { Paged } from '#kernel/http/paging/paged.js';
import { Params } from '#kernel/http/fields/params.js';
import { Returns, ReturnsList, ReturnsNothing } from '#kernel/http/answers/returns.js';
import { Unmodified, type UnmodifiedCheck } from '#kernel/http/answers/unmodified-since.js';
import { jobSightOf, rightsOf } from '#core/ci/jobs/job-access.js';
import { ENVIRONMENT_READ, ENVIRONMENT_WRITE } from './environment-access.js';
import { presentDeploymentSummary } from './deployments/deployment-summary.record.js';
import { EnvironmentRecord, presentEnvironments } from './deployments/environment-project.js';
import { EnvironmentDetailRecord, presentEnvironment } from './environment.record.js';
import { EnvironmentWritesService } from './environment-writes.service.js';
import {
  CreateEnvironmentParams,
  FindEnvironmentParams,
  ListEnvironmentsParams,
  StopEnvironmentParams,
  UpdateEnvironmentParams,
} from './environments.params.js';
import { EnvironmentsQueries } from './environments.queries.js';
import { StopEnvironments } from './stop/stop-environments.use-case.js';

/** Environments of a project (`ci.md` 3). */
@Controller('api/v4/projects')
export class EnvironmentsController {
  constructor(
    private readonly writes: EnvironmentWritesService,
    private readonly stopping: StopEnvironments,
    private readonly queries: EnvironmentsQueries,
    private readonly links: Links,
  ) {}

  @Get(':id/environments')
  @Access(ENVIRONMENT_READ)
  @ReturnsList(EnvironmentRecord)
  async list(
    @CurrentProject() project: ProjectSubject,
    @Params() params: ListEnvironmentsParams,
    @Paged() page: Page,
  ): Promise<EnvironmentRecord[]> {
    return presentEnvironments(await page.load(this.queries.list(project.id, params)), this.links);
  }

  @Get(':id/environments/:environment_id')
  @Access(ENVIRONMENT_READ)
  @Returns(EnvironmentDetailRecord)
  async find(
    @CurrentProject() project: ProjectSubject,
    @CurrentCaller() caller: Caller,
    @Params() { environment_id: id }: FindEnvironmentParams,
  ): Promise<EnvironmentDetailRecord> {
    const row = await this.queries.findWithDeployment(project.id, id);
    if (!row) throw notFound('Environment');
    const deployment =
      row.id === null || !mayUsePart(caller, 'deployments')
        ? null
        : presentDeploymentSummary({ ...row, id: row.id }, this.links, jobSightOf(caller));
    return Object.assign(presentEnvironment(row), { last_deployment: deployment });
  }

  @Post(':id/environments')
  @Access(ENVIRONMENT_WRITE)
  @Returns(EnvironmentRecord, 201)
  async create(
    @CurrentProject() project: ProjectSubject,
    @CurrentCaller() caller: Caller,
    @Params() { name, external_url: externalUrl, tier }: CreateEnvironmentParams,
  ): Promise<EnvironmentRecord> {
    const id = await this.writes.create(project.id, name, { externalUrl, tier }, rightsOf(caller));
    return this.present(project, id);
  }

  @Put(':id/environments/:environment_id')
  @Access(ENVIRONMENT_WRITE)
  @Returns(EnvironmentRecord)
  async update(
    @CurrentProject() project: ProjectSubject,
    @CurrentCaller() caller: Caller,
    @Params() { environment_id: id, external_url: externalUrl, tier }: UpdateEnvironmentParams,
  ): Promise<EnvironmentRecord> {
    await this.writes.update(project.id, id, { externalUrl, tier }, rightsOf(caller));
    return this.present(project, id);
  }

  @Post(':id/environments/:environment_id/stop')
  @Access(ENVIRONMENT_WRITE)
  @Returns(EnvironmentRecord, 200)
  async stop(
    @CurrentProject() project: ProjectSubject,
    @CurrentCaller() caller: Caller,
    @Params() { environment_id: id, force = false }: StopEnvironmentParams,
  ): Promise<EnvironmentRecord> {
    await this.stopping.run(project.id, id, rightsOf(caller), force ? 'force' : 'by jobs');
    return this.present(project, id);
  }

  @Delete(':id/environments/:environment_id')
  @Access(ENVIRONMENT_WRITE)
  @ReturnsNothing()
  async remove(
    @CurrentProject() project: ProjectSubject,
    @CurrentCaller() caller: Caller,
    @Params() { environment_id: id }: FindEnvironmentParams,
    @Unmodified() unmodified: UnmodifiedCheck,
  ): Promise<void> {
    await this.writes.remove(project.id, id, rightsOf(caller), unmodified);
  }

  private async present(project: ProjectSubject, id: number): Promise<EnvironmentRecord> {
    const rows = await this.queries.findWithProject(project.id, id);
    const [record] = presentEnvironments(rows, this.links);
    if (!record) throw notFound('Environment');
    return record;
  }
}
