import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { AuditModule } from '#core/audit/audit.module.js';
import { MembersModule } from '#core/members/members.module.js';
import { TokensModule } from '#core/tokens/tokens.module.js';
import { UsersModule } from '#core/users/users.module.js';
import { DeployToken } from './deploy-tokens/deploy-token.entity.js';
import { DeployTokensController } from './deploy-tokens/deploy-tokens.controller.js';
import { DeployTokensListener } from './deploy-tokens.listener.js';
import { DeployTokensService } from './deploy-tokens/deploy-tokens.service.js';
import { resourceTokensControllers } from './resource-tokens.controllers.js';
import { ownedDeployTokensControllers } from './deploy-tokens/owned-deploy-tokens.controllers.js';
import { ResourceTokensQueries } from './resource-tokens.queries.js';
import { ResourceTokensService } from './resource-tokens.service.js';

/** Access tokens and deploy tokens of projects and groups. */
@Module({
  imports: [TypeOrmModule.forFeature([DeployToken]), AuditModule, MembersModule, TokensModule, UsersModule],
  controllers: [...resourceTokensControllers, DeployTokensController, ...ownedDeployTokensControllers],
  providers: [ResourceTokensQueries, ResourceTokensService, DeployTokensService, DeployTokensListener],
})
export class ResourceTokensModule {}
