import { Controller, Delete, Get, Post, Put } from '@nestjs/common';
import { Access } from '#kernel/access/access.js';
import { CurrentCaller, CurrentProject, type Caller, type ProjectSubject } from '#kernel/access/caller.js';
import { Role, Tier } from '#kernel/access/roles.js';
import { Params } from '#kernel/http/fields/params.js';
import type { Page } from '#kernel/http/paging/page.js';
import { Paged } from '#kernel/http/paging/paged.js';
import { Returns, ReturnsList, ReturnsNothing } from '#kernel/http/returns.js';
import { Unmodified, type UnmodifiedCheck } from '#kernel/http/unmodified-since.js';
import { ProtectedEnvironmentRecord } from './protected-environment.record.js';
import {
  CreateProtectedEnvironment,
  FindProtectedEnvironment,
  UpdateProtectedEnvironment,
} from './protected-environments.params.js';
import { ProtectedEnvironmentsPresenter } from './protected-environments.presenter.js';
import { ProtectedEnvironmentsService } from './protected-environments.service.js';

const PROTECTIONS = { project: Role.Maintainer, feature: 'environments', tier: Tier.Premium } as const;

/** Environments of a project that only some may deploy to (`ci.md` 2.6). */
@Controller('api/v4/projects/:id/protected_environments')
export class ProjectProtectedEnvironmentsController {
  constructor(
    private readonly environments: ProtectedEnvironmentsService,
    private readonly presenter: ProtectedEnvironmentsPresenter,
  ) {}

  @Get()
  @Access(PROTECTIONS)
  @ReturnsList(ProtectedEnvironmentRecord)
  list(
    @CurrentProject() project: ProjectSubject,
    @Paged() page: Page,
  ): Promise<ProtectedEnvironmentRecord[]> {
    return this.presenter.list(project, page);
  }

  @Get(':name')
  @Access(PROTECTIONS)
  @Returns(ProtectedEnvironmentRecord)
  find(
    @CurrentProject() project: ProjectSubject,
    @Params() { name }: FindProtectedEnvironment,
  ): Promise<ProtectedEnvironmentRecord> {
    return this.presenter.find(project, name);
  }

  @Post()
  @Access(PROTECTIONS)
  @Returns(ProtectedEnvironmentRecord, 201)
  async create(
    @CurrentProject() project: ProjectSubject,
    @CurrentCaller() caller: Caller,
    @Params() params: CreateProtectedEnvironment,
  ): Promise<ProtectedEnvironmentRecord> {
    await this.environments.create(project, caller, params);
    return this.presenter.find(project, params.name);
  }

  @Put(':name')
  @Access(PROTECTIONS)
  @Returns(ProtectedEnvironmentRecord)
  async update(
    @CurrentProject() project: ProjectSubject,
    @CurrentCaller() caller: Caller,
    @Params() params: UpdateProtectedEnvironment,
  ): Promise<ProtectedEnvironmentRecord> {
    await this.environments.update(project, caller, params);
    return this.presenter.find(project, params.name);
  }

  @Delete(':name')
  @Access(PROTECTIONS)
  @ReturnsNothing()
  async remove(
    @CurrentProject() project: ProjectSubject,
    @CurrentCaller() caller: Caller,
    @Params() { name }: FindProtectedEnvironment,
    @Unmodified() unmodified: UnmodifiedCheck,
  ): Promise<void> {
    await this.environments.remove(project, caller, name, unmodified);
  }
}
