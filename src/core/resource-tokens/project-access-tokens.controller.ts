import { Controller, Delete, Get, Post, Res } from '@nestjs/common';
import type { Response } from 'express';
import { Access } from '#kernel/access/access.js';
import { CurrentProject, CurrentCaller, type Caller, type ProjectSubject } from '#kernel/access/caller.js';
import { Role } from '#kernel/access/roles.js';
import { Page } from '#kernel/http/paging/page.js';
import { Paged } from '#kernel/http/paging/paged.js';
import { Params } from '#kernel/http/fields/params.js';
import { Returns, ReturnsList, ReturnsNothing } from '#kernel/http/answers/returns.js';
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
import { tokenPlace } from './token-place.js';

/** Access tokens of a project. */
@Controller('api/v4/projects/:id/access_tokens')
export class ProjectAccessTokensController {
  constructor(
    private readonly queries: ResourceTokensQueries,
    private readonly tokens: ResourceTokensService,
  ) {}

  @Get()
  @Access({ project: Role.Maintainer })
  @ReturnsList(ResourceTokenRecord)
  async list(
    @CurrentProject() project: ProjectSubject,
    @Params() { state }: ListResourceTokensParams,
    @Paged() page: Page,
  ): Promise<ResourceTokenRecord[]> {
    const rows = await page.load(this.queries.list(tokenPlace(project), state));
    return rows.map(presentResourceToken);
  }

  @Post()
  @Access({ project: Role.Maintainer, makesCredential: true })
  @Returns(NewResourceTokenRecord, 201)
  async create(
    @CurrentProject() project: ProjectSubject,
    @CurrentCaller() caller: Caller,
    @Params() params: CreateResourceTokenParams,
  ): Promise<NewResourceTokenRecord> {
    return presentNewResourceToken(await this.tokens.create(tokenPlace(project), caller, params));
  }

  @Get(':token_id')
  @Access({ project: Role.Maintainer })
  @Returns(ResourceTokenRecord)
  async find(
    @CurrentProject() project: ProjectSubject,
    @Params() { token_id: id }: ResourceTokenPath,
  ): Promise<ResourceTokenRecord> {
    return presentResourceToken(await this.queries.find(tokenPlace(project), id));
  }

  @Delete(':token_id')
  @Access({ project: Role.Maintainer, archived: true })
  @ReturnsNothing(204, ENDED_HEADERS)
  async remove(
    @CurrentProject() project: ProjectSubject,
    @CurrentCaller() caller: Caller,
    @Params() { token_id: id }: ResourceTokenPath,
    @Unmodified() unmodified: UnmodifiedCheck,
    @Res({ passthrough: true }) response: Response,
  ): Promise<void> {
    tellEnded(response, await this.tokens.remove(tokenPlace(project), caller, id, unmodified));
  }

  @Post(':token_id/rotate')
  @Access({ project: Role.Maintainer, makesCredential: true })
  @Returns(NewResourceTokenRecord)
  async rotate(
    @CurrentProject() project: ProjectSubject,
    @CurrentCaller() caller: Caller,
    @Params() params: RotateResourceTokenParams,
  ): Promise<NewResourceTokenRecord> {
    return presentNewResourceToken(await this.tokens.rotate(tokenPlace(project), caller, params));
  }
}
