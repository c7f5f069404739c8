import { Injectable, type OnModuleInit } from '@nestjs/common';
import type { Tx } from '#kernel/database/transactions.js';
import { DomainEvents } from '#kernel/events/domain-events.js';
import { Jobs } from '#kernel/queue/jobs.js';
import { EnvironmentRemoved } from '#core/environments/environment-removed.event.js';
import { RefreshDeploymentRefsJob } from './deployment-refs.job.js';

/** SQL query for whether a project has a repository; the argument is an expression. */
export const repositoryOfSql = (projectId: string): string =>
  `select 1 from repositories where owner_type = 'Project' and owner_id = ${projectId} and kind = 'code'`;

const HAS_REPOSITORY = repositoryOfSql('$1');

/** Returns the folder of refs of an environment; git hides all of `refs/environments` from clients. */
export const refFolder = (slug: string): string => `refs/environments/${slug}/deployments/`;

/** Keeps the commits of deployments by refs while the deployments exist. */
@Injectable()
export class DeploymentRefsContribution implements OnModuleInit {
  constructor(
    private readonly events: DomainEvents,
    private readonly jobs: Jobs,
  ) {}

  onModuleInit(): void {
    this.events.on(EnvironmentRemoved, ({ projectId, slug }, tx) => this.refresh(tx, projectId, slug, null));
  }

  /** Enqueues creating or removing the ref of a deployment (null: all of the environment) with the commit. */
  async refresh(tx: Tx, projectId: number, slug: string, iid: number | null): Promise<void> {
    const [repository] = await tx.query<unknown[]>(HAS_REPOSITORY, [projectId]);
    if (repository) await this.jobs.enqueue(tx, RefreshDeploymentRefsJob, { projectId, slug, iid });
  }
}
