import { Controller, Delete, Get, Post, Put, type Type } from '@nestjs/common';
import { Access, type UserRule } from '#kernel/access/access.js';
import {
  type Caller,
  type ProjectSubject,
  type GroupSubject,
  CurrentCaller,
  CurrentSubject,
} from '#kernel/access/caller.js';
import { Role, Tier } from '#kernel/access/roles.js';
import { Params } from '#kernel/http/fields/params.js';
import type { Page } from '#kernel/http/paging/page.js';
import { Paged } from '#kernel/http/paging/paged.js';
import { Returns, ReturnsList, ReturnsNothing } from '#kernel/http/answers/returns.js';
import { Unmodified, type UnmodifiedCheck } from '#kernel/http/answers/unmodified-since.js';
import { named } from '#kernel/http/routes/named.js';
import { ProtectedEnvironmentRecord } from './protected-environment.record.js';
import {
  CreateProtectedEnvironmentParams,
  FindProtectedEnvironmentParams,
  UpdateProtectedEnvironmentParams,
} from './protected-environments.params.js';
import { ProtectedEnvironmentsPresenter } from './protected-environments.presenter.js';
import { ProtectedEnvironmentsService } from './protected-environments.service.js';

/**
 * Creates the controller of protections of projects or groups, which have the same routes. `name`: name of
 * the class.
 */
function protectedEnvironmentsController(name: string, path: string, rule: UserRule): Type {
  @Controller(path)
  class ProtectedEnvironmentsController {
    constructor(
      private readonly environments: ProtectedEnvironmentsService,
      private readonly presenter: ProtectedEnvironmentsPresenter,
    ) {}

    @Get()
    @Access(rule)
    @ReturnsList(ProtectedEnvironmentRecord)
    list(
      @CurrentSubject() subject: ProjectSubject | GroupSubject,
      @Paged() page: Page,
    ): Promise<ProtectedEnvironmentRecord[]> {
      return this.presenter.list(subject, page);
    }

    @Get(':name')
    @Access(rule)
    @Returns(ProtectedEnvironmentRecord)
    find(
      @CurrentSubject() subject: ProjectSubject | GroupSubject,
      @Params() { name: wanted }: FindProtectedEnvironmentParams,
    ): Promise<ProtectedEnvironmentRecord> {
      return this.presenter.find(subject, wanted);
    }

    @Post()
    @Access(rule)
    @Returns(ProtectedEnvironmentRecord, 201)
    async create(
      @CurrentSubject() subject: ProjectSubject | GroupSubject,
      @CurrentCaller() caller: Caller,
      @Params() params: CreateProtectedEnvironmentParams,
    ): Promise<ProtectedEnvironmentRecord> {
      await this.environments.create(subject, caller, params);
      return this.presenter.find(subject, params.name);
    }

    @Put(':name')
    @Access(rule)
    @Returns(ProtectedEnvironmentRecord)
    async update(
      @CurrentSubject() subject: ProjectSubject | GroupSubject,
      @CurrentCaller() caller: Caller,
      @Params() params: UpdateProtectedEnvironmentParams,
    ): Promise<ProtectedEnvironmentRecord> {
      await this.environments.update(subject, caller, params);
      return this.presenter.find(subject, params.name);
    }

    @Delete(':name')
    @Access(rule)
    @ReturnsNothing()
    async remove(
      @CurrentSubject() subject: ProjectSubject | GroupSubject,
      @CurrentCaller() caller: Caller,
      @Params() { name: wanted }: FindProtectedEnvironmentParams,
      @Unmodified() unmodified: UnmodifiedCheck,
    ): Promise<void> {
      await this.environments.remove(subject, caller, wanted, unmodified);
    }
  }

  return named(ProtectedEnvironmentsController, name);
}

/**
 * Controllers of protected environments (`ci.md` 2.6): environments of a project, and tiers of environments
 * in all projects below a group.
 */
export const protectedEnvironmentsControllers: readonly Type[] = [
  protectedEnvironmentsController(
    'ProjectProtectedEnvironmentsController',
    'api/v4/projects/:id/protected_environments',
    { project: Role.Maintainer, feature: 'environments', tier: Tier.Premium },
  ),
  protectedEnvironmentsController(
    'GroupProtectedEnvironmentsController',
    'api/v4/groups/:id/protected_environments',
    { group: Role.Owner, tier: Tier.Premium },
  ),
];
