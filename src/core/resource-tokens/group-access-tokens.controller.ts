import { Controller, Delete, Get, Post, Res } from '@nestjs/common';
import type { Response } from 'express';
import { Access } from '#kernel/access/access.js';
import { CurrentGroup, CurrentCaller, type Caller, type GroupSubject } from '#kernel/access/caller.js';
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

/** Access tokens of a group. */
@Controller('api/v4/groups/:id/access_tokens')
export class GroupAccessTokensController {
  constructor(
    private readonly queries: ResourceTokensQueries,
    private readonly tokens: ResourceTokensService,
  ) {}

  @Get()
  @Access({ group: Role.Owner })
  @ReturnsList(ResourceTokenRecord)
  async list(
    @CurrentGroup() group: GroupSubject,
    @Params() { state }: ListResourceTokensParams,
    @Paged() page: Page,
  ): Promise<ResourceTokenRecord[]> {
    const rows = await page.load(this.queries.list(tokenPlace(group), state));
    return rows.map(presentResourceToken);
  }

  @Post()
  @Access({ group: Role.Owner, makesCredential: true })
  @Returns(NewResourceTokenRecord, 201)
  async create(
    @CurrentGroup() group: GroupSubject,
    @CurrentCaller() caller: Caller,
    @Params() params: CreateResourceTokenParams,
  ): Promise<NewResourceTokenRecord> {
    return presentNewResourceToken(await this.tokens.create(tokenPlace(group), caller, params));
  }

  @Get(':token_id')
  @Access({ group: Role.Owner })
  @Returns(ResourceTokenRecord)
  async find(
    @CurrentGroup() group: GroupSubject,
    @Params() { token_id: id }: ResourceTokenPath,
  ): Promise<ResourceTokenRecord> {
    return presentResourceToken(await this.queries.find(tokenPlace(group), id));
  }

  @Delete(':token_id')
  @Access({ group: Role.Owner })
  @ReturnsNothing(204, ENDED_HEADERS)
  async remove(
    @CurrentGroup() group: GroupSubject,
    @CurrentCaller() caller: Caller,
    @Params() { token_id: id }: ResourceTokenPath,
    @Unmodified() unmodified: UnmodifiedCheck,
    @Res({ passthrough: true }) response: Response,
  ): Promise<void> {
    tellEnded(response, await this.tokens.remove(tokenPlace(group), caller, id, unmodified));
  }

  @Post(':token_id/rotate')
  @Access({ group: Role.Owner, makesCredential: true })
  @Returns(NewResourceTokenRecord)
  async rotate(
    @CurrentGroup() group: GroupSubject,
    @CurrentCaller() caller: Caller,
    @Params() params: RotateResourceTokenParams,
  ): Promise<NewResourceTokenRecord> {
    return presentNewResourceToken(await this.tokens.rotate(tokenPlace(group), caller, params));
  }
}
