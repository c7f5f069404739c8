import { Controller, Delete, Get, Post } from '@nestjs/common';
import { Access } from '#kernel/access/access.js';
import { CurrentActor, CurrentGroup, type Actor, type GroupSubject } from '#kernel/access/caller.js';
import { Role } from '#kernel/access/roles.js';
import { Page } from '#kernel/http/paging/page.js';
import { Paged } from '#kernel/http/paging/paged.js';
import { Params } from '#kernel/http/fields/params.js';
import { Returns, ReturnsList, ReturnsNothing } from '#kernel/http/answers/returns.js';
import { Unmodified, type UnmodifiedCheck } from '#kernel/http/answers/unmodified-since.js';
import { DeployTokenRecord, NewDeployTokenRecord, presentDeployToken } from './deploy-token.record.js';
import { CreateDeployTokenParams, DeployTokenPath, ListDeployTokensParams } from './deploy-tokens.params.js';
import { DeployTokensService } from './deploy-tokens.service.js';
import { tokenPlace } from '../token-place.js';

/** Deploy tokens of a group. */
@Controller('api/v4/groups/:id/deploy_tokens')
export class GroupDeployTokensController {
  constructor(private readonly tokens: DeployTokensService) {}

  @Get()
  @Access({ group: Role.Maintainer })
  @ReturnsList(DeployTokenRecord)
  async list(
    @CurrentGroup() group: GroupSubject,
    @Params() { active }: ListDeployTokensParams,
    @Paged() page: Page,
  ): Promise<DeployTokenRecord[]> {
    const rows = await page.load(this.tokens.list(tokenPlace(group), active));
    return rows.map(presentDeployToken);
  }

  @Post()
  @Access({ group: Role.Owner, makesCredential: true })
  @Returns(NewDeployTokenRecord, 201)
  async create(
    @CurrentGroup() group: GroupSubject,
    @CurrentActor() actor: Actor,
    @Params() params: CreateDeployTokenParams,
  ): Promise<NewDeployTokenRecord> {
    const { row, token } = await this.tokens.create(tokenPlace(group), actor, params);
    return Object.assign(presentDeployToken(row), { token });
  }

  @Get(':token_id')
  @Access({ group: Role.Maintainer })
  @Returns(DeployTokenRecord)
  async find(
    @CurrentGroup() group: GroupSubject,
    @Params() { token_id: id }: DeployTokenPath,
  ): Promise<DeployTokenRecord> {
    return presentDeployToken(await this.tokens.find(tokenPlace(group), id));
  }

  @Delete(':token_id')
  @Access({ group: Role.Owner })
  @ReturnsNothing()
  async remove(
    @CurrentGroup() group: GroupSubject,
    @CurrentActor() actor: Actor,
    @Params() { token_id: id }: DeployTokenPath,
    @Unmodified() unmodified: UnmodifiedCheck,
  ): Promise<void> {
    await this.tokens.remove(tokenPlace(group), actor, id, unmodified);
  }
}
