import { Controller, Delete, Get, Post, Put } from '@nestjs/common';
import { Access } from '#kernel/access/access.js';
import { CurrentCaller, CurrentGroup, type Caller, type GroupSubject } from '#kernel/access/caller.js';
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

const PROTECTIONS = { group: Role.Owner, tier: Tier.Premium } as const;

/** Tiers of environments, in all projects below a group, that only some may deploy to (`ci.md` 2.6). */
@Controller('api/v4/groups/:id/protected_environments')
export class GroupProtectedEnvironmentsController {
  constructor(
    private readonly environments: ProtectedEnvironmentsService,
    private readonly presenter: ProtectedEnvironmentsPresenter,
  ) {}

  @Get()
  @Access(PROTECTIONS)
  @ReturnsList(ProtectedEnvironmentRecord)
  list(@CurrentGroup() group: GroupSubject, @Paged() page: Page): Promise<ProtectedEnvironmentRecord[]> {
    return this.presenter.list(group, page);
  }

  @Get(':name')
  @Access(PROTECTIONS)
  @Returns(ProtectedEnvironmentRecord)
  find(
    @CurrentGroup() group: GroupSubject,
    @Params() { name }: FindProtectedEnvironment,
  ): Promise<ProtectedEnvironmentRecord> {
    return this.presenter.find(group, name);
  }

  @Post()
  @Access(PROTECTIONS)
  @Returns(ProtectedEnvironmentRecord, 201)
  async create(
    @CurrentGroup() group: GroupSubject,
    @CurrentCaller() caller: Caller,
    @Params() params: CreateProtectedEnvironment,
  ): Promise<ProtectedEnvironmentRecord> {
    await this.environments.create(group, caller, params);
    return this.presenter.find(group, params.name);
  }

  @Put(':name')
  @Access(PROTECTIONS)
  @Returns(ProtectedEnvironmentRecord)
  async update(
    @CurrentGroup() group: GroupSubject,
    @CurrentCaller() caller: Caller,
    @Params() params: UpdateProtectedEnvironment,
  ): Promise<ProtectedEnvironmentRecord> {
    await this.environments.update(group, caller, params);
    return this.presenter.find(group, params.name);
  }

  @Delete(':name')
  @Access(PROTECTIONS)
  @ReturnsNothing()
  async remove(
    @CurrentGroup() group: GroupSubject,
    @CurrentCaller() caller: Caller,
    @Params() { name }: FindProtectedEnvironment,
    @Unmodified() unmodified: UnmodifiedCheck,
  ): Promise<void> {
    await this.environments.remove(group, caller, name, unmodified);
  }
}
