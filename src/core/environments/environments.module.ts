import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { AuditModule } from '#core/audit/audit.module.js';
import { CiModule } from '#core/ci/ci.module.js';
import { IidsModule } from '#core/iids/iids.module.js';
import { ExchangeModule } from '#core/exchange/exchange.module.js';
import { EnvironmentCleanUpController } from './cleanup/environment-clean-up.controller.js';
import { EnvironmentCleanUpService } from './cleanup/environment-clean-up.service.js';
import { EnvironmentVariablesContribution } from './environment-variables.contribution.js';
import { Environment } from './environment.entity.js';
import { EnvironmentWritesService } from './environment-writes.service.js';
import { EnvironmentsController } from './environments.controller.js';
import { EnvironmentsQueries } from './environments.queries.js';
import { EnvironmentsService } from './environments.service.js';
import { EnvironmentProtectionsPolicy } from './protection/environment-protections.policy.js';
import {
  ApprovalRule,
  DeployAccessLevel,
  ProtectedEnvironment,
} from './protection/protected-environment.entity.js';
import { protectedEnvironmentsControllers } from './protection/protected-environments.controllers.js';
import { ProtectedEnvironmentsPresenter } from './protection/protected-environments.presenter.js';
import { ProtectedEnvironmentsQueries } from './protection/protected-environments.queries.js';
import { ProtectedEnvironmentsService } from './protection/protected-environments.service.js';
import { StopEnvironments } from './stop/stop-environments.use-case.js';
import { StopJobsQueries } from './stop/stop-jobs.queries.js';
import { StoppedByJobsListener } from './stop/stopped-by-jobs.listener.js';
import { EnvironmentsExchange } from './exchange/environments.exchange.js';
import { ProtectedEnvironmentsExchange } from './exchange/protected-environments.exchange.js';

/** Providers exported to other modules and the worker. */
const shared = [
  EnvironmentsService,
  EnvironmentCleanUpService,
  EnvironmentProtectionsPolicy,
  StopEnvironments,
  StopJobsQueries,
];

/** Environments, with facts about their deployments. */
@Module({
  imports: [
    TypeOrmModule.forFeature([Environment, ProtectedEnvironment, DeployAccessLevel, ApprovalRule]),
    IidsModule,
    CiModule,
    AuditModule,
    ExchangeModule,
  ],
  controllers: [EnvironmentCleanUpController, EnvironmentsController, ...protectedEnvironmentsControllers],
  providers: [
    ...shared,
    EnvironmentWritesService,
    EnvironmentsQueries,
    EnvironmentVariablesContribution,
    ProtectedEnvironmentsService,
    ProtectedEnvironmentsQueries,
    ProtectedEnvironmentsPresenter,
    StoppedByJobsListener,
    EnvironmentsExchange,
    ProtectedEnvironmentsExchange,
  ],
  exports: [...shared, CiModule],
})
export class EnvironmentsModule {}
