import { Controller, Delete, Get, Post, type Type } from '@nestjs/common';
import { Access, type OwnerRule } from '#kernel/access/access.js';
import {
  CurrentActor,
  CurrentSubject,
  type Actor,
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
import { DeployTokenRecord, NewDeployTokenRecord, presentDeployToken } from './deploy-token.record.js';
import { CreateDeployTokenParams, DeployTokenPath, ListDeployTokensParams } from './deploy-tokens.params.js';
import { DeployTokensService } from './deploy-tokens.service.js';
import { tokenContainer } from '../token-container.js';

/** Access rules of the deploy token routes. */
interface DeployTokenRoutes {
  readonly read: OwnerRule;
  readonly create: OwnerRule;
  readonly remove: OwnerRule;
}

/**
 * Creates the deploy tokens controller of projects or groups, which have the same routes. `name`: name of the
 * class.
 */
function deployTokensController(
  name: string,
  path: string,
  { read, create, remove }: DeployTokenRoutes,
): Type {
  @Controller(path)
  class OwnedDeployTokensController {
    constructor(private readonly tokens: DeployTokensService) {}

    @Get()
    @Access(read)
    @ReturnsList(DeployTokenRecord)
    async list(
      @CurrentSubject() subject: ProjectSubject | GroupSubject,
      @Params() { active }: ListDeployTokensParams,
      @Paged() page: Page,
    ): Promise<DeployTokenRecord[]> {
      const rows = await page.load(this.tokens.list(tokenContainer(subject), active));
      return rows.map(presentDeployToken);
    }

    @Post()
    @Access(create)
    @Returns(NewDeployTokenRecord, 201)
    async create(
      @CurrentSubject() subject: ProjectSubject | GroupSubject,
      @CurrentActor() actor: Actor,
      @Params() params: CreateDeployTokenParams,
    ): Promise<NewDeployTokenRecord> {
      const { row, token } = await this.tokens.create(tokenContainer(subject), actor, params);
      return Object.assign(presentDeployToken(row), { token });
    }

    @Get(':token_id')
    @Access(read)
    @Returns(DeployTokenRecord)
    async find(
      @CurrentSubject() subject: ProjectSubject | GroupSubject,
      @Params() { token_id: id }: DeployTokenPath,
    ): Promise<DeployTokenRecord> {
      return presentDeployToken(await this.tokens.find(tokenContainer(subject), id));
    }

    @Delete(':token_id')
    @Access(remove)
    @ReturnsNothing()
    async remove(
      @CurrentSubject() subject: ProjectSubject | GroupSubject,
      @CurrentActor() actor: Actor,
      @Params() { token_id: id }: DeployTokenPath,
      @Unmodified() unmodified: UnmodifiedCheck,
    ): Promise<void> {
      await this.tokens.remove(tokenContainer(subject), actor, id, unmodified);
    }
  }

  return named(OwnedDeployTokensController, name);
}

/** Controllers of deploy tokens of projects and groups. */
export const ownedDeployTokensControllers: readonly Type[] = [
  deployTokensController('ProjectDeployTokensController', 'api/v4/projects/:id/deploy_tokens', {
    read: { project: Role.Maintainer },
    create: { project: Role.Maintainer, makesCredential: true },
    remove: { project: Role.Maintainer, archived: true },
  }),
  deployTokensController('GroupDeployTokensController', 'api/v4/groups/:id/deploy_tokens', {
    read: { group: Role.Maintainer },
    create: { group: Role.Owner, makesCredential: true },
    remove: { group: Role.Owner },
  }),
];
