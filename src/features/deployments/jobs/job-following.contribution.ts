import { Injectable, type OnModuleInit } from '@nestjs/common';
import type { Tx } from '#kernel/database/transactions.js';
import { DomainEvents } from '#kernel/events/domain-events.js';
import { Jobs } from '#kernel/queue/jobs.js';
import { JobStatusChanged } from '#core/ci/processing/events/job-status-changed.event.js';
import { JobsCreated } from '#core/ci/processing/events/jobs-created.event.js';
import { ApprovalsService } from '../approvals/approvals.service.js';
import { Deployment } from '../deployment.entity.js';
import { DeploymentRefsContribution } from '../refs/deployment-refs.contribution.js';
import { LinkMergeRequestsJob } from '../merge-requests/link-merge-requests.job.js';
import { DropOlderDeploymentsJob } from './drop-older-deployments.job.js';
import { JobDeploymentsService } from './job-deployments.service.js';
import { JobEnvironmentsService } from './job-environments.service.js';
import { deploymentStatusByJob } from './status-by-job.js';

/** Updates deployments with their jobs, in the same transactions. */
@Injectable()
export class JobFollowingContribution implements OnModuleInit {
  constructor(
    private readonly events: DomainEvents,
    private readonly deployments: JobDeploymentsService,
    private readonly environments: JobEnvironmentsService,
    private readonly approvals: ApprovalsService,
    private readonly refs: DeploymentRefsContribution,
    private readonly jobs: Jobs,
  ) {}

  onModuleInit(): void {
    this.events.on(JobsCreated, ({ pipeline, jobs }, tx) => this.deployments.create(tx, pipeline, jobs));
    this.events.on(JobStatusChanged, (event, tx) => this.follow(event, tx));
  }

  private async follow({ job }: JobStatusChanged, tx: Tx): Promise<void> {
    if (job.environment === null || job.environmentAction !== 'start') return;
    if (job.status === 'pending' || job.status === 'scheduled') return;
    const deployment = await this.deployments.lock(tx, job);
    if (!deployment) return;
    // It must be played by a user: approvers can act from now on.
    if (job.status === 'manual') return this.approvals.block(tx, deployment);
    const to = deploymentStatusByJob(deployment.status, job.status);
    if (to === null) return;
    const isOver = to === 'success' || to === 'failed' || to === 'canceled';
    await tx.update(
      Deployment,
      { id: deployment.id },
      {
        status: to,
        userId: job.userId,
        finishedAt: () => (isOver ? 'clock_timestamp()' : 'null'),
        updatedAt: () => 'clock_timestamp()',
      },
    );
    if (to === 'running')
      await this.jobs.enqueue(tx, DropOlderDeploymentsJob, { deploymentId: deployment.id });
    if (to === 'success') {
      const { slug } = await this.environments.deployed(tx, job, deployment.environmentId);
      await this.refs.refresh(tx, deployment.projectId, slug, deployment.iid);
      await this.jobs.enqueue(tx, LinkMergeRequestsJob, { deploymentId: deployment.id });
    }
  }
}
