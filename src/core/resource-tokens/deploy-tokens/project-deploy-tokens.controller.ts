import { Controller, Delete, Get, Post } from '@nestjs/common';
import { Access } from '#kernel/access/access.js';
import { CurrentActor, CurrentProject, type Actor, type ProjectSubject } from '#kernel/access/caller.js';
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

/** Deploy tokens of a project. */
@Controller('api/v4/projects/:id/deploy_tokens')
export class ProjectDeployTokensController {
  constructor(private readonly tokens: DeployTokensService) {}

  @Get()
  @Access({ project: Role.Maintainer })
  @ReturnsList(DeployTokenRecord)
  async list(
    @CurrentProject() project: ProjectSubject,
    @Params() { active }: ListDeployTokensParams,
    @Paged() page: Page,
  ): Promise<DeployTokenRecord[]> {
    const rows = await page.load(this.tokens.list(tokenPlace(project), active));
    return rows.map(presentDeployToken);
  }

  @Post()
  @Access({ project: Role.Maintainer, makesCredential: true })
  @Returns(NewDeployTokenRecord, 201)
  async create(
    @CurrentProject() project: ProjectSubject,
    @CurrentActor() actor: Actor,
    @Params() params: CreateDeployTokenParams,
  ): Promise<NewDeployTokenRecord> {
    const { row, token } = await this.tokens.create(tokenPlace(project), actor, params);
    return Object.assign(presentDeployToken(row), { token });
  }

  @Get(':token_id')
  @Access({ project: Role.Maintainer })
  @Returns(DeployTokenRecord)
  async find(
    @CurrentProject() project: ProjectSubject,
    @Params() { token_id: id }: DeployTokenPath,
  ): Promise<DeployTokenRecord> {
    return presentDeployToken(await this.tokens.find(tokenPlace(project), id));
  }

  @Delete(':token_id')
  @Access({ project: Role.Maintainer, archived: true })
  @ReturnsNothing()
  async remove(
    @CurrentProject() project: ProjectSubject,
    @CurrentActor() actor: Actor,
    @Params() { token_id: id }: DeployTokenPath,
    @Unmodified() unmodified: UnmodifiedCheck,
  ): Promise<void> {
    await this.tokens.remove(tokenPlace(project), actor, id, unmodified);
  }
}
