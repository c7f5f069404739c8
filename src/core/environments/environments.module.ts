import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { IidsModule } from '#core/iids/iids.module.js';
import { DeploymentChecks } from './deployment-checks.js';
import { EnvironmentCleanUpController } from './environment-clean-up.controller.js';
import { EnvironmentCleanUp } from './environment-clean-up.js';
import { Environment } from './environment.entity.js';
import { EnvironmentsController } from './environments.controller.js';
import { EnvironmentQueries } from './environments.queries.js';
import { EnvironmentsService } from './environments.service.js';

/** Environments, and what they know of their deployments. */
@Module({
  imports: [TypeOrmModule.forFeature([Environment]), IidsModule],
  controllers: [EnvironmentCleanUpController, EnvironmentsController],
  providers: [EnvironmentsService, EnvironmentQueries, EnvironmentCleanUp, DeploymentChecks],
  exports: [EnvironmentsService, EnvironmentCleanUp, DeploymentChecks],
})
export class EnvironmentsModule {}
