import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { AuditModule } from '#core/audit/audit.module.js';
import { EnvironmentsModule } from '#core/environments/environments.module.js';
import { IidsModule } from '#core/iids/iids.module.js';
import { MergeRequestsModule } from '#core/merge-requests/merge-requests.module.js';
import { MergeRequestPipelinesModule } from '#core/merge-requests/pipelines/merge-request-pipelines.module.js';
import { RepositoriesModule } from '#core/repositories/repositories.module.js';
import { TransferModule } from '#core/transfer/transfer.module.js';
import { ApprovalsController } from './approvals/approvals.controller.js';
import { Approvals } from './approvals/approvals.js';
import { ApproveDeployments } from './approvals/approve-deployment.js';
import { Approvers } from './approvals/approvers.js';
import { DeploymentApproval } from './approvals/deployment-approval.entity.js';
import { Deployment } from './deployment.entity.js';
import { DeploymentRefs } from './refs/deployment-refs.js';
import { DeploymentTargets } from './deployment-target.js';
import { DeploymentsController } from './deployments.controller.js';
import { DeploymentsQueries } from './deployments.queries.js';
import { DeploymentsService } from './deployments.service.js';
import { DeploymentGate } from './jobs/deployment-gate.js';
import { FollowJobs } from './jobs/follow-jobs.js';
import { JobDeployments } from './jobs/job-deployments.js';
import { JobEnvironments } from './jobs/job-environments.js';
import { DeploymentMergeRequestsController } from './merge-requests/deployment-merge-requests.controller.js';
import { DeploymentsImport } from './transfer/deployments-import.js';
import { DeploymentsTransfer } from './transfer/deployments.transfer.js';

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
    TransferModule,
  ],
  controllers: [DeploymentsController, DeploymentMergeRequestsController, ApprovalsController],
  providers: [
    DeploymentsService,
    DeploymentRefs,
    DeploymentTargets,
    DeploymentsQueries,
    Approvals,
    Approvers,
    ApproveDeployments,
    JobDeployments,
    JobEnvironments,
    FollowJobs,
    DeploymentGate,
    DeploymentsImport,
    DeploymentsTransfer,
  ],
})
export class DeploymentsModule {}
