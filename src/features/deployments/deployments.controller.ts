import { Controller, Delete, Get, Post, Put } from '@nestjs/common';
import { Access } from '#kernel/access/access.js';
import { CurrentCaller, CurrentProject, type Caller, type ProjectSubject } from '#kernel/access/caller.js';
import { Role } from '#kernel/access/roles.js';
import { notFound } from '#kernel/http/errors.js';
import { Links } from '#kernel/http/links.js';
import { MessageRecord } from '#kernel/http/message.record.js';
import type { Page } from '#kernel/http/paging/page.js';
import { Paged } from '#kernel/http/paging/paged.js';
import { Params } from '#kernel/http/fields/params.js';
import { Returns, ReturnsList } from '#kernel/http/answers/returns.js';
import { Unmodified, type UnmodifiedCheck } from '#kernel/http/answers/unmodified-since.js';
import { jobSightOf } from '#core/ci/jobs/job-access.js';
import { DEPLOYMENT_READ, DEPLOYMENT_WRITE } from '#core/environments/environment-access.js';
import { DeploymentRecord, presentDeployment, type DeploymentRow } from './deployment.record.js';
import {
  CreateDeploymentParams,
  FindDeploymentParams,
  ListDeploymentsParams,
  UpdateDeploymentParams,
} from './deployments.params.js';
import { DeploymentsQueries } from './deployments.queries.js';
import { DeploymentsService } from './deployments.service.js';

/** Deployments of a project (`api-v4.md` 4.1). */
@Controller('api/v4/projects')
export class DeploymentsController {
  constructor(
    private readonly deployments: DeploymentsService,
    private readonly queries: DeploymentsQueries,
    private readonly links: Links,
  ) {}

  @Get(':id/deployments')
  @Access(DEPLOYMENT_READ)
  @ReturnsList(DeploymentRecord)
  async list(
    @CurrentProject() project: ProjectSubject,
    @CurrentCaller() caller: Caller,
    @Params() params: ListDeploymentsParams,
    @Paged() page: Page,
  ): Promise<DeploymentRecord[]> {
    const found = await page.load(this.queries.list(project.id, params, caller.tier));
    const rows = await this.queries.judge(project.id, found);
    const sight = jobSightOf(caller);
    return rows.map((row) => presentDeployment(row, this.links, sight));
  }

  @Get(':id/deployments/:deployment_id')
  @Access(DEPLOYMENT_READ)
  @Returns(DeploymentRecord)
  find(
    @CurrentProject() project: ProjectSubject,
    @CurrentCaller() caller: Caller,
    @Params() { deployment_id: id }: FindDeploymentParams,
  ): Promise<DeploymentRecord> {
    return this.present(project, id, caller);
  }

  @Post(':id/deployments')
  @Access(DEPLOYMENT_WRITE)
  @Returns(DeploymentRecord, 201)
  async create(
    @CurrentProject() project: ProjectSubject,
    @CurrentCaller() caller: Caller,
    @Params() params: CreateDeploymentParams,
  ): Promise<DeploymentRecord> {
    const made = await this.deployments.create(project, caller, params);
    return typeof made === 'number' ? this.present(project, made, caller) : this.shown(made, caller);
  }

  @Put(':id/deployments/:deployment_id')
  @Access(DEPLOYMENT_WRITE)
  @Returns(DeploymentRecord)
  async update(
    @CurrentProject() project: ProjectSubject,
    @CurrentCaller() caller: Caller,
    @Params() params: UpdateDeploymentParams,
  ): Promise<DeploymentRecord> {
    const written = await this.deployments.update(project, caller, params);
    return written ? this.shown(written, caller) : this.present(project, params.deployment_id, caller);
  }

  @Delete(':id/deployments/:deployment_id')
  @Access({ ...DEPLOYMENT_WRITE, project: Role.Maintainer })
  @Returns(MessageRecord)
  async remove(
    @CurrentProject() project: ProjectSubject,
    @CurrentCaller() caller: Caller,
    @Params() { deployment_id: id }: FindDeploymentParams,
    @Unmodified() unmodified: UnmodifiedCheck,
  ): Promise<MessageRecord> {
    await this.deployments.remove(project, caller, id, unmodified);
    return { message: '204 Deployment destroyed' };
  }

  private async present(project: ProjectSubject, id: number, caller: Caller): Promise<DeploymentRecord> {
    const row = await this.queries.find(project.id, id, caller.tier);
    if (!row) throw notFound('Deployment');
    return this.shown(row, caller);
  }

  private shown(row: DeploymentRow, caller: Caller): DeploymentRecord {
    return presentDeployment(row, this.links, jobSightOf(caller));
  }
}
