import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { AuditModule } from '#core/audit/audit.module.js';
import { EnvironmentsModule } from '#core/environments/environments.module.js';
import { IidsModule } from '#core/iids/iids.module.js';
import { MergeRequestsModule } from '#core/merge-requests/merge-requests.module.js';
import { MergeRequestPipelinesModule } from '#core/merge-requests/pipelines/merge-request-pipelines.module.js';
import { RepositoriesModule } from '#core/repositories/repositories.module.js';
import { ExchangeModule } from '#core/exchange/exchange.module.js';
import { ApprovalsController } from './approvals/approvals.controller.js';
import { ApprovalsService } from './approvals/approvals.service.js';
import { ApproveDeployment } from './approvals/approve-deployment.use-case.js';
import { ApproversPolicy } from './approvals/approvers.policy.js';
import { DeploymentApproval } from './approvals/deployment-approval.entity.js';
import { Deployment } from './deployment.entity.js';
import { DeploymentRefsContribution } from './refs/deployment-refs.contribution.js';
import { DeploymentTargetFinder } from './deployment-target.finder.js';
import { DeploymentsController } from './deployments.controller.js';
import { DeploymentsQueries } from './deployments.queries.js';
import { DeploymentsService } from './deployments.service.js';
import { DeploymentGateContribution } from './jobs/deployment-gate.contribution.js';
import { JobFollowingContribution } from './jobs/job-following.contribution.js';
import { JobDeploymentsService } from './jobs/job-deployments.service.js';
import { JobEnvironmentsService } from './jobs/job-environments.service.js';
import { DeploymentMergeRequestsController } from './merge-requests/deployment-merge-requests.controller.js';
import { DeploymentsImporter } from './exchange/deployments.importer.js';
import { DeploymentsExchange } from './exchange/deployments.exchange.js';

/** Deployments of commits to environments. */
@Module({
  imports: [
    TypeOrmModule.forFeature([Deployment, DeploymentApproval]),
    AuditModule,
    EnvironmentsModule,
    IidsModule,
    MergeRequestPipelinesModule,
    MergeRequestsModule,
    RepositoriesModule,
    ExchangeModule,
  ],
  controllers: [DeploymentsController, DeploymentMergeRequestsController, ApprovalsController],
  providers: [
    DeploymentsService,
    DeploymentRefsContribution,
    DeploymentTargetFinder,
    DeploymentsQueries,
    ApprovalsService,
    ApproversPolicy,
    ApproveDeployment,
    JobDeploymentsService,
    JobEnvironmentsService,
    JobFollowingContribution,
    DeploymentGateContribution,
    DeploymentsImporter,
    DeploymentsExchange,
  ],
})
export class DeploymentsModule {}
