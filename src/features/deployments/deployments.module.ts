import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { EnvironmentsModule } from '#core/environments/environments.module.js';
import { IidsModule } from '#core/iids/iids.module.js';
import { RepositoriesModule } from '#core/repositories/repositories.module.js';
import { Deployment } from './deployment.entity.js';
import { DeploymentMergeRequestsController } from './deployment-merge-requests.controller.js';
import { DeploymentRefs } from './deployment-refs.js';
import { DeploymentTargets } from './deployment-target.js';
import { DeploymentsController } from './deployments.controller.js';
import { DeploymentQueries } from './deployments.queries.js';
import { DeploymentsService } from './deployments.service.js';

/** Deployments of commits to environments. */
@Module({
  imports: [TypeOrmModule.forFeature([Deployment]), EnvironmentsModule, IidsModule, RepositoriesModule],
  controllers: [DeploymentsController, DeploymentMergeRequestsController],
  providers: [DeploymentsService, DeploymentRefs, DeploymentTargets, DeploymentQueries],
})
export class DeploymentsModule {}
