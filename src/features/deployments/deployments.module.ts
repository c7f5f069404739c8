import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { EnvironmentsModule } from '#core/environments/environments.module.js';
import { IidsModule } from '#core/iids/iids.module.js';
import { Deployment } from './deployment.entity.js';
import { DeploymentMergeRequestsController } from './deployment-merge-requests.controller.js';
import { DeploymentsController } from './deployments.controller.js';
import { DeploymentQueries } from './deployments.queries.js';
import { DeploymentsService } from './deployments.service.js';

/** Deployments of commits to environments. */
@Module({
  imports: [TypeOrmModule.forFeature([Deployment]), EnvironmentsModule, IidsModule],
  controllers: [DeploymentsController, DeploymentMergeRequestsController],
  providers: [DeploymentsService, DeploymentQueries],
})
export class DeploymentsModule {}
