import { Controller, Delete, Get, Post, Res, type Type } from '@nestjs/common';
import type { Response } from 'express';
import { Access, type OwnerRule } from '#kernel/access/access.js';
import {
  CurrentCaller,
  CurrentSubject,
  type Caller,
  type GroupSubject,
  type ProjectSubject,
} from '#kernel/access/caller.js';
import { Role } from '#kernel/access/roles.js';
import { Page } from '#kernel/http/paging/page.js';
import { Paged } from '#kernel/http/paging/paged.js';
import { Params } from '#kernel/http/fields/params.js';
import { Returns, ReturnsList, ReturnsNothing } from '#kernel/http/answers/returns.js';
import { named } from '#kernel/http/routes/named.js';
import { Unmodified, type UnmodifiedCheck } from '#kernel/http/answers/unmodified-since.js';
import { ENDED_HEADERS, tellEnded } from '#core/tokens/events/ended-with-token.js';
import {
  NewResourceTokenRecord,
  presentNewResourceToken,
  presentResourceToken,
  ResourceTokenRecord,
} from './resource-token.record.js';
import {
  CreateResourceTokenParams,
  ListResourceTokensParams,
  ResourceTokenPath,
  RotateResourceTokenParams,
} from './resource-tokens.params.js';
import { ResourceTokensQueries } from './resource-tokens.queries.js';
import { ResourceTokensService } from './resource-tokens.service.js';
import { tokenContainer } from './token-container.js';

/**
 * Creates the access tokens controller of projects or groups, which have the same routes. `name`: name of the
 * class.
 */
function resourceTokensController(name: string, path: string, rule: OwnerRule, removal = rule): Type {
  @Controller(path)
  class ResourceTokensController {
    constructor(
      private readonly queries: ResourceTokensQueries,
      private readonly tokens: ResourceTokensService,
    ) {}

    @Get()
    @Access(rule)
    @ReturnsList(ResourceTokenRecord)
    async list(
      @CurrentSubject() subject: ProjectSubject | GroupSubject,
      @Params() { state }: ListResourceTokensParams,
      @Paged() page: Page,
    ): Promise<ResourceTokenRecord[]> {
      const rows = await page.load(this.queries.list(tokenContainer(subject), state));
      return rows.map(presentResourceToken);
    }

    @Post()
    @Access({ ...rule, makesCredential: true })
    @Returns(NewResourceTokenRecord, 201)
    async create(
      @CurrentSubject() subject: ProjectSubject | GroupSubject,
      @CurrentCaller() caller: Caller,
      @Params() params: CreateResourceTokenParams,
    ): Promise<NewResourceTokenRecord> {
      return presentNewResourceToken(await this.tokens.create(tokenContainer(subject), caller, params));
    }

    @Get(':token_id')
    @Access(rule)
    @Returns(ResourceTokenRecord)
    async find(
      @CurrentSubject() subject: ProjectSubject | GroupSubject,
      @Params() { token_id: id }: ResourceTokenPath,
    ): Promise<ResourceTokenRecord> {
      return presentResourceToken(await this.queries.find(tokenContainer(subject), id));
    }

    @Delete(':token_id')
    @Access(removal)
    @ReturnsNothing(204, ENDED_HEADERS)
    async remove(
      @CurrentSubject() subject: ProjectSubject | GroupSubject,
      @CurrentCaller() caller: Caller,
      @Params() { token_id: id }: ResourceTokenPath,
      @Unmodified() unmodified: UnmodifiedCheck,
      @Res({ passthrough: true }) response: Response,
    ): Promise<void> {
      tellEnded(response, await this.tokens.remove(tokenContainer(subject), caller, id, unmodified));
    }

    @Post(':token_id/rotate')
    @Access({ ...rule, makesCredential: true })
    @Returns(NewResourceTokenRecord)
    async rotate(
      @CurrentSubject() subject: ProjectSubject | GroupSubject,
      @CurrentCaller() caller: Caller,
      @Params() params: RotateResourceTokenParams,
    ): Promise<NewResourceTokenRecord> {
      return presentNewResourceToken(await this.tokens.rotate(tokenContainer(subject), caller, params));
    }
  }

  return named(ResourceTokensController, name);
}

/** Controllers of the access tokens of projects and groups. */
export const resourceTokensControllers: readonly Type[] = [
  resourceTokensController(
    'ProjectAccessTokensController',
    'api/v4/projects/:id/access_tokens',
    { project: Role.Maintainer },
    { project: Role.Maintainer, archived: true },
  ),
  resourceTokensController('GroupAccessTokensController', 'api/v4/groups/:id/access_tokens', {
    group: Role.Owner,
  }),
];
